#!/bin/sh
# make check-valgrind: the C tests, and what users do most, under valgrind: a read of what was never written, one beside a block, or
# a block that nobody frees makes a test fail. VALGRIND_CLI names tests of tests/cli, or is "all".
set -eu
srcdir=$(cd "${srcdir:-.}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
if grep -q fsanitize "$builddir/Makefile"; then
    echo "check-valgrind: valgrind does not run what the sanitizers built; configure without them" >&2
    exit 2
fi
command -v valgrind >/dev/null || { echo "check-valgrind: valgrind is not here" >&2 && exit 2; }
VALGRIND_LOGS=$(mktemp -d)
export srcdir builddir VALGRIND_LOGS
trap 'rm -rf "$VALGRIND_LOGS"' EXIT
jobs=${VALGRIND_JOBS:-$(getconf _NPROCESSORS_ONLN)}
failed=0
cd "$builddir"

c_tests=
for test in ${VALGRIND_TESTS-tests/*/*-t}; do
    case $test in
    # A million ranges, and every split of a matrix, take long.
    tests/check/ranges-t | tests/split/copy-t) ;;
    *) c_tests="$c_tests $test" ;;
    esac
done
# shellcheck disable=SC2086
[ -z "$c_tests" ] || prove -j"$jobs" -e "$srcdir/tests/valgrind/opshift" $c_tests || failed=1

cli_tests=
[ "${VALGRIND_CLI-}" != all ] || VALGRIND_CLI=$(cd "$srcdir/tests/cli" && echo *.t)
for name in ${VALGRIND_CLI-show diff external steps}; do
    case ${name%.t} in
    # They look at what was built, and do not run it, or run programs of their own.
    abi | hardening | install) ;;
    # They count instructions and memory, which here are valgrind's.
    cost | resources) ;;
    *) cli_tests="$cli_tests $srcdir/tests/cli/${name%.t}.t" ;;
    esac
done
# shellcheck disable=SC2086
[ -z "$cli_tests" ] || OPSHIFT_PROGRAM=$builddir/opshift OPSHIFT=$srcdir/tests/valgrind/opshift \
    prove -j"$jobs" -e '' $cli_tests || failed=1

for log in "$VALGRIND_LOGS"/*; do
    [ -e "$log" ] || continue
    # What it says of itself, such as of a system call that it does not know, starts with --.
    if grep -q '^==' "$log"; then failed=1 && grep '^==' "$log" | sed -n 1,40p; fi
done
[ "$failed" = 0 ]
