#!/bin/sh
# Valid random inputs: indices, shapes, lengths and sizes that fit, sequences, unknown dims.
. "${srcdir:-.}/tests/cli/tap.sh"

# takes WHAT OPSET GRAPH: the model runs on each of four random inputs, without options.
takes() {
    printf '< ir_version: 8, opset_import: ["" : %s] >\n%s\n' "$2" "$3" >case.txt
    "$opshift" assemble case.txt -o case.onnx
    run verify case.onnx case.onnx --engine builtin --draws 4
    like "^whole model: tested by builtin .*; 4 runs: " "$out" "$1"
}

takes "indices of Gather" 13 'g (float[3,5] x, int64[4] i) => (float[3,4] y) { y = Gather <axis = 1> (x, i) }'
takes "indices through a Cast and an Unsqueeze" 13 'g (float[3] x, int32 i) => (float[1] y) <int64[1] a = {0}> {
    w = Cast <to = 7> (i) v = Unsqueeze (w, a) y = Gather (x, v) }'
takes "indices inside a branch" 13 'g (float[2] x, int64[3] i, bool c) => (float[3] y) {
    y = If (c) <then_branch = t () => (float[3] a) { a = Gather (x, i) },
                else_branch = e () => (float[3] b) { b = Gather (x, i) }> }'
takes "indices of GatherElements" 13 'g (float[2,7] x, int64[2,3] i) => (float[2,3] y) {
    y = GatherElements <axis = 0> (x, i) }'
takes "rows of indices of GatherND" 13 'g (float[2,9] x, int64[4,2] i) => (float[4] y) { y = GatherND (x, i) }'
takes "the shape of Reshape" 13 'g (float[2,6] x, int64[3] s) => (float[A,B,C] y) { y = Reshape (x, s) }'
takes "a shape whose parts are joined" 13 'g (float[2,6] x, int64[1] a, int64[1] b) => (float[A,B] y) {
    s = Concat <axis = 0> (a, b) y = Reshape (x, s) }'
takes "the shape of Expand" 13 'g (float[3,1] x, int64[3] s) => (float[A,B,C] y) { y = Expand (x, s) }'
takes "the shape of ConstantOfShape" 13 'g (int64[3] s) => (float[A,B,C] y) { y = ConstantOfShape (s) }'
takes "the lengths of Split" 13 'g (float[2,7] x, int64[3] l) => (float[2,A] a, float[2,B] b, float[2,C] c) {
    a, b, c = Split <axis = 1> (x, l) }'
takes "the length of SplitToSequence" 13 'g (float[7] x, int64 l) => (int64 y) {
    s = SplitToSequence (x, l) y = SequenceLength (s) }'
takes "repeats of Tile" 13 'g (float[2,3] x, int64[2] r) => (float[A,B] y) { y = Tile (x, r) }'
takes "bounds of Range" 13 'g (int64 a, int64 b, int64 c) => (int64[N] y) { y = Range (a, b, c) }'
takes "axes of Slice" 13 'g (float[4,5] x, int64[2] s, int64[2] e, int64[2] a, int64[2] t) => (float[A,B] y) {
    y = Slice (x, s, e, a, t) }'
takes "axes of ReduceSum" 13 'g (float[4,5] x, int64[2] a) => (float[A,B] y) { y = ReduceSum (x, a) }'
takes "the axis of one element that Squeeze takes" 13 'g (float[4,1,5] x, int64[1] a) => (float[4,5] y) {
    y = Squeeze (x, a) }'
takes "what is divided by" 13 'g (int32[40] x, int32[40] d) => (int32[40] y) { y = Div (x, d) }'
takes "trip counts and conditions" 13 'g (int64 n, bool c, float[2] x) => (float[2] y, float[N,2] z) {
    y, z = Loop (n, c, x) <body = b (int64 i, bool k, float[2] v) => (bool l, float[2] w, float[2] u) {
        l = Identity (k) w = Add (v, v) u = Identity (w) }> }'
takes "texts that are cast to numbers" 13 'g (string[3] x) => (float[3] y) { y = Cast <to = 1> (x) }'
takes "a sequence" 13 'g (seq(float[2,3]) x, int64 p) => (float[2,3] y) { y = SequenceAt (x, p) }'

takes "a dim that has the lengths of Split" 13 'g (float[N,C] x) => (float[N,A] a, float[N,B] b) <int64[2] l = {100, 23}> {
    a, b = Split <axis = 1> (x, l) }'
takes "a dim that can be cut into parts" 13 'g (float[N] x) => (float[A] a, float[B] b, float[C] c, float[D] d, float[E] e,
    float[F] f, float[G] h) { a, b, c, d, e, f, h = Split (x) }'
takes "a dim that a matrix meets" 13 'g (float[N,K] x) => (float[N,3] y) <float[2,3] w = {1, 2, 3, 4, 5, 6}> {
    y = MatMul (x, w) }'
takes "a dim that Gemm meets, through Relu" 13 'g (float[N,K] x) => (float[N,2] y) <float[2,3] w = {1, 2, 3, 4, 5, 6}> {
    r = Relu (x) y = Gemm <transB = 1> (r, w) }'
takes "two dims of two names that must be one" 13 'g (float[N] x, float[M] y) => (float[K] z) { z = Add (x, y) }'
takes "a dim of a constant shape" 13 'g (float[N] x) => (float[A,5,7] y) <int64[3] s = {-1, 5, 7}> { y = Reshape (x, s) }'

# Options of the caller have precedence.
cat >calls.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[N,5] x, int64[2] i) => (float[N,2] y) { y = Gather <axis = 1> (x, i) }
MODEL
"$opshift" assemble calls.txt -o calls.onnx
run verify calls.onnx calls.onnx --engine builtin --shape N=9
like "; 3 runs: x=9x5, i=2, seed 0; x=9x5, i=2, seed 1; x=9x5, i=2, seed 2$" "$out" "--shape binds a symbolic dim"
fails 2 "calls.onnx: input 'x': dim 0 is 'N', which has no size; give one: --dim N=4" "run does not guess a size" \
    run calls.onnx --random
run run calls.onnx --random --shape N=2 --seed 3
is 0 "$status" "run --random draws indices that fit as well"

done_testing
