#!/bin/sh
# The opsets that a model can reach, and the blockers of the others.
. "${srcdir:-.}/tests/cli/tap.sh"

rules=$srcdir/tests/convert/replace

# model OPSET GRAPH: m.onnx
model() {
    printf '<ir_version: 8, opset_import: ["" : %s]>\n%s\n' "$1" "$2" >m.txt
    run assemble m.txt -o m.onnx
    is 0 "$status" "the model is written"
}

model 18 'g (bfloat16[N] a, bfloat16[N] b, float[N] x) => (c, d, y) { c = Neg (a) d = Neg (b) y = Mish (x) }'
run convert m.onnx --how-far --rules "$rules"
is 0 "$status" "how far: exit status 0"
is "OPSET  REACHABLE  WHAT IS DONE, OR IN THE WAY
1-5    no         2 Neg, opset 13 to 12: 'a' is bfloat16, which Neg-1 does not take; insert a Cast, or go to opset 13 or up (first: node 0 (Neg))
6-12   no         2 Neg, opset 13 to 12: 'a' is bfloat16, which Neg-6 does not take; insert a Cast, or go to opset 13 or up (first: node 0 (Neg))
13-17  yes        1 replaced
18     yes        the model's own
19-28  yes" "$(printf '%s\n' "$out" | sed 's/OPS015 input-type: //; s/  *$//')" "each opset, those of which the same is to be said together"
run convert m.onnx --how-far --rules "$rules" -f json
printf '%s' "$out" | perl -MJSON::PP -e 'local $/; decode_json(<STDIN>)'
ok $? "the same as JSON"
like '"kind": "how far",$' "$out" "which says what it is"
is 28 "$(printf '%s\n' "$out" | grep -c '"reachable": ')" "for each opset"
like '"replaced_count": 1,$' "$out" "what would be done"
like '"operator": "Neg",$' "$out" "and what is in the way"
run convert m.onnx --opset 9 --rules "$rules" -o o.onnx
is 1 "$status" "a conversion beyond that"
like "^m.onnx: opset 13 is the nearest that can be reached$" "$err" "names the nearest opset that can be reached"
run convert m.onnx --opset 9 --rules "$rules" -n -f json
like '"nearest_opset": 13$' "$out" "in JSON, too"
like '"count": 2,\{0,1\}$' "$out" "with the blockers in groups"

model 15 'g (double[2] x, l) => (y) { y = CastLike (x, l) }'
run convert m.onnx --how-far --rules "$rules"
like '^ *reachable with --allow-approximate$' "$out" "an option that would help is named"
run convert m.onnx --how-far --rules "$rules" --allow-approximate
like '^[0-9]*-14 *yes *1 replaced$' "$out" "and does"

nodes=$(i=0; while [ $i -lt 12 ]; do printf 'y%s = Neg (a) ' $i; i=$((i + 1)); done)
model 13 "g (bfloat16[N] a) => (y0) { $nodes }"
run convert m.onnx --opset 9 -o o.onnx
is 12 "$(printf '%s\n' "$err" | grep -c '^blocked: ')" "each of many blockers is named"
like '^in the way: 12 Neg: opset 13 to 12: ' "$err" "and then those of one reason together"

fails 2 "convert: options '--how-far' and '--opset' exclude each other: it plans for every opset and writes nothing; leave one of them out" \
    "with an opset" convert m.onnx --how-far --opset 12

# ---- what would unlock an opset ----------------------------------------------------------------------------------------
# wants OPERATOR CONDITION: its step to opset 12 needs something of its input.
wants() {
    mkdir -p mine/opset-13
    printf 'op: %s\nwhy: a test.\ndown:\n  - replace:\n      kind: %s\n      opset: 12\n      when: "%s"\n      body: |\n        %s = %s (%s)\n  - refuse: it is not known enough\n' \
        "$1" "$3" "$2" "$4" "$1" "$5" >"mine/opset-13/$1.yaml"
}
wants Abs 'known_dim(X, 0)' exact Y X
wants Sign 'rank(input) == 2' exact output input
wants Erf 'constant(input)' exact output input
wants Neg 'true' approximate Y X

model 13 'g (float[N, 6, M] x, float[K] unused) => (y, z) { y = Abs (x) z = Relu (unused) }'
run convert m.onnx --opset 12 --rules mine -o o.onnx
is 1 "$status" "a refusal for want of a size"
is "m.onnx: opset 12 is reachable with --shape x=2x6x? (sizes as an example; ? keeps a dim as it is)" "$(printf '%s\n' "$err" | tail -n 1)" \
    "ends with the input and the dim that are wanted"
run convert m.onnx --opset 12 --rules mine --shape 'x=2x6x?' -o o.onnx
is 0 "$status" "with which it is converted"
run convert m.onnx --rules mine --how-far
like '^1-12 *no *1 Abs, opset 13 to 12: it is not known enough' "$out" "how far has the blocker"
like '^ *reachable with --shape x=2x6x? (sizes as an example; ? keeps a dim as it is)$' "$out" "and the same line"
run convert m.onnx --rules mine --how-far -f json
like '"--shape x=2x6x?"$' "$out" "in JSON, too"
run convert m.onnx --rules mine --opset 12 -n -f json
like '"--shape x=2x6x?"$' "$out" "and in the report of a refusal"

model 13 'g (float[] x) => (y) { y = Sign (x) }'
run convert m.onnx --rules mine --opset 12 -o o.onnx
is "m.onnx: opset 12 is reachable with --shape x=2x16 (sizes as an example; ? keeps a dim as it is)" "$(printf '%s\n' "$err" | tail -n 1)" \
    "a rank that is wanted"

model 13 'g (float[2] x, float[] z) => (y, w) { y = Neg (x) w = Sign (z) }'
run convert m.onnx --rules mine --opset 12 -o o.onnx
is "m.onnx: opset 12 is reachable with --shape z=2x16 --allow-approximate (sizes as an example; ? keeps a dim as it is)" \
    "$(printf '%s\n' "$err" | tail -n 1)" "options that help only together"
run convert m.onnx --rules mine --opset 12 --allow-approximate -o o.onnx
is "m.onnx: opset 12 is reachable with --shape z=2x16 (sizes as an example; ? keeps a dim as it is)" "$(printf '%s\n' "$err" | tail -n 1)" \
    "one that is given is not named"

cat >calls.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 13, "l" : 1]>
g (float[] x, float[1,4,2,2] i) => (j, c, z) { j = l.F <mode = "DCR"> (i) c = l.F <mode = "CRD"> (i) z = Softmax <axis = 1> (x) }
<domain: "l", opset_import: ["" : 13]> F <mode> (x) => (y) { y = DepthToSpace <blocksize = 2, mode : string = @mode> (x) }
MODEL
run assemble calls.txt -o m.onnx
run convert m.onnx --opset 10 -o o.onnx
is "m.onnx: opset 10 is reachable with --shape x=2x3x224x224 (sizes as an example; ? keeps a dim as it is)" \
    "$(printf '%s\n' "$err" | tail -n 1)" "beside a function that is written for each of its calls"

model 13 'g (float[1] k = {2}) => (y) { y = Erf (k) }'
run convert m.onnx --rules mine --opset 12 -o o.onnx
is "m.onnx: opset 12 is reachable with --freeze-initializers" "$(printf '%s\n' "$err" | tail -n 1)" "an initializer that a caller may override"

model 13 'g (float[N] k, float[1] x) => (y, z) { y = Erf (k) z = Neg (x) }'
run convert m.onnx --rules mine --opset 12 -o o.onnx
is "m.onnx: cannot be converted to opset 12: 2 nodes in the way; nothing is written" "$(printf '%s\n' "$err" | tail -n 1)" \
    "where nothing helps, nothing is said"

# ---- other domains -----------------------------------------------------------------------------------------------------
cat >m.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 28, "ai.onnx.ml" : 2, "com.example" : 1]>
g (string[N] x, string[N] z) => (y, w) { y = ai.onnx.ml.LabelEncoder <keys_strings = ["a"], values_int64s = [4]> (x) w = com.example.Thing (z) }
MODEL
run assemble m.txt -o m.onnx
run convert m.onnx --how-far
is "OPSET           REACHABLE  WHAT IS DONE, OR IN THE WAY
1-27            yes
28              yes        the model's own
ai.onnx.ml 1    no         1 LabelEncoder, ai.onnx.ml 2 to 1: the table is not one of strings and their positions, in the order 0, 1, 2, ..., which is all that version 1 can hold; sort it so, or stay at version 2 or above
ai.onnx.ml 2    yes        the model's own
ai.onnx.ml 3-5  yes" "$(printf '%s\n' "$out" | sed 's/  *$//')" "the opsets of other domains stand behind"
run convert m.onnx --how-far -f json
like '"domain": "ai.onnx.ml",$' "$out" "in JSON, too"

sed -i.before 's/"ai.onnx.ml" : 2/"ai.onnx.ml" : 4, "ai.onnx.ml" : 2, "ai.onnx.ml" : 2/' m.txt
run assemble m.txt -o m.onnx
run convert m.onnx --how-far
is "ai.onnx.ml 1 ai.onnx.ml 2 ai.onnx.ml 3-5" "$(printf '%s\n' "$out" | grep -o '^ai.onnx.ml [1-5-]*' | tr '\n' ' ' | sed 's/ $//')" "a domain that is imported again is listed once, as its last import"

done_testing
