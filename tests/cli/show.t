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

like "^input *x: float\[N,6\]$" "$out" "its inputs"
like "^output *half: float\[N,3\]$" "$out" "its outputs"
like "^operators *4 Split, 1 example.Half, 1 If, 1 Mul, 1 Sigmoid$" "$out" "its operators, the most frequent first"
like "^weights *0 bytes$" "$out" "its weights"

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

awk 'BEGIN { printf "<ir_version: 8, opset_import: [\"\" : 18]>\ng (float x0"; for (i = 1; i < 10003; i++) printf ", float x%d", i
    print ") => (float y) { y = Neg (x0) }" }' >many.txt
run assemble many.txt -o many.onnx
run show many.onnx
is "input         x9999: float
input         and 3 others
output        y: float" "$(printf '%s\n' "$out" | sed -n '/x9999/,/^output/p')" "of many inputs, ten thousand are described"
run show many.onnx -f json
like '"inputs_left_out": 3' "$out" "JSON tells how many are left out"

# ---- weights: initializers, and what Constant nodes hold ----
cat >weights.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[4] x, bool c) => (float[4] y) <float[2] w = {1, 2}> {
  k = Constant <value = float[4] {1, 2, 3, 4}> ()
  s = Constant <value = double {5}> ()
  n = Constant <value_ints = [1, 2]> ()
  y = If (c) <then_branch = t () => (float[4] p) { q = Constant <value = float[1, 3] {1, 2, 3}> () p = Add (x, k) },
              else_branch = e () => (float[4] r) { r = Neg (x) }>
}
MODEL
run assemble weights.txt -o weights.onnx
run show weights.onnx
like '^weights       44 bytes$' "$out" "weights are initializers and tensors of Constant nodes"
run show --initializers weights.onnx
is "BYTES  TYPE        NAME
16     float[4]    k
12     float[1,3]  q
8      double      s
8      float[2]    w" "$out" "and so listed"
run show weights.onnx -f json
like '"count": 4,' "$out" "and counted"

# ---- the whole: inputs, operators, weights, metadata, external data ----
cat >whole.txt <<'MODEL'
< ir_version: 3, opset_import: ["" : 9], metadata_props: ["licence" : "Apache-2.0"] >
g (float[N, ?, 4] x, float[2, 4] w, float[] any, seq(float[2]) s, none) => (float[] y)
< float[2, 4] w = {1, 2, 3, 4, 5, 6, 7, 8}, int64[1] k = {3}, string[2] words = {"a", "b"} > {
  a = Relu (x) b = Relu (a) y = A (b)
}
MODEL
run assemble whole.txt -o whole.onnx
run show whole.onnx
like '^input *x: float\[N,?,4\]$' "$out" "an unknown dim"
like '^input *any: float\[\]$' "$out" "an unknown rank"
like '^input *s: seq(tensor(float))$' "$out" "a sequence"
like '^input *none: no type$' "$out" "an input without a type"
is "" "$(printf '%s\n' "$out" | grep '^input *w:')" "an input with a default is a weight"
like '^operators *2 Relu, 1 A$' "$out" "operators by count"
run show -f json whole.onnx
printf '%s' "$out" | perl -MJSON::PP -e 'local $/; my $m = decode_json(<STDIN>); my $w = $m->{weights};
    print join(" ", (map {"$_->{name} $_->{bytes}"} @{$w->{largest}}), $m->{inputs}[1]{has_default}, $m->{metadata}[0]{value}), "\n"' >seen.txt
is "w 32 words 17 k 8 1 Apache-2.0" "$(cat seen.txt)" "weights by size, a default, metadata"
run show --initializers whole.onnx
is "BYTES  TYPE        NAME
32     float[2,4]  w
17     string[2]   words
8      int64[1]    k" "$(printf '%s\n' "$out")" "show --initializers lists all, the largest first"
run show --nodes sample.onnx
like "^node 'choose' (If): then_branch: node 'head' (Split) *a, rest = Split <axis = 1, split = \[2, 4\]> (x)$" "$out" "show --nodes lists nodes inside of others"
like "^node 'call' (Half) *half = example.Half <lengths = \[3, 3\]> (x)$" "$out" "those of other domains"
like "^node 'choose' (If) *side = If <then_branch = ..., else_branch = ...> (left)$" "$out" "without their graphs"
run show --nodes -f json sample.onnx
like '"operator": "Sigmoid",$' "$out" "and as JSON"
run show -f ndjson sample.onnx
like '{"operator":"Split","domain":"ai.onnx","version":11,"count":4},{"operator":"Half","domain":"example","version":null,"count":1},{"operator":"If","domain":"ai.onnx","version":11,"count":1}' \
    "$out" "show -f ndjson has operators by version"
fails 2 "show: options '--nodes' and '--initializers' exclude each other; leave one of them out" "two lists" show --nodes --initializers whole.onnx
printf '%s\n' '<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] y) <float[2] w = ["location" : "w.bin"]> { y = Add (x, w) }' >beside.txt
run assemble beside.txt -o beside.onnx
run show beside.onnx
like '^weights *8 bytes, 8 of them external$' "$out" "external data is counted"
like '^external data *w.bin$' "$out" "and its files are named, whether they are there or not"

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

run show --graph sample.onnx
is 0 "$status" "show --graph: exit status 0"
like '{"kind":"subgraph","name":"first","parent":0,"owner":3,"attribute":"then_branch","inputs":\[\],"outputs":\[\["a","float\[N,2\]"\]\],"initializers":\[\]}' "$out" "a subgraph, and its owner"
like "{\"graph\":3,\"node\":\"function 'Half': node 'inner' (Split)\",\"name\":\"inner\",\"operator\":\"Split\",\"inputs\":\[\"data\"\],\"outputs\":\[\"first\",\"second\"\],\"attributes\":\[\"axis = 1\",\"split : ints = @lengths\"\],\"types\":\[\"float\[N,3\]\",\"float\[N,3\]\"\]}" "$out" "a node of a function, with the types of its outputs"
like '{"since":11,"operator":"Split","domain":"","inputs":\["input"\],"outputs":\["outputs"\],"defaults":\["axis = 0"\]}' "$out" "an operator with its defaults"
run show --graph -f json sample.onnx
like '^  "kind": "graph"' "$out" "the same as other reports are written"
printf '<ir_version: 8, opset_import: ["" : 18]>\ng (float["\\"q\\""] "a\\"b") => (float[?] y) { y = Neg ("a\\"b") }\n' >quoted.txt
run assemble quoted.txt -o quoted.onnx
if [ "$status" = 0 ]; then
    run show --graph quoted.onnx
    printf '%s' "$out" | perl -MJSON::PP -e 'local $/; exit(decode_json(<STDIN>)->{nodes}[0]{inputs}[0] ne q(a"b))'
    ok $? "names with quotes are JSON"
else
    skip "names with quotes" "the syntax has none"
fi

done_testing
