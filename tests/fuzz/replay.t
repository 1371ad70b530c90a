#!/bin/sh
# Every fuzz target returns for every file of its corpus, and failures have reasons.
. "${srcdir:-.}/tests/cli/tap.sh"

perl "$srcdir/tests/fuzz/seeds.pl" "$srcdir" "$builddir" seeds >seeds.log 2>&1
ok $? "the seeds are made"
sed 's/^/# /' seeds.log
# Linked with the fuzzer, a target would start fuzzing after these files.
once=
grep -q 'fuzzer-no-link' "$builddir/Makefile" && once=-runs=0
for directory in seeds/*; do
    target=$(basename "$directory")
    TMPDIR=$work timeout 300 "$builddir/tests/fuzz/$target" $once "$directory" >log 2>&1
    ok $? "$target: $(tail -n 1 log)"
    grep -E 'ERROR|SUMMARY|runtime error|status' log | head -n 20 | sed 's/^/# /'
done
is "" "$(find . -maxdepth 1 -name 'opshift-fuzz*')" "nothing is left behind"
done_testing
