#!/bin/sh
# What converting a model of large weights from opset 11 to 13 costs, against `cp` of the same file in the same run.
# usage: weights.sh OPSHIFT MAKE-MODEL FOLDER; the program "measure" lies beside MAKE-MODEL, the folder needs room for 9 GB.
# RUNS says how often (7); MOST leaves out models of more bytes. For each model the two take turns; a ratio is the median of
# the pairs' ratios.
set -eu
opshift=$1 make_model=$2 clock=$(dirname "$2")/measure folder=$3 runs=${RUNS:-7} most=${MOST:-4000000000}
work=$(mktemp -d "$folder/bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# shellcheck source=bench/measure.sh disable=SC1091
. "$(dirname "$0")/measure.sh"

model=$work/model.onnx out=$work/out.onnx
export model out opshift work
convert='exec "$opshift" convert "$model" --opset 13 -o "$out"'
heading 'against `cp`' '`cp`'
for shape in 'weights 10000000' 'weights 100000000' 'floats 500000000' 'weights 1000000000' 'weights 4000000000'; do
    [ "${shape#* }" -le "$most" ] || continue
    # shellcheck disable=SC2086
    "$make_model" $shape 11 >"$model"
    sync "$model"
    compare "\`$shape\`" 'exec cp "$model" "$out"' "$convert"
done

"$make_model" weights 1000000000 11 >"$model"
sync "$model"
heading 'on the disk' '`cp` and `sync FILE`'
compare '`weights 1000000000`, `--sync`' 'cp "$model" "$out" && sync "$out"' "$convert --sync"
"$make_model" external 1000000000 11 >"$model"
truncate -s 1000000000 "$work/weights.bin"
heading 'weights in another file' '`cp` of the model alone'
compare '`external 1000000000`' 'cp "$model" "$out"' '"$opshift" convert "$model" --opset 13 -o "$out"' 100
rm -f "$work/weights.bin"

if python3 -c 'import onnx' 2>/dev/null; then
    heading 'against Python' "\`onnx.version_converter\`"
    runs=1
    for size in 100000000 1000000000; do
        # It holds the model several times.
        [ "$((size * 6 / 1024))" -lt "$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)" ] || continue
        "$make_model" weights "$size" 11 >"$model"
        compare "\`weights $size\`" \
            'exec python3 -c "
import onnx, onnx.version_converter, os
onnx.save(onnx.version_converter.convert_version(onnx.load(os.environ[\"model\"]), 13), os.environ[\"out\"])"' "$convert"
    done
    runs=${RUNS:-7}
fi
