#!/bin/sh
# Every check has a test: with the exact message of its finding, and with a similar model that has none.
. "${srcdir:-.}/tests/cli/tap.sh"

# A quoted id followed by a place or a message is an expected finding; an example is a finding with its fixed form.
cat "$tests"/check/*-t.c "$tests"/lint/*-t.c | grep -o '"[A-Z][A-Z][A-Z][0-9][0-9][0-9]["\\ ]' | tr -d '"\\ ' | sort -u >expected
cat "$tests"/cli/*.t | grep -o '[A-Z][A-Z][A-Z][0-9][0-9][0-9]' | sort -u >named
run lint --list-checks -f json
printf '%s\n' "$out" | sed -n 's/.*"id": "\([A-Z]*[0-9]*\)".*/\1/p' >ids
is 0 "$(($(wc -l <ids) < 150))" "the checks are listed"
for id in $(cat ids); do
    case $id in
    CFG* | OVN*) grep -q "^$id$" named ;;
    *) grep -q "^$id$" expected ;;
    esac
    ok $? "$id: a test holds what it says"
done
done_testing
