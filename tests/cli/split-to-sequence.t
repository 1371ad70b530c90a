#!/bin/sh
# SplitToSequence at both of its versions: what lint finds, and the step between them.
. "${srcdir:-.}/tests/cli/tap.sh"

# finds OPSET TYPE INITIALIZERS NODE IDS: the findings about SplitToSequence, without advice to use Split.
finds() {
    printf '<ir_version: 10, opset_import: ["" : %s]>\ng (%s x) => (int64 n) <%s> { s = SplitToSequence %s n = SequenceLength (s) }\n' \
        "$1" "$2" "$3" "$4" >model.txt
    "$opshift" assemble model.txt -o model.onnx
    run lint model.onnx --ignore SEQ030,SEQ031
    is "$5" "$(printf '%s\n' "$out" | sed -n 's/.*\[\([A-Z]*[0-9]*\) .*/\1/p' | sort -u | tr '\n' ' ' | sed 's/ $//')" \
        "opset $1: $2: $4 ${3:+with $3}"
}

for opset in 11 24; do
    finds $opset 'float[6]' '' '(x)' ''
    finds $opset 'float[6]' 'int64[2] l = {2, 4}' '(x, l)' ''
    finds $opset 'float[6]' 'int32[2] l = {2, 4}' '(x, l)' ''
    finds $opset 'float[6]' 'int64[2] l = {2, 5}' '(x, l)' SEQ007
    finds $opset 'float[6]' 'int64[2] l = {-2, 8}' '(x, l)' SEQ005
    finds $opset 'float[6]' 'int64[2] l = {0, 6}' '(x, l)' SEQ021
    finds $opset 'float[6]' 'int64[1,2] l = {2, 4}' '(x, l)' SEQ003
    finds $opset 'float[6]' 'int64[0] l = {}' '(x, l)' SEQ004
    finds $opset 'float[6]' 'float[2] l = {2, 4}' '(x, l)' OPS015
    finds $opset 'float[6]' 'int64 c = {4}' '(x, c)' ''
    finds $opset 'float[6]' 'int64 c = {9}' '(x, c)' ''
    finds $opset 'float[6]' 'int64 c = {0}' '(x, c)' SEQ006
    finds $opset 'float[6]' 'int64 c = {-1}' '(x, c)' SEQ006
    finds $opset 'float[6]' 'int64 c = {4}' '<keepdims = 0> (x, c)' SEQ020
    finds $opset 'float[6]' 'int64[2] l = {2, 4}' '<keepdims = 0> (x, l)' SEQ020
    finds $opset 'float[6]' '' '<axis = -1> (x)' ''
    finds $opset 'float[6]' '' '<axis = 1> (x)' SEQ002
    finds $opset 'float[6]' '' '<axis = -2> (x)' SEQ002
    finds $opset float '' '(x)' SEQ001
    finds $opset 'float8e4m3fn[6]' '' '(x)' OPS015
done
finds 11 'bfloat16[6]' '' '(x)' OPS015
finds 24 'bfloat16[6]' '' '(x)' ''

printf '<ir_version: 10, opset_import: ["" : 24]>\ng (bfloat16[6] x) => (seq(bfloat16[]) s) { s = SplitToSequence (x) }\n' >new.txt
run assemble new.txt -o new.onnx
run convert new.onnx --opset 23 -o out.onnx
is 1 "$status" "24 to 23: bfloat16 is new"
like "^blocked: node 0 (SplitToSequence): opset 24 to 23: OPS015 input-type: 'x' is bfloat16, which SplitToSequence-11 does not take; insert a Cast, or go to opset 24 or up$" \
    "$err" "and the reason is given"
sed 's/bfloat16/float/g' new.txt >plain.txt
run assemble plain.txt -o plain.onnx
run convert plain.onnx --opset 11 -o out.onnx --verify
is 0 "$status" "24 to 11: float is not"
run convert out.onnx --opset 24 -o again.onnx --verify
is 0 "$status" "11 to 24"
run convert plain.onnx --opset 10 -o out.onnx
is 1 "$status" "below 11 there is none"
done_testing
