#!/bin/sh
# Pairs that verify must not report as equal: other external weights, invalid models, parts that were only tested.
. "${srcdir:-.}/tests/cli/tap.sh"

# ---- external data: content counts
assemble one/net <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net (float[6] x) => (float[6] y)
< float[6] w = ["location": "w.bin", "offset": "8", "length": "24"] >
{ y = Add (x, w) }
MODEL
printf 'headhead012345678901234567890123tail' >one/w.bin
mkdir two
"$opshift" convert one/net.onnx --opset 14 -o two/net.onnx >/dev/null
answers 0 "a copy of the file" one/net.onnx two/net.onnx --report c.json
like '"location": "w.bin", *"sha256"\|"sha256": "'"$(sha256sum one/w.bin | cut -d' ' -f1)" "$(tr -d '\n' <c.json)" "with its hash"
printf 'HEADhead012345678901234567890123TAIL and more' >two/w.bin
answers 0 "another file around the same bytes" one/net.onnx two/net.onnx
printf 'headhead0123456789X1234567890123tail' >two/w.bin
answers 1 "another byte" one/net.onnx two/net.onnx --report c.json
like "^differs: external data 'w.bin': differs first at byte 18$" "$out" "it is told where"
like '"same": false' "$(cat c.json)" "the certificate does not say that they are the same"
printf 'headhead0123' >two/w.bin
answers 1 "a file cut short" one/net.onnx two/net.onnx
like "^differs: external data 'w.bin': has 12 bytes beside the second model, whose tensors lie in 32$" "$out" "it is told"
rm two/w.bin
answers 1 "no file" one/net.onnx two/net.onnx
like "^differs: external data 'w.bin': is not beside the second model$" "$out" "it is told"
answers 1 "no file on the first side" two/net.onnx one/net.onnx
like "^differs: external data 'w.bin': is not beside the first model$" "$out" "it is told"
cp one/net.onnx two/again.onnx
mkdir three && cp two/net.onnx three
answers 1 "no file on either side" two/again.onnx three/net.onnx
like "^not shown: external data 'w.bin': is not compared: it is beside neither model; put it there$" "$out" "it is told"
like "(opset 14): not shown to be the same; 0 proved" "$out" "the last line does not say that there is no difference"
is "opshift: three/net.onnx: 1 part could not be compared with two/again.onnx; the report shows why" "$err" "the message"
answers 0 "one directory, one file, there or not" two/again.onnx two/net.onnx
cp one/w.bin two
answers 1 "what the policy does not let be read" one/net.onnx two/net.onnx --external-policy none
like "^not shown: external data 'w.bin': is not compared: first model: .*'none' does not allow to be read" "$out" "is not shown"
ln -sf ../one/w.bin two/w.bin
answers 1 "a link" one/net.onnx two/net.onnx
like "^not shown: external data 'w.bin': is not compared: second model: .*a link leads out of the model's directory" "$out" "is not followed"
rm two/w.bin

# Two tensors in one file, with a gap between them.
mkdir pair
assemble pair/net <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net (float[1] x) => (float[1] z)
< float[1] v = ["location": "w.bin", "offset": "0", "length": "4"], float[1] w = ["location": "w.bin", "offset": "8", "length": "4"] >
{ y = Add (x, v) z = Add (y, w) }
MODEL
mkdir pair/other
"$opshift" convert pair/net.onnx --opset 14 -o pair/other/net.onnx >/dev/null
printf '0123gap.4567' >pair/w.bin
printf '0123....4567' >pair/other/w.bin
answers 0 "another gap between two tensors of a file" pair/net.onnx pair/other/net.onnx
printf '0123gap.4568' >pair/other/w.bin
answers 1 "another byte of the second" pair/net.onnx pair/other/net.onnx
like "^differs: external data 'w.bin': differs first at byte 11$" "$out" "it is told where"

# The same bytes under another name and at another offset.
"$opshift" show --text two/net.onnx | sed 's/w.bin/v.bin/; s/"offset": "8"/"offset": "0"/' | assemble two/moved
printf '012345678901234567890123' >two/v.bin
answers 0 "the same bytes at another location" one/net.onnx two/moved.onnx
printf '012345678901234567890124' >two/v.bin
answers 1 "other bytes there" one/net.onnx two/moved.onnx
like "^differs: initializer 'w': is another$" "$out" "it is told"

# A tensor in an attribute.
assemble one/constant <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net () => (float[6] y) { w = Constant <value = float[6] w = ["location": "c.bin"]> () y = Neg (w) }
MODEL
printf '012345678901234567890123' >one/c.bin
printf '012345678901234567890124' >two/c.bin
cp one/constant.onnx two
answers 1 "the value of a Constant" one/constant.onnx two/constant.onnx
like "^differs: external data 'c.bin': differs first at byte 23$" "$out" "is compared too"

# Data that is needed to evaluate a node is in the missing file.
assemble one/split <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net (float[6] x) => (float[2] a, float[4] b) < int64[2] l = ["location": "l.bin"] > { a, b = Split <axis = 0> (x, l) }
MODEL
printf '\002\000\000\000\000\000\000\000\004\000\000\000\000\000\000\000' >one/l.bin
mkdir split
"$opshift" convert one/split.onnx --opset 18 -o split/split.onnx >/dev/null
answers 0 "lengths in a file" one/split.onnx split/split.onnx
rm split/l.bin
answers 1 "lengths that are missing" one/split.onnx split/split.onnx
like "^differs: external data 'l.bin': is not beside the second model$" "$out" "are named"
like "^not shown: models: are not compared any further: initializer 'l': external data 'l.bin': No such file" "$out" \
    "and that the rest was not looked at"
ln -s ../one/l.bin split/l.bin
answers 1 "lengths behind a link" one/split.onnx split/split.onnx

# ---- a constant of another value whose readers give the same, and an If that an optimizer resolved
assemble plain <<'MODEL'
< ir_version: 8, opset_import: ["" : 15] >
net (float[2, 1, 3] x) => (float[6] y)
{
    c = Constant <value = bool {1}> ()
    t = If (c) <
        then_branch = yes () => (float[2, 3] q) { a = Constant <value = int64[1] {1}> () q = Squeeze (x, a) },
        else_branch = no () => (float[2, 1, 3] r) { r = Identity (x) }>
    m = Constant <value = int64[1] {-1}> ()
    y = Reshape (t, m)
}
MODEL
assemble simple <<'MODEL'
< ir_version: 8, opset_import: ["" : 15] >
net (float[2, 1, 3] x) => (float[6] y)
< int64[1] a = {1}, int64[1] m = {6} >
{
    t = Squeeze (x, a)
    y = Reshape (t, m)
}
MODEL
answers 0 "a constant of another value that is the same shape" plain.onnx simple.onnx --strict -v
like "^changed: initializer 'm': is a constant of another value$" "$out" "it is listed"
like "the same computation; 5 proved, .*; seed 0$" "$out" "all is proved"
for engine in "" "--engine builtin"; do
    answers 1 "a constant of another value $engine" plain.onnx simple.onnx --nothing-else $engine
    like "^node 2 (Constant)  not shown  'm' is a constant of another value$" "$out" "is not shown"
    like "^not shown: initializer 'm': is a constant of another value$" "$out" "the initializer neither"
    like "^whole model: tested by builtin" "$out" "the outputs agree"
    like "not shown to be the same; .* 0 differs, .* 0 other differences" "$out" "nothing differs"
done
sed 's/int64.1. m = {6}/int64[2] m = {-1, 3}/; s/float.6. y/float[2, 3] y/' simple.txt | assemble other
answers 1 "one whose readers give something else" plain.onnx other.onnx
like "they differ;" "$out" "they differ"

# ---- both models must be valid
assemble shape15 <<'MODEL'
< ir_version: 8, opset_import: ["" : 15] >
net (float[2, 3, 4] x) => (int64[N] y) { [dims] y = Shape <start = 1> (x) }
MODEL
sed 's/: 15/: 13/' shape15.txt >shape13.txt
"$opshift" assemble shape13.txt -o shape13.onnx
answers 1 "an attribute that the opset lacks" shape15.onnx shape13.onnx
like "^invalid: shape13.onnx: node 'dims' (Shape): .*'start'.* OPS007$" "$out" "the finding is named"
assemble ir3 <<'MODEL'
< ir_version: 3, opset_import: ["" : 8] >
net (float[1] x) => (float[1] y) < float[1] w = {1.0} > { y = Add (x, w) }
MODEL
answers 1 "IR 3, and an initializer that is no input" ir3.onnx ir3.onnx
like "^opshift: ir3.onnx: is not valid, and an invalid model equals no other: model: .* GRF035$" "$err" "the message"

# The first model is checked as the second: fields, types, and references to data.
assemble one/length <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net (float[6] x) => (float[6] y)
< float[6] w = ["location": "w.bin", "offset": "8", "length": "20"] >
{ y = Add (x, w) }
MODEL
sed 's/"20"/"24"/' one/length.txt | assemble one/whole
answers 1 "a length in the first model that is not that of the dims" one/length.onnx one/whole.onnx
like "^invalid: one/length.onnx: model: tensor 'w': external data: length is 20, but .* EXT009$" "$out" "it is named"
like "^opshift: one/length.onnx: is not valid, and an invalid model equals no other: model: tensor 'w': .* EXT009$" \
    "$err" "the message says which model"
answers 1 "the same in the second" one/whole.onnx one/length.onnx
like "^opshift: one/length.onnx: is not valid, and an invalid model equals no other: model: tensor 'w': .* EXT009$" \
    "$err" "in the same words"
assemble add7 <<'MODEL'
< ir_version: 8, opset_import: ["" : 7] >
net (int8[2] x) => (int8[2] y) { [sum] y = Add (x, x) }
MODEL
sed 's/: 7/: 14/' add7.txt | assemble add14
answers 0 "a type that only the second model's opset takes" add7.onnx add14.onnx
like "^kept: Add: assumed: .*: node 'sum' (Add): 'x' is int8, which Add-7 does not take; it is meant as Add-14$" "$out" "is assumed"
answers 1 "and not strictly" add7.onnx add14.onnx --strict
assemble early <<'MODEL'
< ir_version: 8, opset_import: ["" : 15] >
net (float[2,3] x, float[3] s) => (float[2,3] y) { y = LayerNormalization (x, s) }
MODEL
sed "s/: 15/: 17/" early.txt | assemble later
answers 0 "an operator that only the second model's opset has" early.onnx later.onnx
like "^kept: LayerNormalization: assumed: node 0 (LayerNormalization): LayerNormalization does not exist at opset 15; it is meant as LayerNormalization-17$" "$out" "is assumed, without a rule"
sed 's/: 7/: 13/' add7.txt | assemble add13
answers 1 "a type that neither takes" add7.onnx add13.onnx
like "^opshift: add13.onnx: is not valid, and an invalid model equals no other: node 'sum' (Add): .* OPS" "$err" "the message"

# ---- subgraphs of nodes are compared in any order
assemble branches <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net (bool c, float[2] x) => (float[2] y) {
  y = If (c) <then_branch = t () => (float[2] p) { p = Abs (x) }, else_branch = e () => (float[2] q) { q = Neg (x) }>
}
MODEL
assemble turned <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net (bool c, float[2] x) => (float[2] y) {
  y = If (c) <else_branch = e () => (float[2] q) { q = Neg (x) }, then_branch = t () => (float[2] p) { p = Abs (x) }>
}
MODEL
sed 's/Abs/Exp/' turned.txt >other.txt
"$opshift" assemble other.txt -o other.onnx
answers 0 "branches in another order" branches.onnx turned.onnx
answers 1 "branches in another order, one of them another" branches.onnx other.onnx
like "^node 0 (If): then_branch: node 0 (Abs)  *differs " "$out" "which is named"

# ---- strict
assemble mean <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net (float[N, 3] x) => (float[N, 3] y) { y = Abs (x) }
MODEL
"$opshift" convert mean.onnx --opset 18 -o mean18.onnx >/dev/null
answers 0 "kept by the rules" mean.onnx mean18.onnx --strict

# No proof depends on an unconfirmed declaration, here of the output of an unknown operator.
assemble divides <<'MODEL'
< ir_version: 8, opset_import: ["" : 18, "my" : 1] >
net (float[N] x) => (float[] a, float[] b) < float[6] h > { h = my.F (x) a, b = Split <num_outputs = 2> (h) }
MODEL
assemble lengths <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "my" : 1] >
net (float[N] x, float[6] z) => (float[] a, float[] b) < float[2, 4] h > {
  h = my.F (x) l = Shape (h) a, b = Split (z, l)
}
MODEL
assemble sequence <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "my" : 1] >
net (float[N] x) => (float[] a) < float[2, 4] h > {
  h = my.F (x) s = SplitToSequence (h) i = Constant <value_int = 1> () a = SequenceAt (s, i)
}
MODEL
while read -r name opset detail; do
    "$opshift" convert $name.onnx --opset "$opset" -o to.onnx --split-sequences >/dev/null
    answers 0 "$name, by a declaration" $name.onnx to.onnx
    like "assumed  *shape of 'h' is as declared; $detail" "$out" "is assumed"
    answers 1 "$name, strictly" $name.onnx to.onnx --strict
done <<'CASES'
divides 13 the number of parts divides the dim
lengths 11 the same list of lengths
sequence 11 the lengths are the parts of the known dim
CASES
assemble equal <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "my" : 1] >
net (float[N] x) => (float[] a, float[] b) < float[6] h > { h = my.F (x) a, b = Split (h) }
MODEL
"$opshift" convert equal.onnx --opset 18 -o to.onnx >/dev/null
answers 0 "what is proved without the declaration" equal.onnx to.onnx --strict

# ---- what is equal ---------------------------------------------------------------------------------------------------
# same WHAT OPSET: equal.onnx, converted, verifies.
same() {
    run convert equal.onnx --opset "$2" -o out.onnx --verify
    is 0 "$status" "$1 to $2"
}
printf '<ir_version: 8, opset_import: ["" : 11]>\ng (float[3, 5] x) => (float[3, 2] v, int64[3, 2] i) <int64[1] k = {2}> { v, i = TopK <largest = 0> (x, k) }\n' | assemble equal
same "TopK of the smallest, and of NaN," 9
printf '<ir_version: 8, opset_import: ["" : 13]>\ng (int32[2, 3] x, float s, int32 z) => (float[2, 3] y) { y = DequantizeLinear (x, s, z) }\n' | assemble equal
same "a zero point of int32, which must be 0," 9
printf '<ir_version: 8, opset_import: ["" : 13, "d" : 1]>\ng (float[6, 4] x, float[N, 4] z) => (float[3, 4] y, float[A, 4] w) { y, u = d.F (x) w, v = d.F (z) }\n<domain: "d", opset_import: ["" : 13]>\nF (x) => (a, b) { a, b = Split <axis = 0> (x) }\n' | assemble equal
same "a function that takes even sizes alone" 18
printf '<ir_version: 8, opset_import: ["" : 14, "d" : 1]>\ng (double[N, 3] x) => (double[N, 3] y) { y = d.F (x) }\n<domain: "d", opset_import: ["" : 14]>\nF (x) => (y) { c = Constant <value = int64 {0}> () s = CumSum (x, c) y = Transpose <perm = [0, 1]> (s) }\n' | assemble equal
same "a function with a Scan that may run no round" 10
slices='<ir_version: 8, opset_import: ["" : 10]>\ng (float[a, b] x) => (float[c, d] y) <int64[2] s = {0, 0}, int64[2] e = {%s}> { y = Slice (x, s, e) }\n'
printf "$slices" '1000, 1500' | assemble slice
printf "$slices" '1500, 1000' | assemble swapped
answers 1 "ends in another order" slice.onnx swapped.onnx


# A weight that is too large to be computed here, and a constant in its place; no kernel could run the reader either.
computed='<ir_version: 8, opset_import: ["" : 13, "my" : 1]>\ng (float[2] x) => (float[2] y) %s { %s y = my.F (x, k) }\n'
printf "$computed" '' 'k0 = my.G () k = Identity (k0)' | assemble computed
printf "$computed" '<float[2] c = {1, 2}>' '' | sed 's/, k)/, c)/' | assemble constant
answers 1 "a constant in place of what is computed" computed.onnx constant.onnx
like "^node 2 (F)  *not shown  " "$out" "is not shown to be the same, and not to differ"

done_testing
