#!/bin/sh
# Conversions of other domains than ai.onnx: ai.onnx.ml with the shipped rules, others with --rules.
. "${srcdir:-.}/tests/cli/tap.sh"

# model FILE: assembles standard input.
model() {
    cat >m.txt
    run assemble m.txt -o "$1"
    is 0 "$status" "$1 is written"
}

model ml.onnx <<'MODEL'
<ir_version: 8, opset_import: ["" : 13, "ai.onnx.ml" : 1]>
g (string[N] s, int64[N] k) => (string[N] t, float[N] w)
{
   i = ai.onnx.ml.LabelEncoder <classes_strings = ["a", "b", "c"]> (s)
   t = ai.onnx.ml.LabelEncoder <classes_strings = ["x", "y"]> (k)
   j = Cast <to = 1> (i)
   w = Softmax <axis = 0> (j)
}
MODEL

# ---- ai.onnx.ml ---------------------------------------------------------------------------------------------------------
run convert ml.onnx --opset 18 --opset ai.onnx.ml=3 -o up.onnx --verify --report up.json
is 0 "$status" "two domains at once: exit status 0"
like '^ml.onnx: opset 13 to 18, ai.onnx.ml 1 to 3: 2 nodes rewritten (2 replaced: 2 exact)$' "$out" "both are reported"
like '^ml.onnx (opset 13, ai.onnx.ml 1) and up.onnx (opset 18, ai.onnx.ml 3): no difference; ' "$out" "and verified"
like '"domain": "ai.onnx.ml",$' "$(cat up.json)" "the report names the domain"
like '"target_opset": 3$' "$(cat up.json)" "and its opset"
like '"ai.onnx.ml": 1$' "$(cat up.json)" "the certificate has the opset before"
like '"ai.onnx.ml": 3$' "$(cat up.json)" "and that after"
run show up.onnx
like '^opsets  *ai.onnx 18, ai.onnx.ml 3$' "$out" "the model imports both"
run convert ml.onnx --opset ai.onnx.ml=3 -n
like '^rewritten: node 0 (LabelEncoder): ai.onnx.ml 1 to 3: nodes that give exactly the same: LabelEncoder$' "$out" "a dry run names each step's domain"
like '^ml.onnx: stays at opset 13, ai.onnx.ml 1 to 3: 2 nodes rewritten (2 replaced: 2 exact)$' "$out" "without ai.onnx, that stays"
run convert up.onnx --opset ai.onnx.ml=1 -o down.onnx --verify
is 0 "$status" "and back"
run verify ml.onnx up.onnx
is 0 "$status" "verify finds the opsets of both models by itself"
run convert ml.onnx --opset ai.onnx.ml=5 -n --ir-version match
like ', IR version 8 to 10: ' "$out" "the IR version that matches is that of the newer of both releases"
run convert ml.onnx --opset ai.onnx.ml=1 --opset ai.onnx=13 -o same.onnx
is "ml.onnx: is at opset 13 already, ai.onnx.ml is at 1 already: nothing to do" "$out" "a model that is there already"
cmp ml.onnx same.onnx
ok $? "stays as it is"
run lint ml.onnx --to ai.onnx.ml=3
is 0 "$status" "lint --to takes a domain"

model new.onnx <<'MODEL'
<ir_version: 10, opset_import: ["" : 13, "ai.onnx.ml" : 5]>
g (string[N] s, float[N, 2] x, double[N] d) => (int64[N] i, float[N, 1] y, int64[N] e)
{
   i = ai.onnx.ml.LabelEncoder <keys_tensor = string[1] {"a"}, values_int64s = [3]> (s)
   y = ai.onnx.ml.TreeEnsemble <leaf_targetids = [0], leaf_weights = float[1] {1.0}, n_targets = 1, nodes_falseleafs = [1], nodes_falsenodeids = [0], nodes_featureids = [0], nodes_modes = uint8[1] {0}, nodes_splits = float[1] {0.5}, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0]> (x)
   e = ai.onnx.ml.LabelEncoder <keys_int64s = [1], values_int64s = [3]> (d)
}
MODEL
run convert new.onnx --opset ai.onnx.ml=3 -o no.onnx
is 1 "$status" "walls of types, attributes and births: exit status 1"
is "blocked: node 0 (LabelEncoder): ai.onnx.ml 4 to 3: version 3 has no attribute 'keys_tensor'; write it as keys_strings, keys_int64s or keys_floats, or stay at version 4 or above
blocked: node 1 (TreeEnsemble): ai.onnx.ml 5 to 4: the operator does not exist below this opset; replace it in the model, or stay at this opset or above
blocked: node 2 (LabelEncoder): ai.onnx.ml 4 to 3: OPS015 input-type: 'd' is double, which LabelEncoder-2 does not take; insert a Cast, or go to opset 4 or up
new.onnx: cannot be converted to ai.onnx.ml 3: 3 nodes in the way; nothing is written" "$err" "each node, its domain's step, and the way out"
run lint new.onnx --to ai.onnx.ml=3
like 'node 1 (TreeEnsemble): error: ai.onnx.ml 5 to 4: the operator does not exist below this opset; ' "$out" "lint says the same"

model tree.onnx <<'MODEL'
<ir_version: 8, opset_import: ["" : 13, "ai.onnx.ml" : 1]>
g (float[N, 2] x) => (float[N, 1] y)
{
   y = ai.onnx.ml.TreeEnsembleRegressor <n_targets = 1, nodes_falsenodeids = [2, 0, 0], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_nodeids = [0, 1, 2], nodes_treeids = [0, 0, 0], nodes_truenodeids = [1, 0, 0], nodes_values = [0.5, 0.0, 0.0], target_ids = [0, 0], target_nodeids = [1, 2], target_treeids = [0, 0], target_weights = [1.0, 2.0]> (x)
}
MODEL
run convert tree.onnx --opset ai.onnx.ml=4 -o four.onnx --verify
is 0 "$status" "trees are kept up to 4"
like '^KEPT' "$(printf '%s\n' "$out" | tr a-z A-Z)" "verify lists the kept operator"
run convert tree.onnx --opset ai.onnx.ml=5 -o five.onnx --verify
is 0 "$status" "and become a TreeEnsemble at 5"
like "node 0 (TreeEnsembleRegressor) *by rule .*by its definition: .*; 9 runs" "$out" "which is run before and after"
sed 's/n_targets = 1,/n_targets = 1, base_values = [0.5],/' m.txt >based.txt
run assemble based.txt -o based.onnx
run convert based.onnx --opset ai.onnx.ml=5 -o five.onnx
is "blocked: node 0 (TreeEnsembleRegressor): ai.onnx.ml 4 to 5: the operator is deprecated from version 5 on; it becomes a TreeEnsemble where the input is float, each leaf has one weight, no tree is a leaf alone, and there are no base values and no tensors of doubles; stay at version 4, which runtimes take at every opset of ai.onnx
based.onnx: cannot be converted to ai.onnx.ml 5: 1 node in the way; nothing is written" "$err" "others are refused at 5"

model function.onnx <<'MODEL'
<ir_version: 8, opset_import: ["" : 13, "f" : 1, "ai.onnx.ml" : 1]>
g (string[N] s) => (int64[N] t) { t = f.Code (s) }
<domain: "f", opset_import: ["" : 13, "ai.onnx.ml" : 2]>
Code (s) => (t) { t = ai.onnx.ml.LabelEncoder <keys_strings = ["a"], values_int64s = [0]> (s) }
MODEL
run convert function.onnx --opset ai.onnx.ml=3 -o no.onnx
like "^blocked: function 'Code': node 0 (LabelEncoder): ai.onnx.ml 1 to 3: GRF027 function-opset: the function imports ai.onnx.ml 2 and the model ai.onnx.ml 1, and LabelEncoder is not the same at both; give both one opset where the model is made$" \
    "$err" "a function with another version"

# ---- usage ------------------------------------------------------------------------------------------------------------
fails 2 "convert: option '--opset' gives ai.onnx twice, 18 and 17; give each domain once" "ai.onnx twice" \
    convert ml.onnx --opset 18 --opset ai.onnx=17 -o o.onnx
fails 2 "ml.onnx: the domain 'ai.onnx.ml' is given twice, with 3 and with 2; give each domain once" "a domain twice" \
    convert ml.onnx --opset ai.onnx.ml=3 --opset ai.onnx.ml=2 -o o.onnx
fails 2 "ml.onnx: ai.onnx.ml has no opset 6; give one of 1 to 5" "an unknown opset" convert ml.onnx --opset ai.onnx.ml=6 -o o.onnx
for number in '' +3 ' 3' -1 : 3x 0 2147483648; do
    fails 2 "ml.onnx: 'ai.onnx.ml=$number' is no opset of a domain; write DOMAIN=N, as in ai.onnx.ml=3" "no number: '$number'" \
        convert ml.onnx --opset "ai.onnx.ml=$number" -o o.onnx
done
fails 2 "ml.onnx: 'ai.onnx.ml=x' is no opset of a domain; write DOMAIN=N, as in ai.onnx.ml=3" "no number" \
    convert ml.onnx --opset ai.onnx.ml=x -o o.onnx
fails 2 "convert: option '--opset': '29' is not an integer from 1 to 28" "an unknown opset of ai.onnx" convert ml.onnx --opset 29 -o o.onnx
fails 2 "ai.onnx.ml has no opset 6; give one of 1 to 5" "lint, too" lint ml.onnx --to ai.onnx.ml=6
fails 2 "lint: option '--to' gives ai.onnx twice, 18 and 17; give each domain once" "and twice" lint ml.onnx --to 18 --to 17
run convert ml.onnx --opset com.example=3 -o same.onnx
is "ml.onnx: is at opset 13 already, no opset of com.example is imported: nothing to do" "$out" "a domain that the model does not import"

# ---- another domain, by --rules ---------------------------------------------------------------------------------------
mkdir -p mine/opset-2 mine/opset-3
cat >mine/opset-2/scale.yaml <<'RULE'
op: Scale
domain: com.example
why: the offset must be given.
up:
  - require: {that: "present(factor) and factor > 1 and present(input_0) and not present(output_1)", words: "no factor"}
  - write_default: {attribute: offset, type: float, value: 0}
down:
  - drop_default: {attribute: offset, value: 0}
examples:
  - before: y = com.example.Scale <factor = 2.0> (x)
    after: y = com.example.Scale <factor = 2.0, offset = 0.0> (x)
  - before: y = com.example.Scale (x)
    refused: no factor
  - before: y, z = com.example.Scale <factor = 2.0> (x)
    refused: no factor
RULE
cat >mine/opset-2/compatible.yaml <<'RULE'
- op: Shift
  domain: com.example
  why: only its words changed.
RULE
cat >mine/opset-3/scale.yaml <<'RULE'
op: Scale
domain: com.example
why: it became Multiply.
up:
  - rename_operator: {to: Multiply}
RULE
run rules check mine/opset-2/scale.yaml
is "mine/opset-2/scale.yaml: 1 rules, 0 compatible operators; 3 of 3 examples come out as written" "$out" "its examples are checked"
model own.onnx <<'MODEL'
<ir_version: 8, opset_import: ["" : 13, "com.example" : 1]>
g (float[2] x) => (float[2] z) { y = com.example.Scale <factor = 2.0> (x) z = com.example.Shift (y) }
MODEL
run convert own.onnx --opset com.example=2 --rules mine -o own2.onnx --verify --rules mine
is 0 "$status" "its rules are applied"
run verify own.onnx own2.onnx --rules mine
is 0 "$status" "and verified by the same rules"
run verify own.onnx own2.onnx
is 1 "$status" "and not without"
run convert own2.onnx --opset com.example=1 --rules mine -o own1.onnx
cmp own.onnx own1.onnx
ok $? "and back"
run convert own.onnx --opset com.example=3 --rules mine -o no.onnx
is "blocked: node 1 (Shift): com.example 2 to 3: no rule covers the operator on this step of its domain; add one, or list the operator in a compatible.yaml (--rules)
own.onnx: cannot be converted to com.example 3: 1 node in the way; nothing is written" "$err" "an operator that no rule covers blocks"
run convert own.onnx --opset com.example=2 -o no.onnx
is 1 "$status" "as all do without rules"
fails 2 "own.onnx: com.example would move from 1 to 1002, by more than 1000 versions at once" "too far" \
    convert own.onnx --opset com.example=1002 --rules mine -o no.onnx
printf 'op: Scale\ndomain: com.example\nwhy: a test.\ndown:\n  - replace:\n      kind: exact\n      body: |\n        y = Mul (x, x)\n' >mine/opset-3/scale.yaml
fails 2 "mine/opset-3/scale.yaml:5:5: replace: nothing is known of the operator 'Scale' at opset 3, so its inputs and outputs have no names" \
    "replace needs a schema" rules list --rules mine
mkdir -p other/opset-6 third/opset-2
printf 'op: LabelEncoder\ndomain: ai.onnx.ml\nwhy: a test.\nup: []\n' >other/opset-6/a.yaml
fails 2 "other/opset-6/a.yaml:1:1: ai.onnx.ml has no opset 6; the newest is 5" "a rule for an unknown opset" rules list --rules other
printf 'op: LabelEncoder\ndomain: ai.onnx.ml\nwhy: a test.\nup:\n  - replace:\n      kind: exact\n      body: |\n        Y = Neg (X)\n' >third/opset-2/a.yaml
fails 2 "third/opset-2/a.yaml:8:9: 'Neg' is no operator of ai.onnx.ml; a body has nodes of its rule's domain only" "a body of another domain" \
    rules list --rules third

done_testing
