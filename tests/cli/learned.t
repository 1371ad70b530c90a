#!/bin/sh
# The kernels of ai.onnx.ml, by values computed by hand; where ONNX Runtime is there, it must give the same.
. "${srcdir:-.}/tests/cli/tap.sh"

# OPSHIFT_ORT names ONNX Runtime's library, or the loader finds it.
printf '<ir_version: 8, opset_import: ["" : 13]> m (float x) => (float y) { y = Neg (x) }' >probe.txt
run assemble probe.txt -o probe.onnx
run run probe.onnx --random --engine onnxruntime
ort=$status

# gives VERSION INPUTS OUTPUTS NODES WANTED WHAT: a model of constants gives these outputs.
gives() {
    printf '<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : %s]>\nm () => (%s) <%s> {\n%s }\n' "$1" "$3" "$2" "$4" >m.txt
    run assemble m.txt -o m.onnx
    run run m.onnx
    is "$5" "$err$(printf '%s\n' "$out" | sed 's/^[a-z]* *[a-z0-9]*\[[0-9,]*\] *//')" "$6"
    [ "$ort" = 0 ] || return 0
    run run m.onnx --engine onnxruntime
    is "$5" "$(printf '%s\n' "$out" | sed 's/^[a-z]* *[a-z0-9]*\[[0-9,]*\] *//')" "$6: ONNX Runtime gives the same"
}

rows='float[2, 3] x = {1.0, 0.0, -3.0, 0.5, 2.0, 7.0}'
gives 4 'int64[3] x = {2, 1, 7}' 'string[3] y' 'y = ai.onnx.ml.LabelEncoder <keys_int64s = [1, 2, -3], values_strings = ["a", "b", "c"]> (x)' \
    '"b", "a", "_Unused"' "LabelEncoder from integers to strings"
gives 2 'string[3] x = {"b", "z", "a"}' 'float[3] y' 'y = ai.onnx.ml.LabelEncoder <keys_strings = ["a", "b"], values_floats = [0.5, 1.5], default_float = 9.0> (x)' \
    '1.5, 9, 0.5' "LabelEncoder from strings to floats"
gives 4 'int64[2] x = {2, 5}' 'double[2] y' 'y = ai.onnx.ml.LabelEncoder <keys_tensor = int64[1] {5}, values_tensor = double[1] {0.1}, default_tensor = double[1] {-1.0}> (x)' \
    '-1, 0.1' "LabelEncoder of tensors"
gives 1 'string[2] x = {"b", "z"}' 'int64[2] y' 'y = ai.onnx.ml.LabelEncoder <classes_strings = ["a", "b"]> (x)' '1, -1' "LabelEncoder 1"
gives 1 'int64[2] x = {1, 9}' 'string[2] y' 'y = ai.onnx.ml.LabelEncoder <classes_strings = ["a", "b"]> (x)' '"b", "_Unused"' "LabelEncoder 1, back"
gives 1 'int64[2] x = {4, 9}' 'string[2] y' 'y = ai.onnx.ml.CategoryMapper <cats_int64s = [3, 4], cats_strings = ["a", "b"]> (x)' \
    '"b", "_Unused"' "CategoryMapper"
gives 1 "$rows, int64[2] k = {2, 0}" 'float[2, 2] y' 'y = ai.onnx.ml.ArrayFeatureExtractor (x, k)' '-3, 1, 7, 0.5' "ArrayFeatureExtractor"
gives 1 "$rows" 'float[2, 3] y' 'y = ai.onnx.ml.Binarizer <threshold = 0.5> (x)' '1, 0, 0, 0, 1, 1' "Binarizer"
gives 1 "$rows" 'float[2, 3] y' 'y = ai.onnx.ml.Scaler <offset = [1.0, 2.0, 3.0], scale = [2.0, 0.5, -1.0]> (x)' '0, -1, 6, -1, 0, -4' "Scaler"
gives 1 'float[2, 2] x = {1.0, 3.0, 0.0, 0.0}' 'float[2, 2] y' 'y = ai.onnx.ml.Normalizer <norm = "L1"> (x)' '0.25, 0.75, 0, 0' "Normalizer L1"
gives 1 'float[2, 2] x = {3.0, -4.0, 0.0, 2.0}' 'float[2, 2] y' 'y = ai.onnx.ml.Normalizer <norm = "L2"> (x)' '0.6, -0.8, 0, 1' "Normalizer L2"
gives 1 'float[1, 2] x = {-8.0, 4.0}' 'float[1, 2] y' 'y = ai.onnx.ml.Normalizer <norm = "MAX"> (x)' '-2, 1' "Normalizer MAX"
gives 1 "$rows" 'float[2, 3] y' 'y = ai.onnx.ml.Imputer <imputed_value_floats = [9.0, 8.0, 7.0], replaced_value_float = 0.0> (x)' \
    '1, 8, -3, 0.5, 2, 7' "Imputer"
gives 1 "$rows" 'float[2, 2] y' 'y = ai.onnx.ml.LinearRegressor <coefficients = [1.0, 2.0, 3.0, 0.0, 1.0, 0.5], intercepts = [1.0, -1.0], targets = 2> (x)' \
    '-7, -2.5, 26.5, 4.5' "LinearRegressor"
gives 1 'float[2, 2] x = {1.0, 0.0, 0.0, 3.0}' 'string[2] y, float[2, 3] z' 'y, z = ai.onnx.ml.LinearClassifier <coefficients = [1.0, 0.0, 0.0, 1.0, 0.5, 0.5], intercepts = [0.0, 0.0, 0.25], classlabels_strings = ["a", "b", "c"]> (x)' \
    '"a", "b"
1, 0, 0.75, 0, 3, 1.75' "LinearClassifier"
gives 1 'int64[2] x = {5, 7}' 'float[2, 2] y' 'y = ai.onnx.ml.OneHotEncoder <cats_int64s = [7, 8]> (x)' '0, 0, 1, 0' "OneHotEncoder"
gives 1 'float[1, 2] x = {1.0, 2.0}, float[1, 1] z = {3.0}' 'float[1, 4] y' 'y = ai.onnx.ml.FeatureVectorizer <inputdimensions = [2, 2]> (x, z)' \
    '1, 2, 3, 0' "FeatureVectorizer"

# x0 <= 0.5: 0.25; else x1 < 2: 0.75, else -2. A second tree: x2 > 0: 10, else 20.
trees='nodes_falsenodeids = [2, 0, 4, 0, 0, 2, 0, 0], nodes_featureids = [0, 0, 1, 0, 0, 2, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "BRANCH_LT", "LEAF", "LEAF", "BRANCH_GT", "LEAF", "LEAF"], nodes_nodeids = [0, 1, 2, 3, 4, 0, 1, 2], nodes_treeids = [0, 0, 0, 0, 0, 1, 1, 1], nodes_truenodeids = [1, 0, 3, 0, 0, 1, 0, 0], nodes_values = [0.5, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0]'
leaves='nodeids = [1, 3, 4, 1, 2], STEM_treeids = [0, 0, 0, 1, 1], STEM_weights = [0.25, 0.75, -2.0, 10.0, 20.0]'
target="target_$(printf %s "$leaves" | sed 's/STEM/target/g')"
gives 3 "$rows" 'float[2, 1] y' "y = ai.onnx.ml.TreeEnsembleRegressor <n_targets = 1, target_ids = [0, 0, 0, 0, 0], $target, $trees> (x)" \
    '20.75, 10.25' "TreeEnsembleRegressor: a sum"
gives 3 "$rows" 'float[2, 1] y' "y = ai.onnx.ml.TreeEnsembleRegressor <n_targets = 1, aggregate_function = \"MIN\", target_ids = [0, 0, 0, 0, 0], $target, $trees> (x)" \
    '0.75, 0.25' "the least"
gives 3 "$rows" 'float[2, 2] y' "y = ai.onnx.ml.TreeEnsembleRegressor <n_targets = 2, aggregate_function = \"AVERAGE\", target_ids = [0, 0, 0, 1, 1], $target, $trees, base_values = [1.0, 2.0]> (x)" \
    '1.375, 12, 1.125, 7' "two targets, on average, with base values"
gives 3 "$rows" 'int64[2] y, float[2, 3] z' "y, z = ai.onnx.ml.TreeEnsembleClassifier <classlabels_int64s = [7, 8, 9], class_ids = [0, 1, 2, 1, 2], class_$(printf %s "$leaves" | sed 's/STEM/class/g'), $trees> (x)" \
    '9, 8
0, 0.75, 20, 0.25, 10, 0' "TreeEnsembleClassifier"
gives 5 "$rows" 'float[2, 1] y' 'y = ai.onnx.ml.TreeEnsemble <n_targets = 1, leaf_targetids = [0, 0, 0], leaf_weights = float[3] {0.25, 0.75, -2.0}, nodes_falseleafs = [0, 1], nodes_falsenodeids = [1, 2], nodes_featureids = [0, 1], nodes_modes = uint8[2] {0, 1}, nodes_splits = float[2] {0.5, 2.0}, nodes_trueleafs = [1, 1], nodes_truenodeids = [0, 1], tree_roots = [0]> (x)' \
    '0.75, 0.25' "TreeEnsemble"
gives 5 "$rows" 'float[2, 1] y' 'y = ai.onnx.ml.TreeEnsemble <n_targets = 1, leaf_targetids = [0, 0], leaf_weights = float[2] {1.0, 2.0}, membership_values = float[3] {0.5, 3.0, nan}, nodes_falseleafs = [1], nodes_falsenodeids = [1], nodes_featureids = [0], nodes_modes = uint8[1] {6}, nodes_splits = float[1] {0.0}, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0]> (x)' \
    '2, 1' "TreeEnsemble with a set of numbers"

# A branch of each kind: below its number, at it, and above it.
while read -r mode answers; do
    gives 3 'float[3, 1] x = {1.0, 2.0, 3.0}' 'float[3, 1] y' "y = ai.onnx.ml.TreeEnsembleRegressor <n_targets = 1, nodes_falsenodeids = [2, 0, 0], nodes_featureids = [0, 0, 0], nodes_modes = [\"BRANCH_$mode\", \"LEAF\", \"LEAF\"], nodes_nodeids = [0, 1, 2], nodes_treeids = [0, 0, 0], nodes_truenodeids = [1, 0, 0], nodes_values = [2.0, 0.0, 0.0], target_ids = [0, 0], target_nodeids = [1, 2], target_treeids = [0, 0], target_weights = [1.0, 0.0]> (x)" \
        "$answers" "a branch $mode"
done <<'MODES'
LEQ 1, 1, 0
LT 1, 0, 0
GTE 0, 1, 1
GT 0, 0, 1
EQ 0, 1, 0
NEQ 1, 0, 1
MODES

# What cannot be computed, and what is wrong.
fault() {
    printf '<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 3]>\nm () => (%s) <%s> {\n%s }\n' "$2" "$1" "$3" >m.txt
    run assemble m.txt -o m.onnx
    run run m.onnx
    is 3 "$status" "$5: exit status 3"
    like "$4" "$err" "$5"
}
fault "$rows" 'int64[2] y, float[2, 2] z' "y, z = ai.onnx.ml.TreeEnsembleClassifier <classlabels_int64s = [7, 8], class_ids = [0, 1, 0, 1, 1], class_$(printf %s "$leaves" | sed 's/STEM/class/g'), $trees> (x)" \
    'trees for two classes are not computed here' "two classes"
fault "$rows" 'float[2, 1] y' "y = ai.onnx.ml.TreeEnsembleRegressor <n_targets = 1, target_ids = [0, 0, 0, 0, 0], $target, $(printf %s "$trees" | sed 's/nodes_truenodeids = \[1, 0, 3/nodes_truenodeids = [2, 0, 2/')> (x)" \
    'a tree is a circle' "a circle"
fault "$rows" 'float[2, 1] y' "y = ai.onnx.ml.TreeEnsembleRegressor <n_targets = 1, target_ids = [0, 0, 3, 0, 0], $target, $trees> (x)" \
    'weight 2 is for target 3 of 1' "a target that is none"
fault "$rows" 'float[2, 1] y' "y = ai.onnx.ml.TreeEnsembleRegressor <n_targets = 1, target_ids = [0, 0, 0, 0, 0], $target, $(printf %s "$trees" | sed 's/featureids = \[0/featureids = [9/')> (x)" \
    'node 0 asks a feature beyond the 3 of the input' "a feature that is none"
fault "$rows" 'float[2, 2] y' 'y = ai.onnx.ml.LinearRegressor <coefficients = [1.0, 2.0], targets = 2> (x)' \
    'has 2 coefficients and 0 intercepts for 3 features and 2 outputs' "too few coefficients"
fault 'int64[2] x = {5, 7}' 'float[2, 1] y' 'y = ai.onnx.ml.OneHotEncoder <cats_int64s = [7], zeros = 0> (x)' 'element 0 is in no category, and zeros is 0' "no category"
fault "$rows" 'float[2, 3] y' 'y = ai.onnx.ml.Scaler <offset = [1.0, 2.0], scale = [2.0]> (x)' "attribute 'offset' has 2 entries, must have 1 or 3" "a list that does not fit"
fault 'complex64[1] x = {1.0, 0.0}' 'complex64[1] y' 'y = ai.onnx.ml.LabelEncoder <keys_tensor = complex64[1] {1.0, 0.0}, values_tensor = complex64[1] {1.0, 0.0}> (x)' \
    'input 0 is complex64, which LabelEncoder-2 does not take' "keys that are complex numbers, which version 2 does not have"
fault 'complex64[1] x = {1.0, 0.0}' 'float[1, 1] y' 'y = ai.onnx.ml.OneHotEncoder <cats_int64s = [7]> (x)' \
    'input 0 is complex64, which OneHotEncoder-1 does not take' "categories of complex numbers"

fault 'float[1, 2] x = {1.0, 2.0}' 'float[1, 4] y' 'y = ai.onnx.ml.FeatureVectorizer <inputdimensions = [2, 2]> (x, "")' \
    'input 1 is required and absent' "an empty input"

# A conversion of such a node is verified by values.
printf '<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 1]> m (int64[N] x) => (string[N] y) { y = ai.onnx.ml.LabelEncoder <classes_strings = ["a", "b"]> (x) }' >m.txt
run assemble m.txt -o m.onnx
run convert m.onnx --opset ai.onnx.ml=4 --verify -o o.onnx
like "LabelEncoder.*exact: bit for bit the same; 9 runs" "$out" "a LabelEncoder is run before and after"

done_testing
