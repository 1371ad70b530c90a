#!/bin/sh
# The profile sonnx: what it demands, what lint --fix and convert --target write for it; and the fixes for other targets:
# the branch of an If with a constant condition, Casts around nodes, Identity for Dropout.
. "${srcdir:-.}/tests/cli/tap.sh"

# model NAME OPSET: assembles standard input, below its header.
model() {
    { printf '<ir_version: 8, opset_import: ["" : %s]>\n' "$2"; cat; } >"$1.txt"
    run assemble "$1.txt" -o "$1.onnx"
    is "0 " "$status $err" "$1 is made"
}
# faults NAME WANTED: what lint says of it, from the name of the demand on.
faults() {
    run lint --target sonnx "$1.onnx"
    is "$2" "$(printf '%s\n' "$out" | sed -n 's/.*error: sonnx[,]* \(.*\) (\(SONNX\|ours\).*/\1/p')" "$1: its faults"
}
# becomes NAME TARGET WANTED: the nodes of what convert --target writes.
becomes() {
    run convert "$1.onnx" --target "$2" --target-rules . -o out.onnx
    is "0 " "$status $err" "$1 for $2"
    run show --text out.onnx
    is "$3" "$(printf '%s\n' "$out" | tr -s ' \n' '  ' | sed 's/.*{ \(.*\) } *$/\1/')" "$1 for $2: its nodes"
    run lint --target "$2" --target-rules . out.onnx
    like "^0 1 file checked: 0 errors, 0 warnings, " "$status $(printf '%s' "$out" | tail -n 1)" "$1 for $2: lint finds no fault"
}

model form 13 <<'EOF'
g (float[1,3,8,8] x, float[4,3,3,3] w) => (float[1,4,4,4] y, float[1,8,4,4] z)
{ a = Conv <auto_pad = "SAME_LOWER", strides = [2,2]> (x, w) y = Relu (a) dead = Neg (a) z = Concat <axis = -3> (a, y) }
EOF
faults form "undeclared: types and shapes must be indicated explicitly, without inference: a
defaults: default values are forbidden: dilations, group, kernel_shape
auto-pad: auto_pad must be NOTSET
undeclared: types and shapes must be indicated explicitly, without inference: dead
dead-node: an output of an operation must be used, or be an output of the graph
negative-axes: an axis must not be negative"
becomes form sonnx 'a = Conv <auto_pad = "NOTSET", pads = [1, 1, 0, 0], strides = [2, 2], dilations = [1, 1], group = 1, kernel_shape = [3, 3]> (x, w) y = Relu (a) z = Concat <axis = 1> (a, y)'
run verify form.onnx out.onnx
is 0 "$status" "it computes the same"
run convert form.onnx --target sonnx -o out.onnx
like "^for the target: node 0 (Conv) and 1 more: sonnx, undeclared: types and shapes must be indicated explicitly, without inference .TGT004.\$" "$out" "a line for each demand"
like "^for the target: node 0 (Conv): sonnx, defaults: default values are forbidden .TGT004.\$" "$out" "with a node"
run lint --fix --target sonnx form.onnx -o fixed.onnx
is "0 1 file checked: 0 errors, 0 warnings, 0 notes; 7 fixed" "$status $out" "lint --fix does it, too"

model split 18 <<'EOF'
g (float[6,4] x) => (float[3,4] a, float[3,4] b) { a, b = Split <num_outputs = 2> (x) }
EOF
faults split "defaults: default values are forbidden: axis
num_outputs: the lengths of a Split must be a constant input"
becomes split sonnx 'a, b = Split <axis = 0> (x, a_split)'
model axes 13 <<'EOF'
g (float[6,4] x) => (float[6] y) <int64[1] m = {-1}> { y = ReduceSum <keepdims = 0, noop_with_empty_axes = 0> (x, m) }
EOF
becomes axes sonnx 'y = ReduceSum <keepdims = 0, noop_with_empty_axes = 0> (x, y_axes)'
model power 13 <<'EOF'
g (float[2] x, int64[2] n) => (float[2] y) { y = Pow (x, n) }
EOF
faults power "conversion: there is no implicit conversion of types"
model random 13 <<'EOF'
g (float[2] x) => (float[2] y) { y = RandomNormalLike <dtype = 1, mean = 0.0, scale = 1.0> (x) }
EOF
faults random "has no RandomNormalLike: it is not deterministic"
model grouped 13 <<'EOF'
g (float[1,4,8,8] x, float[4,2,3,3] w) => (float[1,4,6,6] y)
{ y = Conv <auto_pad = "NOTSET", dilations = [1,1], group = 2, kernel_shape = [3,3], pads = [0,0,0,0], strides = [1,1]> (x, w) }
EOF
faults grouped "conv-group: group must be 1, or the number of channels"

model dropped 13 <<'EOF'
g (float[2] x) => (float[2] y, float[2] z) <float r = {0.5}, float none = {0.0}, bool on = {1}>
{ a, m = Dropout <seed = 3> (x, r) b = Dropout (a, none, on) y = Relu (b) z = Neg (a) }
EOF
becomes dropped sonnx 'a = Identity (x) b = Identity (a) y = Relu (b) z = Neg (a)'
run verify dropped.onnx out.onnx
is 0 "$status" "Dropout that drops nothing is Identity"
model masked 13 <<'EOF'
g (float[2] x) => (float[2] y, bool[2] m) <float r = {0.5}> { y, m = Dropout (x, r) }
EOF
run convert masked.onnx --target sonnx --opset 13 -o out.onnx
is 1 "$status" "a mask that is read stays"
becomes masked sonnx 'y = Identity (x) m = ConstantOfShape <value = bool[1] {1}> (y_dims)'

cat >narrow.yaml <<'EOF'
target: narrow
description: a test
source: a test
date: 2026-11-27
without_kernel: [If 1-, Loop 1-, Max 13- T int16, Sqrt 1-, Add 1- T int16]
EOF
model choice 16 <<'EOF'
g (float[2] x) => (float[2] y) <bool yes = {1}>
{
  c = Not (yes)
  y = If (c) <then_branch = t () => (float[2] p) { p = Exp (x) }, else_branch = e () => (float[2] a) <float[2] k = {1.0, 2.0}> { b = Add (x, k) a = Neg (b) }>
}
EOF
becomes choice narrow 'c = Not (yes) b = Add (x, k) y = Neg (b)'
run convert choice.onnx --target narrow --target-rules . -o out.onnx
like "^for the target: node 1 (If): narrow has no kernel for If-16 .TGT002.\$" "$out" "is said in a line"
model folded 13 <<'EOF'
g (float[2] x) => (float[2] y) <float[2] k = {4.0, 9.0}> { r = Sqrt (k) y = Mul (x, r) }
EOF
becomes folded narrow 'y = Mul (x, r)'
run verify folded.onnx out.onnx
is 0 "$status" "a node of constants becomes an initializer"
model typed 13 <<'EOF'
g (int16[2] x, int16[2] z) => (int16[2] y) { y = Max (x, z) }
EOF
becomes typed narrow 'y_wide = Cast <to = 6> (x) y_wide_1 = Cast <to = 6> (z) y_narrow = Max (y_wide, y_wide_1) y = Cast <to = 5> (y_narrow)'
run verify typed.onnx out.onnx
is 0 "$status" "the same through int32"
model computed 14 <<'EOF'
g (int16[2] x, int16[2] z) => (int16[2] y) { y = Add (x, z) }
EOF
run convert computed.onnx --target narrow --target-rules . --opset 14 -o out.onnx
is 1 "$status" "what a wider type could compute differently stays"
like "narrow has no kernel for Add-14 with int16, which 'x' is" "$err" "and is named"
done_testing
