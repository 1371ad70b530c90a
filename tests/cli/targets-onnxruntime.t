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
# loads WHAT OPSET IR GRAPH: the profile has nothing against it, and ONNX Runtime gives outputs, which may be rounded otherwise.
loads() {
    what=$1
    shift
    model "$@"
    run lint m.onnx --target onnxruntime-cpu --select TGT
    is 0 "$status" "$what: no finding"
    outcome=$(outcome m.onnx)
    ok "$([ "$outcome" != fails ]; echo $?)" "$what: it runs"
}
# A kernel is there for some types of the other variables.
loads "BatchNormalization of double" 14 8 'g (double[1,2,5,5] x, double[2] s) => (double[1,2,5,5] y) { y = BatchNormalization (x, s, s, s, s) }'
loads "EyeLike to float16" 13 8 'g (float16[2,3] x) => (float16[2,3] y) { y = EyeLike <dtype = 10> (x) }'
loads "GridSample of double" 20 9 'g (double[1,1,4,4] x, double[1,2,2,2] g) => (double[1,1,2,2] y) { y = GridSample (x, g) }'
loads "OneHot of strings" 11 8 'g (int64[3] i) => (string[3,4] y) <int64 d = {4}, string[2] v = {"a", "b"}> { y = OneHot (i, d, v) }'
loads "QLinearConv of int8" 13 8 'g (int8[1,1,5,5] x) => (int8[1,1,3,3] y)
<int8[1,1,3,3] w = {1,2,3,4,5,6,7,8,9}, float s = {0.1}, int8 z = {0}> { y = QLinearConv (x, s, z, w, s, z, s, z) }'
for opset in 13 21; do
    loads "QLinearMatMul-$opset of int8" $opset 10 'g (int8[2,3] x) => (int8[2,2] y)
<int8[3,2] w = {1,2,3,4,5,6}, float s = {0.1}, int8 z = {0}> { y = QLinearMatMul (x, s, z, w, s, z, s, z) }'
done
for opset in 13 18 19; do
    for mode in nearest linear cubic; do
        loads "Resize-$opset, $mode" $opset 9 'g (float[1,1,4,4] x) => (float[1,1,8,8] y)
<float[4] s = {1.0, 1.0, 2.0, 2.0}> { y = Resize <mode = "'$mode'"> (x, "", s) }'
    done
done
lacks fails "Resize of double" 13 8 'g (double[1,1,4,4] x) => (double[1,1,8,8] y)
<float[4] s = {1.0, 1.0, 2.0, 2.0}> { y = Resize (x, "", s) }'
loads "MaxRoiPool" 13 8 'g (float[1,3,8,8] x, float[2,5] r) => (float[2,3,2,2] y) { y = MaxRoiPool <pooled_shape = [2, 2]> (x, r) }'
lacks fails "MaxRoiPool-22" 22 10 'g (float[1,3,8,8] x, float[2,5] r) => (float[2,3,2,2] y) { y = MaxRoiPool <pooled_shape = [2, 2]> (x, r) }'

# recurrent OPERATOR ROWS: with hidden_size 3, ROWS is 3 times the number of gates. The way out of layout = 1 holds.
recurrent() {
    graph='g (float[5,1,4] x, float[1,'$2',4] w, float[1,'$2',3] r) => (float[] y) { y = '$1' <hidden_size = 3> (x, w, r) }'
    for opset in 7 14 22; do
        loads "$1-$opset" $opset 8 "$graph"
    done
    lacks fails "$(echo "$1" | tr A-Z a-z)-layout" 14 8 \
        'g (float[2,3,4] x, float[1,'$2',4] w, float[1,'$2',3] r) => (float[] y) { y = '$1' <hidden_size = 3, layout = 1> (x, w, r) }'
    run convert m.onnx --opset 13 -o lower.onnx
    is "0 0" "$status $("$opshift" run lower.onnx --random --engine onnxruntime >/dev/null 2>&1; echo $?)" "$1: opset 13 runs"
}
recurrent GRU 9
recurrent LSTM 12
recurrent RNN 3

# ai_onnx_ml WHAT GRAPH
ai_onnx_ml() {
    printf '<ir_version: 8, opset_import: ["" : 15, "ai.onnx.ml" : 2]>\n%s\n' "$2" >m.txt
    "$opshift" assemble m.txt -o m.onnx
    run lint m.onnx --target onnxruntime-cpu --select TGT
    is "0 0" "$status $("$opshift" run m.onnx --random --engine onnxruntime >/dev/null 2>&1; echo $?)" "$1: no finding, and it runs"
}
ai_onnx_ml Imputer 'g (float[2,1] x) => (float[2,1] y) { y = ai.onnx.ml.Imputer <imputed_value_floats = [1.0], replaced_value_float = 0.5> (x) }'
ai_onnx_ml LinearRegressor 'g (float[2,1] x) => (float[2,1] y) { y = ai.onnx.ml.LinearRegressor <coefficients = [2.0]> (x) }'

lacks fails repeated-name 13 8 'g (float[6] x) => (float[6] y) { [n] t = Abs (x) [n] y = Neg (t) }'
run lint m.onnx --fix
is runs "$(outcome m.onnx)" "fixed, it runs"
takes "the name of a Constant" 13 8 'g (float[2] x) => (float[2] y)
{ [n] k = Constant <value = float[2] {1, 2}> () [n] t = Add (x, k) [m] y = Neg (t) }'
takes "the names of another graph" 13 8 'g (bool c, float[6] x) => (float[6] y)
{ [n] y = If (c) <then_branch = t () => (float[6] p) { [n] p = Neg (x) }, else_branch = e () => (float[6] q) { [n] q = Abs (x) }> }'
lacks fails outer-output 13 8 'g (bool c, float[6] x) => (float[6] y)
{ y = If (c) <then_branch = t () => (float[6] x) { }, else_branch = e () => (float[6] q) { q = Abs (x) }> }'
run lint m.onnx --fix
is runs "$(outcome m.onnx)" "fixed, it runs"

lacks fails "a type" 13 8 'g (double[6] x) => (double[6] y) { y = Erf (x) }'
done_testing
