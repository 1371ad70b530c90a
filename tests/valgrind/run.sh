#!/bin/sh
# make check-valgrind: the C tests, and common commands, under valgrind: reads of uninitialized memory or out of bounds,
# and leaks make a test fail. VALGRIND_CLI names tests of tests/cli, or is "all".
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
    # A million ranges, every split of a matrix, every profile, and every example at each edge, are slow.
    tests/check/ranges-t | tests/check/target_shipped-t | tests/rule/check-t | tests/split/copy-t) ;;
    *) c_tests="$c_tests $test" ;;
    esac
done
# shellcheck disable=SC2086
[ -z "$c_tests" ] || prove -j"$jobs" -e "$srcdir/tests/valgrind/opshift" $c_tests || failed=1

cli_tests=
[ "${VALGRIND_CLI-}" != all ] || VALGRIND_CLI=$(cd "$srcdir/tests/cli" && echo *.t)
for name in ${VALGRIND_CLI-show diff external steps}; do
    case ${name%.t} in
    # These read build files without running them, or run other programs.
    abi | hardening | install) ;;
    # These measure instructions and memory.
    cost | resources) ;;
    *) cli_tests="$cli_tests $srcdir/tests/cli/${name%.t}.t" ;;
    esac
done
# shellcheck disable=SC2086
[ -z "$cli_tests" ] || OPSHIFT_PROGRAM=$builddir/opshift OPSHIFT=$srcdir/tests/valgrind/opshift \
    prove -j"$jobs" -e '' $cli_tests || failed=1

for log in "$VALGRIND_LOGS"/*; do
    [ -e "$log" ] || continue
    # Its own messages, such as about an unknown system call, start with --.
    if grep -q '^==' "$log"; then failed=1 && grep '^==' "$log" | sed -n 1,40p; fi
done
[ "$failed" = 0 ]
