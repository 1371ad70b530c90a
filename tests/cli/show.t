#!/bin/sh
# The output of show, and the conversion of text to a model and back.
. "${srcdir:-.}/tests/cli/tap.sh"

run assemble "$tests/models/sample.txt" -o sample.onnx
is 0 "$status" "the sample model is made"

run show sample.onnx
is 0 "$status" "show: exit status 0"
is "" "$err" "show: nothing on standard error"
like "^model *sample.onnx$" "$out" "it names the model"
like "^bytes *$(wc -c <sample.onnx)$" "$out" "its size"
like "^IR version *8$" "$out" "its IR version"
like "^opsets *ai.onnx 11, example 1$" "$out" "its opsets"
like "^producer *sample 1$" "$out" "its producer"
like "^subgraphs *2$" "$out" "its subgraphs"
like "^functions *1$" "$out" "its functions"
like "halves.* 11 *equal *-1 *2 *- *float *\[N,6\]$" "$out" "a Split into equal parts"
like "head.* 11 *attribute *1 *2 *\[2,4\] *float *\[N,6\]$" "$out" "a Split in a branch"
like "inner.* 11 *attribute *1 *2 *from the function's attribute @lengths " "$out" "a Split in a function"

run show -f json sample.onnx
is 0 "$status" "show -f json: exit status 0"
like '"kind": "show"' "$out" "it is a show report"
like '^  "version": "' "$out" "of which version"
printf '%s' "$out" | perl -MJSON::PP -e 'local $/; my $m = decode_json(<STDIN>); exit(@{$m->{splits}} != 4)'
ok $? "it is JSON and holds four Splits"

printf '%s' '<ir_version: 3, opset_import: ["" : 1]> g (float[4] x) => (float[] a, float[] b) {
  n = Constant <value = float[2] {inf, 2}> ()
  a, b = Split (x, n) }' >infinite.txt
run assemble infinite.txt -o infinite.onnx
run show -f json infinite.onnx
is 0 "$status" "a length that is infinite is no failure of show"
like '^ *null,$' "$out" "and is null"

# From opset 13 on the function's attribute goes through a Constant.
cat >reference.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "f" : 1] >
g (float[6] x) => (float[N] a, float[M] b) { a, b = f.Cut <sizes = [2, 4]> (x) }
< domain: "f", opset_import: ["" : 13] >
Cut <sizes> (x) => (p, q) { l = Constant <value_ints: ints = @sizes> () k = Identity (l) p, q = Split (x, k) }
MODEL
run assemble reference.txt -o reference.onnx
run show reference.onnx
like "Cut.* 13 *computed *0 *2 *from the function's attribute @sizes " "$out" "lengths from a function's attribute"
run show -f json reference.onnx
like '"lengths": "@sizes"' "$out" "as JSON"

# Every form that a Split's lengths can have.
form() {
    run assemble "$tests/models/matrix/$1.txt" -o form.onnx
    run show -f json form.onnx
    like "\"form\": \"$2\"" "$out" "$1: $2"
}
form M171 dynamic
form M186 constant
form M196 computed
form M203 initializer
form M207 dynamic
form M213 num_outputs
form M220 equal
form M227 attribute

run show --text sample.onnx
is 0 "$status" "show --text: exit status 0"
printf '%s\n' "$out" >printed.txt
run assemble printed.txt -o again.onnx
is 0 "$status" "what it prints can be assembled"
run show --text again.onnx
is "$(cat printed.txt)" "$out" "and printed again is the same"
"$opshift" show --text - <sample.onnx | "$opshift" assemble - -o - | cmp - again.onnx
ok $? "also through pipes"

printf '< ir_version: 8, opset_import: ["" : 13] >\nm (float x) => (float y)\n{\n   y = Neg x\n}\n' >wrong.txt
run assemble wrong.txt -o wrong.onnx
is 3 "$status" "a mistake in a text gives exit status 3"
like "^opshift: wrong.txt:[0-9]*:[0-9]*: " "$err" "with its line and column"
[ ! -e wrong.onnx ]
ok $? "and nothing is written"
run assemble absent.txt -o wrong.onnx
is "opshift: absent.txt: there is no such file; check its name" "$err" "a text that is not there"
is 4 "$status" "gives exit status 4"

done_testing
