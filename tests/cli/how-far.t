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

fails 2 "convert: option '--how-far' plans for every opset and writes nothing; leave out --opset, --output, --dry-run, --verify, --report, --split-sequences and --split-form" \
    "with an opset" convert m.onnx --how-far --opset 12

done_testing
