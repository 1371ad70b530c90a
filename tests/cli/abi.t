#!/bin/sh
# The library's binary interface is unchanged, unless the expected list is changed.
. "${srcdir:-.}/tests/cli/tap.sh"

kept=$tests/library/interface.txt
library=$builddir/.libs/libopshift.so

# same WANTED SEEN WHAT: prints differences, and how to accept them.
same() {
    difference=$(diff "$1" "$2" | grep '^[<>]')
    is "" "$difference" "$3"
    [ -z "$difference" ] || sed 's/^/# /' <<'WAY'
If that is meant: sh tests/library/interface.sh >tests/library/interface.txt
What went or has another size breaks programs that were built before: then raise the first number of -version-info in
Makefile.am, and set the other two to 0. What was added raises the first and the last one.
WAY
}

grep '^function ' "$kept" | LC_ALL=C sort >functions.txt
is "$(cksum <functions.txt)" "$(grep '^function ' "$kept" | cksum)" "the list is sorted"
sed -n 's/^ \(.*\)@Base .*/function \1/p' "$srcdir/debian/libopshift0.symbols" >packaged.txt
is "" "$(diff functions.txt packaged.txt | sed -n 's/^< function \(.*\)/ \1@Base 0.1.0/p; s/^> function /remove: /p')" \
    "debian/libopshift0.symbols lists them; 0.1.0 is the first release that has it"
is "" "$(grep '^function ' "$kept" | grep -v '^function opshift_')" "all that is exported is called opshift_"
if [ -e "$library" ]; then
    nm -D --defined-only "$library" | awk '$2 ~ /[A-Z]/ && $2 != "A" {print "function " $3}' | sort >exported.txt
    same functions.txt exported.txt "the shared library exports what the list says, and nothing else"
else
    skip "the shared library exports what the list says, and nothing else" "built without a shared library"
fi
if ! command -v "${CC:-cc}" >/dev/null; then
    skip "the header declares what the list says" "no compiler is here"
elif [ "$(getconf LONG_BIT)" != 64 ]; then
    skip "the header declares what the list says" "sizes are those of 64 bits"
else
    sh "$tests/library/interface.sh" >seen.txt
    same "$kept" seen.txt "the header declares what the list says, in structs of these sizes"
fi
done_testing
