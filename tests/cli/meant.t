#!/bin/sh
# Nodes that the opset of their model does not have, and operators that ONNX Runtime has of its own.
. "${srcdir:-.}/tests/cli/tap.sh"

# model NAME OPSET INPUTS OUTPUTS REST: writes NAME.onnx.
model() {
    printf '<ir_version: 8, opset_import: ["" : %s]>\ng (%s) => (%s) %s\n' "$2" "$3" "$4" "$5" | assemble "$1"
}

# converts NAME OPSET ASSUMED VERDICT: convert --verify names what is assumed, and verifies.
converts() {
    run convert "$1.onnx" --opset "$2" -o out.onnx --verify
    is 0 "$status" "$1 to $2: exit status 0"
    is "assumed: $3" "$(printf '%s\n' "$out$err" | grep '^assumed: ')" "and what is assumed"
    like "^$1.onnx (opset .*) and out.onnx (opset $2): no difference; .* $4 assumed" "$out" "and it is verified"
}

# ---- a wrong opset -----------------------------------------------------------------------------------------------------
norm='<float[4] s = {1.0, 2.0, 3.0, 4.0}, float[4] b = {0.0, 0.5, 0.0, 0.0}> { y = GroupNormalization <num_groups = 2> (x, s, b) }'
model channels 11 'float[1, 4, 3, 3] x' 'float[1, 4, 3, 3] y' "$norm"
run lint channels.onnx
like 'GroupNormalization exists from opset 18 on, and opset 11 is imported; convert the model to 21 \[OPS004' "$out" \
    "lint names the version that the node fits"
for opset in 21 18 10; do
    converts channels $opset "node 0 (GroupNormalization): GroupNormalization does not exist at opset 11; it is meant as GroupNormalization-21" 1
done
run convert channels.onnx --opset 21 -o strict.onnx --strict
is 1 "$status" "with --strict: exit status 1"
like '^blocked: node 0 (GroupNormalization): .*it is meant as GroupNormalization-21; leave out --strict to convert it as that$' \
    "$err" "and the reason"
norm='<float[2] s = {1.0, 2.0}, float[2] b = {0.0, 0.5}> { y = GroupNormalization <num_groups = 2> (x, s, b) }'
model groups 11 'float[1, 4, 3, 3] x' 'float[1, 4, 3, 3] y' "$norm"
converts groups 18 "node 0 (GroupNormalization): GroupNormalization does not exist at opset 11; it is meant as GroupNormalization-18" 1
converts groups 21 "node 0 (GroupNormalization): GroupNormalization does not exist at opset 11; it is meant as GroupNormalization-18" 1
model axes 11 'float[2, 1, 4] x' 'float[2, 4] y' '<int64[1] a = {1}> { y = Squeeze (x, a) }'
run lint axes.onnx
like 'Squeeze-11 has at most 1 input, not 2; remove the others, or convert the model to 13, which takes them \[OPS012' "$out" \
    "lint names the version that takes so many inputs"
for opset in 10 13 18; do
    converts axes $opset "node 0 (Squeeze): Squeeze-11 does not have 2 inputs and 1 outputs; it is meant as Squeeze-13" 1
done
model bounds 11 'int64[2, 6] x' 'int64[2, 6] y' '<int64 lo = {0}, int64 hi = {5}> { y = Clip (x, lo, hi) }'
run lint bounds.onnx
like 'it takes float, float16, double; convert the model to 12, where it takes int64 \[OPS015' "$out" \
    "lint names the version that takes the type"
for opset in 10 13; do
    converts bounds $opset "node 0 (Clip): 'x' is int64, which Clip-11 does not take; it is meant as Clip-12" 1
done
model numbers 11 'float[2, 3] x' 'float[3, 2] y' '{ s = Constant <value_ints = [3, 2]> () y = Reshape (x, s) }'
run lint numbers.onnx
like "Constant has the attribute 'value_ints' from opset 12 on, and opset 11 is imported; remove it, or convert the model to 12 \[OPS007" \
    "$out" "lint names the version that has the attribute"
for opset in 8 10 13; do
    converts numbers $opset "node 0 (Constant): Constant-11 has no attribute 'value_ints'; it is meant as Constant-12" 1
done

# ---- a whole model is read as of another opset ---------------------------------------------------------------------------
model stamped 11 'float[1, 4, 3, 3] x' 'float[1, 4, 3, 3] y' \
    '<float[4] s = {1.0, 2.0, 3.0, 4.0}, float[4] b = {0.0, 0.5, 0.0, 0.0}> { t = GroupNormalization <num_groups = 2> (x, s, b) y = Softmax (t) }'
run convert stamped.onnx --read-as 21 -o read.onnx --verify --strict
is 0 "$status" "--read-as: the model gets the opset that it is read as"
like '^stamped.onnx (opset 21) and read.onnx (opset 21): no difference' "$out" "and verifies, without an assumption"
run lint read.onnx
is "0 " "$status $(printf '%s\n' "$out" | grep OPS00)" "lint has nothing against it"
run diff stamped.onnx read.onnx
like "opset import 'ai.onnx': version: 11 -> 21" "$out" "the import differs"
run verify stamped.onnx read.onnx --read-as 21
is 0 "$status" "verify --read-as: the first model is read so"
run verify stamped.onnx read.onnx
is 1 "$status" "it is another model where the stamp counts: Softmax is another operator below 13"
run convert stamped.onnx --read-as 21 --opset 12 -o lower.onnx --verify
is 0 "$status" "--read-as with --opset: converted from that opset"
run convert lower.onnx --opset 21 -o raised.onnx
like '^lower.onnx: opset 12 to 21: ' "$out" "and from there back"
printf '<ir_version: 8, opset_import: ["" : 9, "d" : 1]>\ng (float[2, 3, 4] x) => (float[2, 3, 4] y, float[2, 3, 4] z) { y = d.F <axis = 1> (x) z = d.F (x) }\n<domain: "d", opset_import: ["" : 9]>\nF <axis> (a) => (b) { b = Softmax <axis : int = @axis> (a) }\n' | assemble called
run convert called.onnx --read-as 13 --opset 11 -o out.onnx --verify
is 0 "$status" "--read-as holds for functions, too, which are written for each case"
like '^called.onnx (opset 13) and out.onnx (opset 11): no difference' "$out" "and verified"
printf '<ir_version: 8, opset_import: ["d" : 1]>\ng (float[2] x) => (float[2] y) { y = d.Q (x) }\n' | assemble foreign
run convert foreign.onnx --read-as 13 -o out.onnx
is "1 opshift: foreign.onnx: the model imports no opset of ai.onnx that could be read as 13" "$status $err" "a model without the import"
run convert stamped.onnx --read-as 99 -o out.onnx
is 2 "$status" "an opset that is not known"

model none 11 'int32[2, 6] x' 'int32[2, 6] y' '{ y = Mish (x) }'
run convert none.onnx --opset 18 -o out.onnx
like "^blocked: node 0 (Mish): opset 11 to 18: Mish exists from opset 18 on, and the model imports 11; no version of it takes the node's inputs, outputs and attributes$" \
    "$err" "a node that no version takes is refused"

# ---- GroupNormalization at 18 to 20 -------------------------------------------------------------------------------------
model valid 18 'float[N, 4, H, W] x' 'float[N, 4, H, W] y' "$norm"
run lint valid.onnx
is 0 "$status" "GroupNormalization-18 is no error"
model invalid 18 'float[N, 4, H, W] x' 'float[N, 4, H, W] y' \
    '<float[4] s = {1.0, 2.0, 3.0, 4.0}> { y = GroupNormalization <num_groups = 2> (x, s, s) }'
run lint invalid.onnx
like 'input 1 has 4 values, and there are 2 groups; use one for each below opset 21 (from there on one for each channel) \[OPS018' \
    "$out" "with a scale for each channel it is"

# ---- spatial = 0 with a statistic for each channel -----------------------------------------------------------------------
model spatial 8 'float[1, 3, 2, 2] x, float[3] s' 'float[1, 3, 2, 2] y' '{ y = BatchNormalization <spatial = 0> (x, s, s, s, s) }'
converts spatial 9 'node 0 (BatchNormalization): spatial is meant as 1: its statistics are one number for each channel' 1
model each 8 'float[1, 3, 2, 2] x, float[3, 2, 2] s' 'float[1, 3, 2, 2] y, float[3, 2, 2] m, float[3, 2, 2] v' \
    '{ y, m, v = BatchNormalization <spatial = 0> (x, s, s, s, s) }'
run convert each.onnx --opset 9 -o out.onnx
like "the body, as it is written out for this node, does not give the node's output 'm" "$err" "outputs that an input has the name of are not forgotten"

# ---- ONNX Runtime's own -------------------------------------------------------------------------------------------------
model simple 14 'float[1, N, 8] x, float[8] s' 'float[1, N, 8] y' '{ y = SimplifiedLayerNormalization <axis = -1> (x, s) }'
converts simple 18 "node 0 (SimplifiedLayerNormalization): SimplifiedLayerNormalization is not an operator of the standard; it is meant as ONNX Runtime's" 0
run lint simple.onnx
like 'SimplifiedLayerNormalization is not an operator of the standard; ONNX Runtime alone takes it; lint for it with --target onnxruntime-cpu \[OPS003' \
    "$out" "lint names who takes it"
run lint simple.onnx --target onnxruntime-cpu
is 0 "$status" "for ONNX Runtime it is no error"
run convert simple.onnx --target onnxruntime-cpu -o out.onnx
is 0 "$status" "and a conversion for it succeeds"
model layer 15 'float[1, N, 8] x, float[8] s' 'float[1, N, 8] y' '{ y = LayerNormalization <axis = -1> (x, s) }'
for opset in 13 17 18; do
    converts layer $opset "node 0 (LayerNormalization): LayerNormalization does not exist at opset 15; it is meant as LayerNormalization-17" 1
done
run lint layer.onnx
like 'LayerNormalization exists from opset 17 on, and opset 15 is imported (ONNX Runtime alone takes it there); convert the model to 17 \[OPS004' \
    "$out" "lint names who takes it, and the way out"
run lint layer.onnx --target onnxruntime-cpu
is 0 "$status" "for ONNX Runtime it is no error"
run lint layer.onnx --target opencv
is 1 "$status" "for another runtime it is"
model scaled 7 'float[1, 3, 4, 4] x' 'float[1, 3, 4, 4] y' '{ y = ImageScaler <scale = 2.0, bias = [1.0, 2.0, 3.0]> (x) }'
converts scaled 9 "node 0 (ImageScaler): ImageScaler is not an operator of the standard; it is meant as ONNX Runtime's" 0
converts scaled 13 "node 0 (ImageScaler): ImageScaler is not an operator of the standard; it is meant as ONNX Runtime's" 1
run lint scaled.onnx
like 'ImageScaler is not an operator of the standard at opset 7; ONNX Runtime alone takes it; convert the model to 10, which replaces it \[OPS003' \
    "$out" "lint names the opset from which it is replaced"
run lint scaled.onnx --target onnxruntime-cpu
is 0 "$status" "for ONNX Runtime it is no error"
model late 13 'float[1, 3, 4, 4] x' 'float[1, 3, 4, 4] y' '{ y = ImageScaler <scale = 2.0, bias = [1.0, 2.0, 3.0]> (x) }'
run lint late.onnx --target onnxruntime-cpu
like 'ImageScaler is not an operator of the standard; ONNX Runtime has one of its own, below opset 10 only \[OPS003' "$out" \
    "it is an error where ONNX Runtime has it no more"
done_testing
