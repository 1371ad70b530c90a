#!/bin/sh
# Converts large models and prints, for each, the time as a ratio to `cp` of the same file, and the peak memory.
# usage: run.sh OPSHIFT MAKE-MODEL FOLDER; the folder needs room for 1 GB. RUNS says how often (5); the median counts.
set -eu
opshift=$1 make_model=$2 folder=$3 runs=${RUNS:-5}
work=$(mktemp -d "$folder/bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Runs a command; appends "seconds kilobytes" to the file that $1 names.
measure() {
    into=$1
    shift
    /usr/bin/time -o "$work/once" -f '%e %M' "$@" >/dev/null
    tail -n 1 "$work/once" >>"$into"
}

# The median of column $2 of the file $1.
median() {
    sort -n -k "$2,$2" "$1" | awk -v column="$2" '{ value[NR] = $column } END { print value[int((NR + 1) / 2)] }'
}

# Copies and conversions take turns, so that what else the machine does meets both. Small files are taken many times.
compare() {
    title=$1 target=$2
    rm -f "$work"/cp "$work"/convert "$work"/out "$work"/copy
    size=$(wc -c <"$work/model")
    copies=1 conversions=1
    [ "$size" -gt 100000000 ] || copies=20 conversions=2
    [ "$size" -gt 100000 ] || conversions=20
    for _ in $(seq "$runs"); do
        rm -f "$work/copy"
        measure "$work/cp" sh -c 'for _ in $(seq "$1"); do rm -f "$3"; cp "$2" "$3"; done' - \
            "$copies" "$work/model" "$work/copy"
        rm -f "$work/copy" "$work/out"
        measure "$work/convert" sh -c 'for _ in $(seq "$1"); do "$5" convert "$2" --opset "$4" -o "$3"; done' - \
            "$conversions" "$work/model" "$work/out" "$target" "$opshift"
    done
    median "$work/cp" 1 >"$work/cp.median"
    awk -v title="$title" -v size="$size" -v cp="$(cat "$work/cp.median")" -v copies="$copies" \
        -v conversions="$conversions" -v time="$(median "$work/convert" 1)" -v peak="$(median "$work/convert" 2)" 'BEGIN {
            printf "| %s | %.1f MB | %.3f s | %.3f s | %.2f | %.1f MiB |\n", title, size / 1e6, cp / copies, time / conversions,
                   (cp > 0 ? time / conversions / (cp / copies) : 0), peak / 1024 }'
}

# title, shape, count, opset, target, form
bench() {
    "$make_model" "$2" "$3" "$4" ${6:+"$6"} >"$work/model"
    compare "$1" "$5"
}

echo '| model | size | cp | convert | ratio | peak |'
echo '| --- | --- | --- | --- | --- | --- |'
bench '100,000 nodes, 20,000 Split, 11 to 13' chain 100000 11 13
bench '100,000 nodes, 20,000 Split, own lengths, 13 to 18' chain 100000 13 18
bench '100,000 nodes, 20,000 Split, own lengths, 18 to 13' chain 100000 18 13
bench '100,000 nodes, 20,000 Split, own lengths, 13 to 11' chain 100000 13 11
bench '100,000 nodes, 20,000 Split, shared lengths, 13 to 18' chain 100000 13 18 shared
bench '100,000 nodes, 20,000 Split, shared lengths, 13 to 11' chain 100000 13 11 shared
bench 'one Split with 100,000 outputs, 13 to 18' outputs 100000 13 18
bench '10,000 If with a Split in a branch, 11 to 13' branches 10000 11 13
bench '10,000 If with a Split in a branch, 13 to 11' branches 10000 13 11
bench 'If in If, 31 deep, 11 to 13' nest 31 11 13
bench '20,000 calls of a function, 18 to 11' calls 20000 18 11
