#!/bin/sh
# make fuzz: builds the library with libFuzzer's coverage beside this build, and runs each target (or those in TARGETS)
# for FUZZ_SECONDS (60), FUZZ_JOBS (1) at once, on FUZZ_FOLDER/TARGET, which keeps what was found for the next time. Exits with 1 where a target
# crashed, leaked, hung or took too much memory; the file that did it is in FUZZ_FOLDER. FUZZ_BUILD is a build that has them
# (configure --enable-fuzzers), or is to; else FUZZ_FOLDER/build.
set -eu
srcdir=$(cd "${srcdir:-.}" && pwd)
folder=${FUZZ_FOLDER:-$PWD/fuzz}
seconds=${FUZZ_SECONDS:-60}
build=${FUZZ_BUILD:-$folder/build}
mkdir -p "$folder" "$build"
folder=$(cd "$folder" && pwd)

# Targets that read from files write one for each run: in memory that is ten times as fast.
[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || export TMPDIR=/dev/shm

cd "$build"
[ -f config.status ] || "$srcdir/configure" -q --enable-fuzzers --disable-shared CC="${FUZZ_CC:-clang}" CFLAGS='-O1 -g'
make -s all
make -s fuzzers
perl "$srcdir/tests/fuzz/seeds.pl" "$srcdir" . "$folder/seeds"

# One target, named by $1.
fuzz() {
    dictionary=model.dict
    case $1 in text | rules | configuration | target | values) dictionary=text.dict ;; esac
    mkdir -p "$folder/$1" "$folder/seeds/$1"
    "tests/fuzz/$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=8192 -print_final_stats=1 \
        -dict="$srcdir/tests/fuzz/$dictionary" -artifact_prefix="$folder/$1-" \
        "$folder/$1" "$folder/seeds/$1" >"$folder/$1.log" 2>&1 || echo "$1" >>"$folder/failed"
    echo "$1: $seconds seconds, $(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$1.log") runs"
    grep -E 'SUMMARY|runtime error' "$folder/$1.log" || true
}

rm -f "$folder/failed"
running=0
for target in ${TARGETS:-$(ls "$folder/seeds")}; do
    fuzz "$target" &
    running=$((running + 1))
    if [ "$running" -ge "${FUZZ_JOBS:-1}" ]; then
        wait
        running=0
    fi
done
wait
[ ! -f "$folder/failed" ] || { echo "failed: $(tr '\n' ' ' <"$folder/failed"); see $folder" >&2; exit 1; }
