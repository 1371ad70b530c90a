#!/bin/sh
# What converting a model of large weights from opset 11 to 13 costs, against `cp` of the same file in the same run.
# usage: weights.sh OPSHIFT MAKE-MODEL FOLDER; the folder needs room for 9 GB. RUNS says how often (7); MOST leaves out
# models of more bytes. For each model the two take turns; a ratio is the median of the pairs' ratios.
set -eu
opshift=$1 make_model=$2 folder=$3 runs=${RUNS:-7} most=${MOST:-4000000000}
work=$(mktemp -d "$folder/bench.XXXXXX")
trap 'umount "$work/xfs" "$work/btrfs" 2>/dev/null || :; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Appends "wall processor kilobytes" of a command to the file that $1 names.
measure() {
    into=$1
    shift
    /usr/bin/time -o "$work/once" -f '%e %U %S %M' "$@" >/dev/null 2>"$work/said" || cat "$work/said" >&2
    tail -n 1 "$work/once" | awk '{ print $1, $2 + $3, $4 }' >>"$into"
}

# The row of a table from two files of measurements.
row() {
    paste -d ' ' "$work/peer" "$work/ours" | awk -v title="$1" '
        function median(list, count,   i, k, swap) {
            for (i = 1; i <= count; i++)
                for (k = i + 1; k <= count; k++)
                    if (list[k] < list[i]) { swap = list[i]; list[i] = list[k]; list[k] = swap }
            return list[int((count + 1) / 2)]
        }
        { wall[NR] = $1; wall2[NR] = $4; cpu[NR] = $2; cpu2[NR] = $5; peak[NR] = $6
          ratio[NR] = $4 / ($1 > 0 ? $1 : 0.01); ratio2[NR] = $5 / ($2 > 0 ? $2 : 0.01) }
        END { printf "| %s | %.2f s, %.2f s | %.2f s, %.2f s | %.2f | %.2f | %.1f MiB |\n", title, median(wall, NR), median(cpu, NR),
              median(wall2, NR), median(cpu2, NR), median(ratio, NR), median(ratio2, NR), median(peak, NR) / 1024 }'
}

# TITLE PEER-COMMAND OUR-COMMAND; both are shell text, on the files $model and $out.
compare() {
    rm -f "$work/peer" "$work/ours"
    for _ in $(seq "$runs"); do
        rm -f "$out" "$out.data"
        measure "$work/peer" sh -c "$2"
        rm -f "$out" "$out.data"
        measure "$work/ours" sh -c "$3"
    done
    row "$1"
    rm -f "$out"
}

heading() {
    printf '\n| %s | %s: wall, processor | opshift: the same | ratio, wall | ratio, processor | peak |\n' "$1" "$2"
    echo '| --- | --- | --- | --- | --- | --- |'
}

model=$work/model.onnx out=$work/out.onnx
export model out opshift
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
heading 'in place' '`cp`'
cp "$model" "$work/kept.onnx"
for i in $(seq "$runs"); do
    measure "$work/peer.place" cp "$model" "$out"
    rm -f "$out"
    [ "$i" = 1 ] || cp "$model" "$work/kept.onnx"
    measure "$work/ours.place" "$opshift" convert "$work/kept.onnx" --opset 13 --in-place
done
mv "$work/peer.place" "$work/peer"
mv "$work/ours.place" "$work/ours"
row '`weights 1000000000`, `--in-place`'
rm -f "$work/kept.onnx"

if python3 -c 'import onnx' 2>/dev/null; then
    heading 'against Python' "\`onnx.version_converter\`"
    runs=1
    "$make_model" weights 100000000 11 >"$model"
    compare '`weights 100000000`' \
        'exec python3 -c "
import onnx, onnx.version_converter, os
onnx.save(onnx.version_converter.convert_version(onnx.load(os.environ[\"model\"]), 13), os.environ[\"out\"])"' "$convert"
    runs=${RUNS:-7}
fi

heading 'blocks shared' '`cp --reflink=always`'
for kind in xfs btrfs; do
    mkdir "$work/$kind"
    if ! { truncate -s 3G "$work/$kind.image" && "mkfs.$kind" -q "$work/$kind.image" &&
        mount -o loop "$work/$kind.image" "$work/$kind"; } >/dev/null 2>&1; then
        echo "| $kind: it cannot be made or mounted here | | | | | |"
        continue
    fi
    model=$work/$kind/model.onnx out=$work/$kind/out.onnx
    "$make_model" weights 1000000000 11 >"$model"
    sync "$model"
    compare "\`weights 1000000000\`, \`--reflink\`, $kind" 'exec cp --reflink=always "$model" "$out"' "$convert --reflink"
    umount "$work/$kind"
    rm -f "$work/$kind.image"
done
