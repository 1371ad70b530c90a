#!/bin/sh
# ONNX Runtime as an engine: the same outputs as the built-in one, and a crash is a verdict.
. "${srcdir:-.}/tests/cli/tap.sh"
. "$tests/cli/ort.sh"


# both MODEL ARGUMENT...: both engines print the same.
both() {
    name=$1
    shift
    run run "$name.onnx" --random "$@" --engine onnxruntime
    is 0 "$status" "$name: it runs"
    theirs=$out
    run run "$name.onnx" --random "$@"
    is "$out" "$theirs" "$name: both engines give the same"
}

"$opshift" assemble "$tests/models/sample.txt" -o sample.onnx
both sample --shape N=4 --seed 7
for type in float double float16 int8 uint8 int32 uint32 int64 uint64 string bool; do
    assemble "$type" <<MODEL
< ir_version: 8, opset_import: ["" : 13] >
g ($type[2,6] x) => ($type[K,6] y, $type[2,3] a, $type[2,3] b) { y = Concat <axis = 0> (x, x) a, b = Split <axis = 1> (x) }
MODEL
    both "$type" --seed 3
done
assemble sequence <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[2,6] x) => (seq(float[2,3]) s) { one = Constant <value = int64 {3}> () s = SplitToSequence <axis = 1> (x, one) }
MODEL
both sequence
assemble scalar <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float x, float[0] e) => (float y, float[0] f) { y = Neg (x) f = Neg (e) }
MODEL
both scalar

# An unnamed output makes it crash.
assemble nameless <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[6] x) => (float[3] a) { a, "" = Split <axis = 0> (x) }
MODEL
run run nameless.onnx --random --engine onnxruntime
case $status-$err in
0-) ok 0 "this ONNX Runtime takes an output without a name" ;;
*) is "opshift: nameless.onnx: ONNX Runtime crashed: signal 11 (Segmentation fault)" "$err" "a crash is told, and we live" ;;
esac

# An endless run is stopped.
assemble endless <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[6] x) => (float[6] y) {
  n = Constant <value = int64 {1000000000000}> ()
  c = Constant <value = bool {1}> ()
  y = Loop (n, c, x) <body = b (int64 i, bool d, float[6] s) => (bool e, float[6] t) { e = Identity (d) t = Neg (s) }>
}
MODEL
fails 3 "endless.onnx: ONNX Runtime took longer than 1 seconds and was stopped" "a model without an end" \
    run endless.onnx --random --engine onnxruntime --max-seconds 1

assemble foreign <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "my" : 1] >
g (float[6] x) => (float[6] y) { y = my.Op (x) }
MODEL
run run foreign.onnx --random --engine onnxruntime
is 3 "$status" "an operator that it does not have: exit status 3"
like "^opshift: foreign.onnx: ONNX Runtime does not load it: " "$err" "in its own words"

fails 2 "probe.onnx: ONNX Runtime cannot be loaded: /absent.so: cannot open shared object file: No such file or directory" \
    "a library that is not there" run probe.onnx --random --engine onnxruntime --ort /absent.so
printf 'no library' >text.so
run run probe.onnx --random --engine onnxruntime --ort ./text.so
is 2 "$status" "a file that is no library: exit status 2"

data=/usr/share/libonnx-testdata/data/node
if [ -d "$data" ]; then
    "$opshift" test --engine onnxruntime "$data"/test_split_* "$data"/test_sequence_insert* "$data"/test_optional_* >cases 2>&1
    ok $? "ONNX's own cases of Split, SequenceInsert and optionals pass"
fi

done_testing
