#!/bin/sh
# The library has no state between calls: no writable variable outlives one, so threads share none.
. "${srcdir:-.}/tests/cli/tap.sh"
command -v nm >/dev/null || skip_all "nm is not here"
grep -qE 'fsanitize|--coverage|-fprofile' "$builddir/Makefile" && skip_all "sanitizers and profiles bring variables of their own"

# Names in memory that is writable after loading (.data.rel.ro is not), one per line.
written() { nm -A -f sysv "$@" | grep -E '\|\.(t?data|t?bss)' | grep -v '\.data\.rel\.ro' | sed 's/^.*:\([^|]*\)|.*|/\1 in /; s/  *in/ in/'; }

cat >kept.c <<'WAY'
static int kept;
_Thread_local int per_thread = 1;
const char *const name = "table";
int next(void) { return kept++ + per_thread; }
WAY
if ! command -v "${CC:-cc}" >/dev/null; then
    skip "a variable is seen" "no compiler is here"
else
    "${CC:-cc}" -fPIC -c -o kept.o kept.c
    is "kept in .bss
per_thread in .tdata" "$(written kept.o)" "a variable is seen, a table of addresses is none"
fi
seen=$(written "$builddir/.libs/libinside.a" 2>nm.txt)
[ "$(nm "$builddir/.libs/libinside.a" 2>/dev/null | grep -c ' T opshift_')" -gt 100 ]
ok $? "the whole library is looked at"
is "" "$seen" "the library has no variable that can be written to"
done_testing
