#!/bin/sh
# show --where: the names of the models for which an expression holds.
. "${srcdir:-.}/tests/cli/tap.sh"

mkdir -p zoo/deep
assemble zoo/split <<'MODEL'
<ir_version: 7, opset_import: ["" : 12]>
g (float[4] x) => (float[2] a, float[2] b) { a, b = Split<axis = 0>(x) }
MODEL
assemble zoo/deep/half <<'MODEL'
<ir_version: 8, opset_import: ["" : 18, "example" : 1]>
g (float16[N] x) => (float16[N] y) { h = Relu(x) k = Relu(h) y = example.Half(k) }
MODEL
assemble "zoo/an or" <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (bfloat16[4] x) => (float[2] a, float[2] b) { c = Cast<to = 1>(x) a, b = Split<axis = 0>(c) }
MODEL
assemble zoo/wrong <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[4] x) => (float[4] y) { y = Relu(x, x) }
MODEL
assemble zoo/outside <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[4] x) => (float[4] y) <float[4] w = ["location" : "w.bin"]> { y = Add(x, w) }
MODEL
head -c 1000 /dev/zero >zoo/w.bin

# holds WANTED EXPRESSION: of which models
holds() {
    is "$1" "$("$opshift" show -r zoo --where "$2" | sed 's,.*/,,; s/\.onnx$//' | tr '\n' ',' | sed 's/,$//')" "$2"
}
holds "an or,split" "operator == Split"
holds split "operator == Split and opset < 13"
holds "half,outside,wrong" "not operator == Split"
holds "half,outside,wrong" "operator != Split"
holds "an or,half,split" "operator == Split or type == float16"
holds "an or" "operator == Split and (type == bfloat16 or type ~ 'int*')"
holds half "operator ~ 'H?lf'"
holds half "operator == Half and operator == Relu"
holds "an or,half,outside,split,wrong" "opset>=12 and opset<=18"
holds "half" "opset > 13"
holds "an or,outside,split,wrong" "opset != 18"
holds split "ir_version == 7"
holds half "nodes == 3"
holds outside external
holds outside "external == 'w.bin'"
holds "an or,half,split,wrong" "not external"
holds "an or,half,outside,split,wrong" "size < 1000"
holds "" "size > 1000"
holds wrong "finding == OPS012"
holds wrong "finding == input-count"
holds wrong "finding ~ 'OPS*'"
holds "an or,half,split,wrong" "not (external or external)"

is 2 "$("$opshift" show -r zoo -0 --where 'operator == Split' | tr -dc '\0' | wc -c | tr -d ' ')" "-0: a NUL after each name"
"$opshift" show -r zoo -0 --where 'operator == Split' | "$opshift" convert --files0-from - --root zoo --opset 18 -o out/ >/dev/null
is "./an or.onnx ./split.onnx" "$(cd out && find . -type f | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//')" "which --files0-from takes"
run show zoo/split.onnx --where "opset == 12"
is zoo/split.onnx "$out" "of one model"
run show zoo/split.onnx --where "opset == 13"
is "" "$out" "nothing is printed where it does not hold"
is 0 "$status" "which is no failure"
echo garbage >zoo/garbage.onnx
run show -r zoo --where "opset == 12" -j2
is 3 "$status" "what is no model: exit status 3"
is zoo/split.onnx "$out" "the others are printed"

# refused MESSAGE EXPRESSION
refused() {
    fails 2 "show: option '--where': $1" "'$2'" show zoo/split.onnx --where "$2"
}
refused "character 9 of 'opset ==': a value was expected" "opset =="
refused "character 7 of 'opset = 3': 'and', 'or' or the end was expected" "opset = 3"
refused "character 1 of 'color == 3': one of operator, opset, ir_version, type, size, nodes, external, finding was expected" "color == 3"
refused "character 7 of '(opset': ')' was expected" "(opset"
refused "character 11 of 'opset == 3)': 'and', 'or' or the end was expected" "opset == 3)"
refused "character 4 of 'not': one of operator, opset, ir_version, type, size, nodes, external, finding was expected" not
refused "character 13 of 'operator == 'Split': a value was expected" "operator == 'Split"
refused "character 14 of 'opset < Split': an integer before this was expected" "opset < Split"
deep=$(printf '%80s' '' | tr ' ' '(')
is "less nesting was expected" "$("$opshift" show zoo/split.onnx --where "${deep}opset" 2>&1 | sed 's/.*: //')" "nesting has a limit"
long=opset$(printf '%300s' '' | sed 's/ / or opset/g')
is "an end, after so many comparisons, was expected" "$("$opshift" show zoo/split.onnx --where "$long" 2>&1 | sed 's/.*: //')" "so has the length"
fails 2 "show: option '--where' prints names; leave out --text, --nodes, --initializers, --graph and --format" "two outputs" \
    show zoo/split.onnx --where opset -f json
fails 2 "show: option '--null' is for --where; add it" "--null alone" show zoo/split.onnx -0
done_testing
