#!/bin/sh
# Any two models: by value what is the same, by regions what is not.
. "${srcdir:-.}/tests/cli/tap.sh"

# pair WHAT STATUS: two models, BODY of the first and of the second, over the declarations in $head.
head='<ir_version: 8, opset_import: ["" : 13]> g (float[N, 6] x) => (float[N, M] y)'
pair() {
    printf '%s %s\n' "$head" "$3" | assemble a
    printf '%s %s\n' "${other:-$head}" "$4" | assemble b
    run verify a.onnx b.onnx
    is "$2" "$status" "$1: exit status $2"
}
# differs WHAT BODY BODY PATTERN: the region that differs is a line.
differs() {
    pair "$1" 1 "$2" "$3"
    like "$4" "$out" "$1: the region"
}
proved() {
    pair "$1" 0 "$2" "$3"
    run verify a.onnx b.onnx --strict
    is 0 "$status" "$1: proved"
}

# ---- one value ----
proved "names and order" '{ a = Relu (x) b = Neg (x) y = Add (a, b) }' '{ q = Neg (x) p = Relu (x) y = Add (p, q) }'
proved "the order of what is added" '{ a = Relu (x) b = Neg (x) y = Mul (a, b) }' '{ a = Relu (x) b = Neg (x) y = Mul (b, a) }'
proved "Identity, Dropout and a Cast to the same type" '{ a = Identity (x) b, m = Dropout (a) c = Cast <to = 1> (a) y = Relu (c) }' '{ y = Relu (x) }'
proved "constants that are computed" '<int64[1] one = {1}, int64[1] two = {2}> { s = Add (one, two) y = Slice (x, s, s, one) }' '<int64[1] k = {3}, int64[1] o = {1}> { y = Slice (x, k, k, o) }'
proved "an initializer and a Constant" '<float[1] k = {2}> { y = Mul (x, k) }' '{ c = Constant <value_floats = [2.0]> () y = Mul (x, c) }'
proved "defaults written out" '{ y = Gemm (x, x) }' '{ y = Gemm <alpha = 1.0, beta = 1.0, transA = 0> (x, x) }'
proved "what two nodes compute, once" '{ a = Relu (x) b = Relu (x) y = Add (a, b) }' '{ a = Relu (x) y = Add (a, a) }'
proved "parts by Slice and by Split" '<int64[1] o = {0}, int64[1] t = {2}, int64[1] s = {6}, int64[1] a = {1}> { p = Slice (x, o, t, a) q = Slice (x, t, s, a) y = Concat <axis = 1> (q, p) }' '<int64[2] l = {2, 4}> { p, q = Split <axis = 1> (x, l) y = Concat <axis = -1> (q, p) }'
proved "a tensor of a sequence and a part" '<int64[2] l = {2, 4}, int64 k = {-1}> { s = SplitToSequence <axis = 1> (x, l) y = SequenceAt (s, k) }' '<int64[2] l = {2, 4}> { p, y = Split <axis = 1> (x, l) }'
proved "a Concat of all parts" '<int64[3] l = {1, 2, 3}> { p, q, r = Split <axis = 1> (x, l) y = Concat <axis = 1> (p, q, r) }' '{ y = Identity (x) }'
proved "Reshapes in a row" '<int64[3] s = {-1, 2, 3}, int64[2] t = {-1, 3}> { a = Reshape (x, s) y = Reshape (a, t) }' '<int64[2] t = {-1, 3}> { y = Reshape (x, t) }'
proved "a Transpose and its inverse" '{ a = Transpose <perm = [1, 0]> (x) b = Transpose (a) y = Relu (b) }' '{ y = Relu (x) }'
proved "an If with a constant condition" '{ c = Constant <value = bool {1}> () y = If (c) <then_branch = t () => (p) { p = Relu (x) }, else_branch = e () => (q) { q = Neg (x) }> }' '{ y = Relu (x) }'
proved "bodies" '<int64 n = {2}> { c = Constant <value = bool {1}> () y = Loop (n, c, x) <body = b (int64 i, bool k, float[N, 6] v) => (bool k2, float[N, 6] w) { k2 = Identity (k) w = Relu (v) }> }' '<int64 n = {2}> { d = Constant <value = bool {1}> () y = Loop (n, d, x) <body = other (int64 j, bool go, float[N, 6] u) => (bool go, float[N, 6] z) { z = Relu (u) }> }'

# ---- functions are opened ----
printf '<ir_version: 8, opset_import: ["" : 13, "d" : 1]> g (float[N, 6] x) => (float[N, M] y) { y = d.F <k = 1> (x) }\n<domain: "d", opset_import: ["" : 13]> F <k> (v) => (w) { a = Softmax <axis: int = @k> (v) w = Relu (a) }\n' | assemble a
printf '%s { a = Softmax <axis = 1> (x) y = Relu (a) }\n' "$head" | assemble b
answers 0 "a function and what it does" a.onnx b.onnx --strict
printf '%s { a = Softmax <axis = 0> (x) y = Relu (a) }\n' "$head" | assemble b
answers 1 "another attribute" a.onnx b.onnx

# ---- rounding ----
head='<ir_version: 8, opset_import: ["" : 13]> g (float[N, 1, 4] x) => (float[N, 1, 4] y)'
conv='<float[1, 1, 1] w = {3}, float[1] s = {0.5}, float[1] b = {1}, float[1] m = {0.2}, float[1] v = {4}> { c = Conv (x, w) y = BatchNormalization <epsilon = 0.0> (c, s, b, m, v) }'
pair "a BatchNormalization in the weights" 0 "$conv" '<float[1, 1, 1] w = {0.75}, float[1] b = {0.95}> { y = Conv (x, w, b) }'
like "^node 1 (BatchNormalization)  rounding  Conv, BatchNormalization -> Conv: the same in real numbers; within" "$out" "the region"
answers 1 "--strict" a.onnx b.onnx --strict
differs "another bias" "$conv" '<float[1, 1, 1] w = {0.75}, float[1] b = {0.9501}> { y = Conv (x, w, b) }' "^node 1 (BatchNormalization)  differs  Conv, BatchNormalization -> Conv"
differs "another weight" "$conv" '<float[1, 1, 1] w = {0.7501}, float[1] b = {0.95}> { y = Conv (x, w, b) }' "^node 1 (BatchNormalization)  differs  Conv, BatchNormalization -> Conv"
differs "a weight that floats do not show" '<float[4] k = {1e-9, 1e-9, 1e-9, 1e-9}> { y = Add (x, k) }' '<float[4] k = {1e-9, 1e-9, 2e-9, 1e-9}> { p = Identity (x) y = Add (p, k) }' "^node 0 (Add)  differs  Add -> Add"

# ---- what few inputs show ----
head='<ir_version: 8, opset_import: ["" : 13]> g (float[N] x) => (float[M] y)'
differs "a number that is compared with" '{ y = Relu (x) }' '<float k = {12345.75}, float z = {1}> { r = Relu (x) e = Equal (x, k) y = Where (e, z, r) }' "differs"
pair "a number that what is computed is compared with" 1 '{ y = Relu (x) }' '<float k = {70000}, float h = {3.3}, float z = {7}> { d = Div (x, h) e = Equal (d, k) t = Where (e, z, x) y = Relu (t) }'
like "it compares what it computes with a number that only one side has" "$out" "that number need not be met"
other='<ir_version: 8, opset_import: ["" : 13]> g (float[N, M] x) => (float[] y)'
head='<ir_version: 8, opset_import: ["" : 11]> g (float[N, M] x) => (float[] y)'
differs "two dims that are 1" '{ y = Squeeze <axes = [0]> (x) }' '{ y = Squeeze (x) }' "^node 0 (Squeeze)  differs"
other='<ir_version: 8, opset_import: ["" : 11]> g (float[N] x) => (float[2] y, int64[2] i)'
head='<ir_version: 8, opset_import: ["" : 9]> g (float[N] x) => (float[2] y, int64[2] i)'
pair "an order that is not defined" 1 '{ y, i = TopK <k = 2> (x) }' '<int64[1] k = {2}> { y, i = TopK <sorted = 0> (x, k) }'
like "not shown" "$out" "runs need not show it"
unset other
head='<ir_version: 8, opset_import: ["" : 13]> g (float[N] x) => (float[M] y)'
differs "a bound that most numbers do not meet" '<float a = {0}, float b = {1e6}> { y = Clip (x, a, b) }' '{ y = Relu (x) }' "^node 0 (Clip)  differs"
differs "NaN" '{ y = Identity (x) }' '<float z = {0}> { n = IsNaN (x) y = Where (n, z, x) }' "differs"
differs "an infinity" '{ y = Identity (x) }' '<float z = {0}> { n = IsInf (x) y = Where (n, z, x) }' "differs"
differs "a number in an attribute" '{ y = ThresholdedRelu <alpha = 500.0> (x) }' '{ y = ThresholdedRelu <alpha = 500.01> (x) }' "differs"
differs "a tie" '{ i = ArgMax <axis = 0> (x) y = Cast <to = 1> (i) }' '{ i = ArgMax <axis = 0, select_last_index = 1> (x) y = Cast <to = 1> (i) }' "differs"
differs "a slope of negative numbers alone" '{ y = LeakyRelu <alpha = 0.01> (x) }' '{ y = LeakyRelu <alpha = 0.0100001> (x) }' "differs"
differs "a place in a dim that few sizes show" '<int64[1] o = {0}, int64[1] e = {1000}> { y = Slice (x, o, e) }' '<int64[1] o = {0}, int64[1] e = {1001}> { p = Identity (x) y = Slice (p, o, e) }' "differs"
differs "a shape that takes one size alone" '<int64[2] s = {4, -1}> { p = Reshape (x, s) q = Neg (p) f = Flatten <axis = 0> (q) y = Relu (f) }' '<int64[2] s = {4, 1}> { p = Reshape (x, s) q = Neg (p) f = Flatten <axis = 0> (q) y = Relu (f) }' "differs"
head='<ir_version: 8, opset_import: ["" : 13]> g (int64[2] x) => (float[2, 2] y)'
table() { printf '<float[100, 2] t = {%s}> { %s y = Gather (t, %s) }' "$(seq -s, 1 "$1"),$2,$(seq -s, $(($1 + 2)) 200)" "$3" "$4"; }
pair "a row of a table that no index meets" 1 "$(table 150 151 '' x)" "$(table 150 1 'p = Identity (x)' p)"

# ---- operators of ONNX Runtime ----
other='<ir_version: 8, opset_import: ["" : 13, "com.microsoft" : 1]> g (float[N, 1, 4] x) => (float[N, 1, 4] y)'
head='<ir_version: 8, opset_import: ["" : 13]> g (float[N, 1, 4] x) => (float[N, 1, 4] y)'
weight='<float[1, 1, 1] w = {3}>'
pair "FusedConv" 0 "$weight { c = Conv (x, w) y = Relu (c) }" "$weight"' { y = com.microsoft.FusedConv <activation = "Relu"> (x, w) }'
differs "another activation" "$weight { c = Conv (x, w) y = Relu (c) }" "$weight"' { y = com.microsoft.FusedConv <activation = "Tanh"> (x, w) }' "^node 1 (Relu)  differs  .* -> FusedConv"
pair "QuickGelu" 0 '{ s = Sigmoid (x) y = Mul (x, s) }' '{ y = com.microsoft.QuickGelu <alpha = 1.0> (x) }'
pair "FusedMatMul" 0 '<float k = {0.5}> { t = Transpose <perm = [0, 2, 1]> (x) m = MatMul (x, t) a = MatMul (m, x) y = Mul (a, k) }' '{ m = com.microsoft.FusedMatMul <transB = 1, alpha = 0.5> (x, x) y = MatMul (m, x) }'
pair "one that is not known" 1 '{ y = Relu (x) }' '{ y = com.microsoft.Secret (x) }'
like "not shown  Relu -> Secret: .* no built-in kernel" "$out" "is not shown"
other=

# ---- bit for bit, which became which, and what differs as two models ----
head='<ir_version: 8, opset_import: ["" : 13]> g (float[N, 1, 4] x) => (float[N, 1, 4] y)'
conv='<float[1, 1, 1] w = {3}, float[1] s = {0.5}, float[1] b = {1}, float[1] m = {0.2}, float[1] v = {4}> { i = Identity (x) [first] c = Conv (i, w) y = BatchNormalization <epsilon = 0.0> (c, s, b, m, v) }'
pair "folded" 0 "$conv" '<float[1, 1, 1] w = {0.75}, float[1] b = {0.95}> { [both] y = Conv (x, w, b) }'
run verify a.onnx b.onnx --exact --map --reduce cut --report c.json
is 1 "$status" "--exact: rounding differs"
like "^node 2 (BatchNormalization)  differs  Conv, BatchNormalization -> Conv: not bit for bit the same: the same in real numbers; within" "$out" "--exact: by how much"
like "^map: node 'first' (Conv), node 2 (BatchNormalization) -> node 'both' (Conv)$" "$out" "--map: the nodes of a region"
like "^map: node 0 (Identity) -> nothing$" "$out" "--map: a node that is left out"
like "^reduced: cut/before.onnx, after.onnx, inputs.npz: node 2 (BatchNormalization)$" "$out" "--reduce: what is written"
run verify a.onnx b.onnx --replay c.json
is "0 the certificate holds: 1 verdicts; the models are not shown to be the same" "$status $out" "the certificate has --exact"
run run cut/before.onnx --input cut/inputs.npz -o one.npz
is 0 "$status" "the first model takes the inputs"
run run cut/after.onnx --input cut/inputs.npz -o two.npz
cmp -s one.npz two.npz
is "0 1" "$status $?" "the second too, and gives another result"
answers 1 "both models differ" cut/before.onnx cut/after.onnx --exact
pair "a difference between others" 1 "$conv" '<float[1, 1, 1] w = {0.75}, float[1] b = {0.96}> { [both] y = Conv (x, w, b) }'
answers 1 "both models differ" cut/before.onnx cut/after.onnx --exact
# between values that are the same, of a function, under its own names
printf '<ir_version: 8, opset_import: ["" : 13, "d" : 1]> g (float[N, 6] x) => (float[N, 6] z) { [before] r = Relu (x) [call] y = d.F <k = 1> (r) [after] z = Neg (y) }\n<domain: "d", opset_import: ["" : 13]> F <k> (v) => (w) { a = Softmax <axis: int = @k> (v) w = Exp (a) }\n' | assemble a
printf '<ir_version: 8, opset_import: ["" : 13]> g (float[N, 6] x) => (float[N, 6] z) { r = Relu (x) a = Softmax <axis = 1> (r) w = Sin (a) z = Neg (w) }\n' | assemble b
rm -r cut
run verify a.onnx b.onnx --reduce cut
run show cut/before.onnx
like '^operators *1 Exp$' "$out" "the region alone"
run verify a.onnx a.onnx --reduce none
is "0 no" "$status $(test -e none && echo yes || echo no)" "nothing is written of equal models"
run verify a.onnx b.onnx --reduce b.onnx
is 4 "$status" "a file is no directory"
printf '<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] z) { z = Neg (x) }\n' | assemble b
run verify a.onnx b.onnx --reduce cut
like "^reduced: nothing is written: an input is declared with another type or shape$" "$out" "why nothing is written"
run verify a.onnx a.onnx --map --nothing-else
like "^map: node 'before' (Relu) -> node 'before' (Relu)$" "$out" "--map of equal models"

# ---- both questions ----
printf '%s { a = Relu (x) y = Neg (a) }\n' "$head" | assemble a
printf '%s { b = Relu (x) y = Neg (b) }\n' "$head" | sed 's/ g (/ renamed (/' | assemble b
answers 0 "another name" a.onnx b.onnx -v --report c.json
like "^changed: graph: the field name is another$" "$out" "-v lists it"
like "the same computation; .* 1 other change; seed 0$" "$out" "it is counted"
answers 1 "--nothing-else" a.onnx b.onnx --nothing-else
run verify a.onnx b.onnx --replay c.json
is "0 the certificate holds: 0 verdicts" "$status $out" "the certificate holds"

# ---- inputs and outputs ----
printf '<ir_version: 8, opset_import: ["" : 13]> g (float[2] x, float[2] z) => (float[2] y) { y = Sub (x, z) }\n' | assemble a
printf '<ir_version: 8, opset_import: ["" : 13]> g (float[2] z, float[2] x) => (float[2] y) { y = Sub (x, z) }\n' | assemble b
answers 0 "inputs of the same names in another order" a.onnx b.onnx
printf '<ir_version: 8, opset_import: ["" : 13]> g (float[2] z, float[2] x) => (float[2] y) { y = Sub (z, x) }\n' | assemble b
answers 1 "inputs that are swapped" a.onnx b.onnx
printf '<ir_version: 8, opset_import: ["" : 13]> g (float[2] x, float[2] z) => (float[2] y, float[2] w) { y = Sub (x, z) w = Add (x, z) }\n' | assemble b
answers 1 "an output more" a.onnx b.onnx

done_testing
