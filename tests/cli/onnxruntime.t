#!/bin/sh
# ONNX Runtime as reference: a model gives the same outputs before and after a conversion.
# Needs node, and onnxruntime-node in node's path or in OPSHIFT_ORT_NODE.
. "${srcdir:-.}/tests/cli/tap.sh"

command -v node >/dev/null || skip_all "node is not here"
node -e 'require(process.env.OPSHIFT_ORT_NODE || "onnxruntime-node")' 2>/dev/null ||
    skip_all "onnxruntime-node is not here; OPSHIFT_ORT_NODE can name its directory"

data=/usr/share/libonnx-testdata/data
targets="2 7 9 10 11 12 13 15 17 18 21"

# model NAME PATH: converted to every possible target.
refused=0
model() {
    for target in $targets; do
        if "$opshift" convert "$2" --opset "$target" -o "$1-$target.onnx" >/dev/null 2>>refused; then
            printf '%s to %s\t%s\t%s\n' "$1" "$target" "$2" "$PWD/$1-$target.onnx" >>pairs
        else
            refused=$((refused + 1))
        fi
    done
}

: >pairs
for text in "$tests"/models/*.txt "$tests"/models/judge/*.txt "$tests"/models/matrix/*.txt; do
    [ -e "$text" ] || continue
    name=$(basename "$text" .txt)
    # ONNX Runtime crashes on an unnamed output.
    case $name in M220 | M221 | M222) continue ;; esac
    "$opshift" assemble "$text" -o "$name.onnx" 2>/dev/null && model "$name" "$PWD/$name.onnx"
done
for directory in "$data"/node/test_split_* "$data"/pytorch-converted/test_GLU* "$data"/pytorch-operator/test_operator_chunk; do
    [ -e "$directory/model.onnx" ] && model "$(basename "$directory")" "$directory/model.onnx"
done

echo "# $(wc -l <pairs) pairs, $refused conversions refused"
node "$tests/cli/onnxruntime.js" <pairs
