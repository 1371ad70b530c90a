#!/bin/sh
# make fuzz-afl: builds the fuzz targets with AFL++ beside this build, and runs each (or those in TARGETS) for FUZZ_SECONDS (60).
# Found inputs stay in FUZZ_DIRECTORY/found/TARGET for the next run. Exits with 1 if a target crashed or hung; the input
# that caused it is in its directory of crashes or hangs.
set -eu
srcdir=$(cd "${srcdir:-.}" && pwd)
directory=${FUZZ_DIRECTORY:-$PWD/fuzz-afl}
command -v afl-fuzz >/dev/null || { echo "fuzz-afl: AFL++ is not here; install the package afl++" >&2 && exit 2; }
mkdir -p "$directory/build" "$directory/found"
directory=$(cd "$directory" && pwd)

cd "$directory/build"
[ -f config.status ] || "$srcdir/configure" -q --enable-fuzzers --disable-shared CC="${FUZZ_CC:-afl-clang-fast}" CFLAGS='-O1 -g'
make -s all
make -s fuzzers
perl "$srcdir/tests/fuzz/seeds.pl" "$srcdir" . "$directory/seeds"

# Settings for a machine that other programs use, too; a leak or an abort also counts as a crash.
export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_AUTORESUME=1
failed=
for target in ${TARGETS:-$(ls "$directory/seeds")}; do
    dictionary=model.dict
    case $target in text | rules | configuration | values) dictionary=text.dict ;; esac
    found=$directory/found/$target
    afl-fuzz -V "${FUZZ_SECONDS:-60}" -m none -t 10000 -x "$srcdir/tests/fuzz/$dictionary" -i "$directory/seeds/$target" \
        -o "$found" -- "tests/fuzz/$target" >"$directory/$target.log" 2>&1 || failed="$failed $target"
    runs=$(sed -n 's/^execs_done *: *//p' "$found/default/fuzzer_stats" 2>/dev/null || true)
    echo "$target: ${FUZZ_SECONDS:-60} seconds, ${runs:-0} runs"
    for file in "$found"/default/crashes/id* "$found"/default/hangs/id*; do
        [ ! -e "$file" ] || { echo "$target: $file" && failed="$failed $target"; }
    done
done
[ -z "$failed" ] || { echo "failed:$failed; see $directory" >&2; exit 1; }
