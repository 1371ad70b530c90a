#!/bin/sh
# make fuzz: builds the library with libFuzzer's coverage beside this build, and runs each target (or those in TARGETS)
# for FUZZ_SECONDS (60), FUZZ_JOBS (1) in parallel. Found inputs stay in FUZZ_DIRECTORY/TARGET for the next run. Exits with
# 1 if a target crashed, leaked, hung or took too much memory; the input that caused it is in FUZZ_DIRECTORY. FUZZ_BUILD is
# the build directory of the targets (configure --enable-fuzzers), by default FUZZ_DIRECTORY/build.
set -eu
srcdir=$(cd "${srcdir:-.}" && pwd)
directory=${FUZZ_DIRECTORY:-$PWD/fuzz}
seconds=${FUZZ_SECONDS:-60}
build=${FUZZ_BUILD:-$directory/build}
mkdir -p "$directory" "$build"
directory=$(cd "$directory" && pwd)

# Targets that read from files write one for each run: in memory that is ten times as fast.
[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || export TMPDIR=/dev/shm

cd "$build"
[ -f config.status ] || "$srcdir/configure" -q --enable-fuzzers --disable-shared CC="${FUZZ_CC:-clang}" CFLAGS='-O1 -g'
make -s all
make -s fuzzers
perl "$srcdir/tests/fuzz/seeds.pl" "$srcdir" . "$directory/seeds"

# One target, named by $1.
fuzz() {
    dictionary=model.dict
    case $1 in text | rules | configuration | ir | journal | lowered | target | values) dictionary=text.dict ;; esac
    mkdir -p "$directory/$1" "$directory/seeds/$1"
    "tests/fuzz/$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=8192 -print_final_stats=1 \
        -dict="$srcdir/tests/fuzz/$dictionary" -artifact_prefix="$directory/$1-" \
        "$directory/$1" "$directory/seeds/$1" >"$directory/$1.log" 2>&1 || echo "$1" >>"$directory/failed"
    echo "$1: $seconds seconds, $(sed -n 's/^stat::number_of_executed_units: *//p' "$directory/$1.log") runs"
    grep -E 'SUMMARY|runtime error' "$directory/$1.log" || true
}

rm -f "$directory/failed"
running=0
for target in ${TARGETS:-$(ls "$directory/seeds")}; do
    fuzz "$target" &
    running=$((running + 1))
    if [ "$running" -ge "${FUZZ_JOBS:-1}" ]; then
        wait
        running=0
    fi
done
wait
[ ! -f "$directory/failed" ] || { echo "failed: $(tr '\n' ' ' <"$directory/failed"); see $directory" >&2; exit 1; }
