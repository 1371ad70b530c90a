#!/bin/sh
# What the profile onnxruntime-cpu states about its newest version, measured: what it takes gives the outputs of the built-in kernels,
# what it refuses fails or gives others. Skipped where ONNX Runtime is not.
. "${srcdir:-.}/tests/cli/tap.sh"
. "$tests/cli/ort.sh"

# outcome MODEL: "runs" with the same outputs as the built-in kernels, "differs", or "fails"; a crash is a failure.
outcome() {
    rm -rf here there
    "$opshift" run "$1" --random --seed 7 $dims -o here >/dev/null 2>&1 || rm -rf here
    if ! "$opshift" run "$1" --random --seed 7 $dims --engine onnxruntime -o there >/dev/null 2>&1; then
        echo fails
    elif diff -r here there >/dev/null 2>&1; then
        echo runs
    else
        echo differs
    fi
}

dims=

# model OPSET IR GRAPH
model() {
    printf '<ir_version: %s, opset_import: ["" : %s]>\n%s\n' "$2" "$1" "$3" >m.txt
    "$opshift" assemble m.txt -o m.onnx
}

# takes FEATURE OPSET IR GRAPH: the profile has nothing against it, and it runs.
takes() {
    what=$1
    shift
    model "$@"
    run lint m.onnx --target onnxruntime-cpu --select TGT
    is 0 "$status" "$what: no finding"
    is runs "$(outcome m.onnx)" "$what: it runs"
}

# lacks OUTCOME KEY OPSET IR GRAPH: the profile reports the key, and this is what happens.
lacks() {
    wanted=$1 what=$2
    shift 2
    model "$@"
    run lint m.onnx --target onnxruntime-cpu --select TGT
    like "onnxruntime-cpu 1.30, $what: \|TGT00[123]" "$out" "$what: a finding"
    is "$wanted" "$(outcome m.onnx)" "$what: it $wanted"
}

listed='g (float[6,6] x) => (float[6,2] a, float[6,4] b) <int64[2] n = {2, 4}> { a, b = Split <axis = 1> (x, n) }'
takes equal 13 7 'g (float[6] x) => (float[3] a, float[3] b) { a, b = Split (x) }'
takes num_outputs 18 8 'g (float[6] x) => (float[3] a, float[3] b) { a, b = Split <num_outputs = 2> (x) }'
takes attribute 11 6 'g (float[6] x) => (float[2] a, float[4] b) { a, b = Split <split = [2, 4]> (x) }'
takes "lengths and uneven" 13 7 "$listed"
takes computed 18 8 'g (float[6] x) => (float[] a, float[] b)
<int64[2] parts = {2, 4}, int64[2] zeros = {0, 0}>
{ s = Shape (x) one = Sub (s, s) n0 = Add (parts, zeros) n = Add (n0, one) a, b = Split (x, n) }'
takes uneven-num_outputs 18 8 'g (float[7] x) => (float[4] a, float[3] b) { a, b = Split <num_outputs = 2> (x) }'
takes empty-part 13 7 'g (float[6] x) => (float[0] a, float[6] b) <int64[2] n = {0, 6}> { a, b = Split (x, n) }'
takes single-output 13 7 'g (float[6] x) => (float[6] a) { a = Split (x) }'
takes negative-axis 13 7 'g (float[2,6] x) => (float[2,3] a, float[2,3] b) { a, b = Split <axis = -1> (x) }'
dims="--shape N=2"
takes "unknown-dim and dynamic-shape" 13 7 'g (float[N,6] x) => (float[N,3] a, float[N,3] b) { a, b = Split <axis = 1> (x) }'
dims=
takes sequences 13 7 'g (float[6] x) => (float[] a)
<int64[2] n = {2, 4}, int64 i = {1}>
{ s = SplitToSequence (x, n) a = SequenceAt (s, i) }'
takes subgraphs 13 7 'g (float[6] x, bool c) => (float[6] y)
{ y = If (c) <then_branch = t () => (float[6] p) { p = Neg (x) }, else_branch = e () => (float[6] q) { q = Abs (x) }> }'
takes "the newest opset and IR version" 26 13 'g (float[6] x) => (float[6] y) { y = Abs (x) }'

lacks fails split-omitted-output 13 8 'g (float[6] x) => (float[2] a, float[2] b) { a, "", b = Split (x) }'
lacks differs split-surplus 18 8 'g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 3> (x) }'
lacks fails split-zero-chunk 18 8 'g (float[4] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <num_outputs = 3> (x) }'
lacks fails split-empty-input 18 8 'g (float[6] x) => (float[3] a, float[3] b) { a, b = Split <num_outputs = 2> (x, "") }'
lacks fails sequence-keepdims 13 8 'g (float[6] x) => (float[] y)
<int64 n = {3}, int64 i = {0}>
{ s = SplitToSequence <keepdims = 0> (x, n) y = SequenceAt (s, i) }'
# ONNX Runtime knows opset 27, and takes it on request only.
model 13 7 'g (float[6] x) => (float[6] y) { y = Abs (x) }'
run convert m.onnx --opset 27 --ir-version match -o m27.onnx
(export ALLOW_RELEASED_ONNX_OPSET_ONLY=0 && "$opshift" run m27.onnx --random --engine onnxruntime >/dev/null 2>&1)
ok $? "a model of opset 27 with the IR version of its release is loaded"
lacks fails "a newer opset" 27 13 'g (float[6] x) => (float[6] y) { y = Abs (x) }'
lacks fails "a newer IR version" 26 14 'g (float[6] x) => (float[6] y) { y = Abs (x) }'
lacks fails "Split-1" 1 3 'g (float[6] x) => (float[3] a, float[3] b) { a, b = Split <axis = 0> (x) }'
lacks fails "a type" 13 8 'g (double[6] x) => (double[6] y) { y = Erf (x) }'
done_testing
