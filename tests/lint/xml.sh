#!/bin/sh
# Is a file well-formed XML? Uses a strict parser; exit status 0 yes, 1 no, 77 no parser found.
if command -v xmllint >/dev/null; then
    xmllint --noout "$1" || exit 1
elif python3 -c 'import xml.parsers.expat' 2>/dev/null; then
    python3 -c 'import sys, xml.parsers.expat as e; e.ParserCreate().ParseFile(open(sys.argv[1], "rb"))' "$1" || exit 1
else
    exit 77
fi
