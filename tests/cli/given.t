#!/bin/sh
# Shapes and dims given by the caller for a conversion. Results that depend on them are assumptions.
. "${srcdir:-.}/tests/cli/tap.sh"

cat >open.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[] x) => (float[] a, float[] b) { y = Relu (x) a, b = Split <axis = -1> (y) }
MODEL
run assemble open.txt -o open.onnx

run convert open.onnx --opset 10 -o plain.onnx
is 0 "$status" "nothing is given: exit status 0"
like "axis is negative and the input's rank is unknown" "$out" "the axis stays negative"
run convert open.onnx --opset 10 -o given.onnx --shape x=Nx6 --verify --report report.json --verbose
is 0 "$status" "--shape: exit status 0"
like "^assumed: node 1 (Split): rank of 'x' is 2, as given$" "$out" "what depends on it is told"
like "^open.onnx: opset 13 to 10: 1 node rewritten, 1 assumption$" "$out" "and counted"
like "^node 1 (Split) *assumed *rank of 'x' is 2, as given; the same number of parts" "$out" "a verdict of its own"
like '"assumed": "rank of .x. is 2, as given"' "$(cat report.json)" "in the report"
like '"given_shapes": \[' "$(cat report.json)" "in the certificate's options"
perl -MJSON::PP -0777 -ne 'print encode_json(decode_json($_)->{verify})' report.json >certificate.json
perl "$tests/cli/schema.pl" "$srcdir/docs/certificate.schema.json" certificate.json >faults
is "" "$(cat faults)" "which has its schema"
run show --text given.onnx
like "a, b = Split <axis = 1> (y)" "$out" "the axis is written non-negative"

run verify open.onnx given.onnx
is 1 "$status" "verify knows nothing of it: exit status 1"
run verify open.onnx given.onnx --assume-shapes --shape x=Nx6
is 0 "$status" "verify --assume-shapes: exit status 0"
like "1 assumed" "$out" "and it is an assumption"
run verify open.onnx given.onnx --replay report.json
is 0 "$status" "a certificate holds what was given"
run verify open.onnx given.onnx --assume-shapes --shape x=Nx6 --strict
is 1 "$status" "verify --strict refuses it"
run convert open.onnx --opset 10 -o strict.onnx --shape x=Nx6 --strict
is 1 "$status" "convert --strict refuses it: exit status 1"
like "^blocked: node 1 (Split): opset 11 to 10: rank of 'x' is 2, as given, and nothing confirms it; compute it from the \
graph's inputs, or leave out --strict$" "$err" "its words"

cat >dim.txt <<'MODEL'
< ir_version: 10, opset_import: ["" : 18] >
g (float[N, 3] x) => (float[] a, float[] b) { a, b = Split <axis = 0, num_outputs = 2> (x) }
MODEL
run assemble dim.txt -o dim.onnx
run convert dim.onnx --opset 13 -o dim13.onnx --dim N=4 --verbose
is 0 "$status" "--dim: exit status 0"
like "^assumed: node 0 (Split): shape of 'x' is \[4, 3\], as given$" "$out" "the dim is an assumption"
run show --text dim13.onnx
like "a, b = Split <axis = 0> (x)$" "$out" "4 divides by 2"
run convert dim.onnx --opset 13 -o dim13.onnx --shape N=4 --verbose
like "as given$" "$out" "--shape takes a dim's name, too"
run convert dim.onnx --opset 13 -o dim13.onnx --dim N=4 --verify --engine builtin
is 0 "$status" "--engine draws such inputs: exit status 0"
like "x=4x3" "$out" "of that size"
fails 2 "dim.onnx: shape 'x=Nx4': the model declares dim 1 of input 'x' as 3, not 4; give 3, or ? to leave it" \
    "what contradicts the model" convert dim.onnx --opset 13 -o none.onnx --shape x=Nx4
done_testing
