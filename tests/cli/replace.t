#!/bin/sh
# Operators that a rule replaces by nodes: what is told of it.
. "${srcdir:-.}/tests/cli/tap.sh"

rules=$srcdir/tests/convert/replace

# model OPSET GRAPH: m.onnx
model() {
    printf '<ir_version: 8, opset_import: ["" : %s, "d" : 1]>\n%s\n' "$1" "$2" >m.txt
    run assemble m.txt -o m.onnx
    is 0 "$status" "the model is written"
}

model 18 'g (float[4] x) => (float[4] y) { [one] y = Mish (x) }'
run convert m.onnx --opset 17 --rules "$rules" -o o.onnx -v
is 0 "$status" "an operator that is replaced by its definition"
is "rewritten: node 'one' (Mish): opset 18 to 17: nodes that define it: Softplus, Tanh, Mul
m.onnx: opset 18 to 17: 1 node rewritten (1 replaced: 1 definition)" "$out" "is told with the nodes that stand for it"
run convert m.onnx --opset 17 --rules "$rules" -n -f json
like '"becomes": "nodes that define it: Softplus, Tanh, Mul",' "$out" "in JSON, too"
like '"replaced": "definition"$' "$out" "where its kind has a key of its own"

model 14 'g (float[2, 2] x) => (y) { y = Trilu (x) }'
run convert m.onnx --opset 13 --rules "$rules" -n
like '^rewritten: node 0 (Trilu): opset 14 to 13: nodes that give exactly the same: If$' "$out" "an exact replacement"


model 18 'g (float[N] x) => (float[N] y) { y = Mish (x) }'
run convert m.onnx --opset 17 --rules "$rules" -o o.onnx --verify --report r.json
is 0 "$status" "a definition is verified"
like "node 0 (Mish) .*by rule .*opset-18/mish.yaml; by its definition: within 0.0001 of the greatest number, the largest difference is [0-9.e-]*; [1-9] runs" \
    "$out" "within a tolerance that is printed, by runs of both sides"
like '"replaced": "definition",$' "$(cat r.json)" "the certificate has the kind"
like '"tolerance": 0.0001,\{0,1\}$' "$(cat r.json)" "and the tolerance"
run verify m.onnx o.onnx --rules "$rules"
is 0 "$status" "so it is when both models are there"
mkdir -p wrong/opset-18
sed 's/Y = Mul (X, bounded)/Y = Mul (bounded, bounded)/' "$rules/opset-18/mish.yaml" >wrong/opset-18/mish.yaml
run convert m.onnx --opset 17 --rules wrong -o w.onnx --verify
is 1 "$status" "a body that is wrong"
like "node 0 (Mish) .*differs .*output 'y' differs first at element" "$out$err" "shows in the runs"
run convert m.onnx --opset 17 --rules wrong -o w.onnx
run verify m.onnx w.onnx --rules "$rules"
is 1 "$status" "so do nodes that are not what the rule makes"
model 14 'g (float[M, 2] x) => (float[M, 2] y) { y = Trilu (x) }'
run convert m.onnx --opset 13 --rules "$rules" -o o.onnx --verify
is 0 "$status" "graphs inside are compared up to their names"
like "node 0 (Trilu) .*by rule .*trilu.yaml; exact" "$out" "and are as the rule has them"
run show --text o.onnx
printf '%s\n' "$out" | sed 's/= Abs/= Neg/' >w.txt
run assemble w.txt -o w.onnx
run verify m.onnx w.onnx --rules "$rules"
is 1 "$status" "another operator in one of them"
like "not the result of .*trilu.yaml: attribute 'else_branch'" "$out" "is found"

model 15 'g (double[2] x, l) => (y) { y = CastLike (x, l) }'
run convert m.onnx --opset 14 --rules "$rules" -o o.onnx
is 1 "$status" "one that gives nearly the same is refused"
like '^blocked: node 0 (CastLike): opset 15 to 14: CastLike can be replaced by nodes that give nearly the same' "$err" \
    "with the reason"
run convert m.onnx --opset 14 --rules "$rules" -o o.onnx --allow-approximate -v
is 0 "$status" "unless it is allowed"
like '^rewritten: node 0 (CastLike): opset 15 to 14: nodes that give nearly the same: Cast$' "$out" "which is told"

model 18 'g (float[4] x, float s) => (y) <float[4] h> { h = d.F (x) y = Mish (h) }'
run convert m.onnx --opset 16 --rules "$rules" -o o.onnx
is "m.onnx: opset 18 to 16: 1 node rewritten (1 replaced: 1 definition)" "$out" "a declared type that does not matter is not assumed"
run convert m.onnx --opset 7 --rules "$rules" -o o.onnx
like "^assumed: node 1 (Mish): type of 'h' is float, as declared$" "$out" "one that matters is"
is 1 "$(printf '%s\n' "$out" | grep -c '^assumed')" "and its shape is not"
model 14 'g (float[4, 4] x) => (y) <float[4, 4] h> { h = d.F (x) y = Trilu (h) }'
run convert m.onnx --opset 13 --rules "$rules" -o o.onnx
like "^assumed: node 1 (Trilu): shape of 'h' is \[4, 4\], as declared$" "$out" "where it matters, it is"

model 23 'g (float16[2, 4, 3] x) => (int16[2, 4, 3] y) {
  s = Constant <value = float16[4] {0.5, 0.25, 2.0, 0.125}> ()
  z = Constant <value = int16[4] {1, 2, 3, 4}> ()
  y = QuantizeLinear <precision = 1> (x, s, z)
}'
run convert m.onnx --opset 17 -o o.onnx --verify
is 0 "$status" "a constant computed from an input that is no longer read is not taken for that input"

model 21 'g (float[1, 4, H, W] x, float[4] s) => (float[1, 4, H, W] y) { y = GroupNormalization <num_groups = 2> (x, s, s) }'
run convert m.onnx --opset 17 -o o.onnx --verify
is 0 "$status" "a definition holds for tensors without elements"

done_testing
