#!/bin/sh
# Converts models of many nodes, against `cp` of the same file, and many models at once, with two jobs against one.
# usage: run.sh OPSHIFT MAKE-MODEL FOLDER; the program "measure" lies beside MAKE-MODEL, the folder needs room for 1 GB. RUNS
# says how often (5); the median counts.
set -eu
opshift=$1 make_model=$2 clock=$(dirname "$2")/measure folder=$3 runs=${RUNS:-5}
work=$(mktemp -d "$folder/bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# shellcheck source=bench/measure.sh disable=SC1091
. "$(dirname "$0")/measure.sh"

model=$work/model.onnx out=$work/out.onnx
export model out opshift work

# A model and its target: SHAPE COUNT OPSET [shared]; TARGET. Small files are taken many times.
bench() {
    # shellcheck disable=SC2086
    "$make_model" $1 >"$model"
    size=$(wc -c <"$model")
    times=1
    [ "$size" -gt 10000000 ] || times=5
    [ "$size" -gt 100000 ] || times=200
    compare "\`$1\`, to $2" 'cp "$model" "$out"' "\"\$opshift\" convert \"\$model\" --opset $2 -o \"\$out\"" "$times"
}

heading 'nodes, against `cp`' '`cp`'
bench 'chain 1 11' 13
bench 'chain 100000 11' 13
bench 'chain 100000 2' 18
bench 'chain 100000 13' 18
bench 'chain 100000 18' 13
bench 'chain 100000 13' 11
bench 'chain 100000 18' 2
bench 'chain 100000 13 shared' 18
bench 'chain 100000 13 shared' 11
bench 'deep 100000 11' 13
bench 'deep 100000 13' 11
bench 'layers 100000 11' 13
bench 'layers 100000 13' 11
bench 'constants 100000 13' 11
bench 'chain 1000000 11' 13
bench 'outputs 100000 13' 18
bench 'branches 10000 11' 13
bench 'branches 10000 13' 11
bench 'nest 31 11' 13
bench 'calls 20000 18' 11

# FOLDER COUNT SHAPE...: so many copies of a model.
make_many() {
    into=$work/$1 count=$2
    shift 2
    mkdir "$into"
    "$make_model" "$@" >"$model"
    for i in $(seq "$count"); do
        cp "$model" "$into/$i.onnx"
    done
}

make_many small 2000 chain 10 11
make_many larger 200 chain 10000 11
heading 'many models' 'one job' 'two jobs'
compare '`lint` of 2,000 of `chain 10 11`' '"$opshift" lint -r "$work/small" -j 1' '"$opshift" lint -r "$work/small" -j 2' 5
compare '`lint --to 13` of 200 of `chain 10000 11`' '"$opshift" lint -r "$work/larger" --to 13 -j 1' \
    '"$opshift" lint -r "$work/larger" --to 13 -j 2'
each='find "$work/larger" -name "*.onnx" | xargs -I {} -P'
convert='"$opshift" convert {} --opset 13 -o {}.new; rm -f "$work"/larger/*.new'
compare '`convert` of 200 of `chain 10000 11`, by `xargs -P`' "$each 1 $convert" "$each 2 $convert"
