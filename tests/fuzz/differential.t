#!/bin/sh
# A few mutated models against the official parser; tests/fuzz/differential.py takes any number.
. "${srcdir:-.}/tests/cli/tap.sh"
python=
for name in python3 /usr/bin/python3; do
    if "$name" -c 'import onnx' 2>/dev/null; then python=$name && break; fi
done
[ -n "$python" ] || skip_all "python3-onnx is not here"
perl "$srcdir/tests/fuzz/seeds.pl" "$srcdir" "$builddir" seeds >seeds.log 2>&1
ok $? "the seeds are made"
"$python" "$srcdir/tests/fuzz/differential.py" "$opshift" 200 1 seeds/open/* >log 2>&1
ok $? "$(tail -n 1 log)"
sed 's/^/# /' log | head -n 20
done_testing
