#!/bin/sh
# make analyze: runs static analyzers on lib, src and helper: gcc -fanalyzer, clang-tidy (.clang-tidy) and cppcheck
# (cppcheck.txt). ANALYZERS names some of them, ANALYZE_JOBS is the number of parallel jobs. clang's own analyzer
# has a small budget for each function; DEEP=1 removes it, which takes ten times as long.
# Exits with 1 if one has findings. $FLAGS are those of the build, whose generated headers are needed.
set -eu
# Messages of the tools are matched in this locale.
export LC_ALL=C
srcdir=$(cd "${srcdir:-.}" && pwd)
jobs=${ANALYZE_JOBS:-$(getconf _NPROCESSORS_ONLN)}
found=no
log=$(mktemp)
trap 'rm -f "$log" "$log.known"' EXIT

# each COMMAND...: runs it on every source, in parallel; its output goes to $log.
each() {
    (cd "$srcdir" && find lib src helper -name '*.c' | sort) | sed "s|^|$srcdir/|" | xargs -P "$jobs" -n 8 "$@" >"$log" 2>&1 || true
}

# tell NAME: prints the findings of that tool.
tell() {
    if grep -qE '(warning|error|style|performance|portability)[:,]' "$log"; then
        found=yes
        grep -vE 'warnings? (generated|treated)|^Suppressed|^Use -header' "$log" || true
        echo "$1: see above; fix it, or add the reason why not"
    else
        echo "$1: nothing found"
    fi
}

for name in ${ANALYZERS:-gcc clang-tidy cppcheck}; do
    if [ "$name" = gcc ]; then tool=${ANALYZE_CC:-gcc}; else tool=$name; fi
    command -v "$tool" >/dev/null || { echo "$name: not here" && continue; }
    case $name in
    gcc)
        # shellcheck disable=SC2086
        FLAGS="$FLAGS -DOPSHIFT_ANALYZE"
        each sh -c 'for file; do "$0" $FLAGS -O1 -fanalyzer -fanalyzer-verbosity=0 -fdiagnostics-path-format=none \
            -fno-diagnostics-show-caret -S -o /dev/null "$file" 2>&1; done' "$tool"
        grep -v '^#' "$srcdir/tests/analyze/gcc.txt" | grep . >"$log.known"
        grep -E 'warning:|error:' "$log" | grep -vf "$log.known" >"$log.left" || true
        mv "$log.left" "$log"
        ;;
    clang-tidy)
        FLAGS="$FLAGS -DOPSHIFT_ANALYZE -Xclang -analyzer-config -Xclang max-nodes=${DEEP:+22}${DEEP:-2}0000"
        # shellcheck disable=SC2086
        each sh -c 'clang-tidy --quiet "$@" -- $FLAGS' clang-tidy
        ;;
    cppcheck)
        cppcheck --quiet -j "$jobs" --std=c11 --enable=warning,portability,performance --library=posix \
            --library="$srcdir/tests/analyze/cppcheck.cfg" --suppressions-list="$srcdir/tests/analyze/cppcheck.txt" \
            --inline-suppr --template='{file}:{line}: {severity}: {message} [{id}]' -DHAVE_CONFIG_H -D_GNU_SOURCE -DOPSHIFT_ANALYZE \
            -I. -Ilib -Iproto -I"$srcdir/lib" -I"$srcdir/proto" "$srcdir/lib" "$srcdir/src" "$srcdir/helper" >"$log" 2>&1
        ;;
    *)
        echo "analyze: there is no '$name'; ANALYZERS may name gcc, clang-tidy and cppcheck" >&2
        exit 2
        ;;
    esac
    tell "$name"
done
[ $found = no ]
