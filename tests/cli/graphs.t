#!/bin/sh
# Nodes that hold graphs are replaced: their graphs, converted, stand in the new nodes.
. "${srcdir:-.}/tests/cli/tap.sh"

# model OPSET GRAPH: m.onnx
model() {
    printf '<ir_version: 8, opset_import: ["" : %s]>\n%s\n' "$1" "$2" >m.txt
    run assemble m.txt -o m.onnx
    is 0 "$status" "$3: the model is written"
}

# moves OPSET COUNTS WHAT: m.onnx is converted to o.onnx, which does the same and can go on
moves() {
    run convert m.onnx --opset "$1" -o o.onnx
    is "m.onnx: opset $2" "$err$out" "$3: is converted"
    run verify m.onnx o.onnx --engine builtin --draws 8
    is 0 "$status" "$3: does the same"
    like "whole model: tested by builtin" "$out" "$3: as a run of both shows"
    run lint o.onnx
    is 0 "$status" "$3: is valid"
}

body='t, u = SequenceMap <body = each (e, z, f) => (sum, part, e) <float[1] v = {3.0}, float[1] unread = {4.0}> {
    twice = Mul (e, w)
    other = Mul (z, v)
    sum = Add (twice, other)
    part, rest = Split <axis = 0, num_outputs = 2> (sum)
}> (s, y, r)'
model 18 "m (float[N] a, float[N] b, float[1] y) => (seq(float[]) t, seq(float[]) u, seq(float[]) k) <float[1] w = {2.0}> {
    s = SequenceConstruct (a, b) r = SequenceConstruct (b, a) $(printf '%s' "$body" | sed 's/t, u =/t, u, k =/') }" "SequenceMap"
for opset in 17 16 13; do
    words='2 nodes rewritten (1 replaced: 1 exact), 2 constants added'
    [ "$opset" = 17 ] && words='1 node rewritten'
    run convert m.onnx --opset $opset -o o.onnx
    is 0 "$status" "SequenceMap to $opset"
    run verify m.onnx o.onnx --engine builtin --draws 8
    is 0 "$status" "does the same"
    run convert o.onnx --opset 18 -o p.onnx
    is 0 "$status" "and goes up again"
    run lint o.onnx p.onnx
    is 0 "$status" "all of them valid"
done
out=$(tr -c 'a-z' ' ' <o.onnx)
is 0 "$(printf '%s' "$out" | grep -c unread)" "what nobody reads in the graph is left out"
run convert m.onnx --opset 12 -o o.onnx
is 1 "$status" "a Loop takes no sequences below opset 13"

model 8 'm (float[B, 2] s, float[B, N, 4] x, float[2] c) => (float[B, 2] t, float[B, N, 2] y, float[B, N, 4] z) {
    t, y, z = Scan <num_scan_inputs = 1, body = step (before, slice) => (after, given, slice) {
        left, right = Split <axis = 0> (slice)
        both = Add (left, right)
        sum = Add (before, both)
        after = Add (sum, c)
        given = Neg (after) }> ("", s, x) }' "Scan"
moves 9 "8 to 9: 1 node rewritten (1 replaced: 1 exact)" "Scan without lengths"
moves 13 "8 to 13: 1 node rewritten (1 replaced: 1 exact)" "Scan without lengths, further"

model 8 'm (int64[2] n, float[2, 2] s, float[2, 6, 2] x) => (t) {
    t = Scan <num_scan_inputs = 1, body = step (before, slice) => (after) { product = Mul (before, slice)
        after = Add (product, slice) }> (n, s, x) }' "lengths"
run convert m.onnx --opset 11 -o o.onnx
is 0 "$status" "Scan with lengths"
run verify m.onnx o.onnx --engine builtin
is 0 "$status" "does the same"

model 8 'm (float[B, 2] s, float[B, N, 2, 3] x) => (float[B, 2] t, float[B, N, 2, 3] y) {
    t, y = Scan <num_scan_inputs = 1, body = outer (before, rows) => (after, made) {
        row = Unsqueeze <axes = [0]> (rows)
        start = Unsqueeze <axes = [0]> (before)
        flat = ReduceSum <axes = [1], keepdims = 0> (start)
        last, made_1 = Scan <num_scan_inputs = 1, body = inner (total, part) => (more, part) {
            sum = ReduceSum <axes = [0], keepdims = 0> (part)
            more = Add (total, sum) }> ("", flat, row)
        made = Squeeze <axes = [0]> (made_1)
        one = Squeeze <axes = [0]> (last)
        after = Add (before, one) }> ("", s, x) }' "one in the other"
run convert m.onnx --opset 9 -o o.onnx
like "2 replaced: 2 exact" "$err$out" "Scan in Scan"
run verify m.onnx o.onnx --engine builtin
is 0 "$status" "does the same"
run convert o.onnx --opset 8 -o p.onnx
is 0 "$status" "goes down again"
run verify o.onnx p.onnx --engine builtin
is 0 "$status" "which does the same, too"
run lint o.onnx p.onnx
is 0 "$status" "all of them valid"

# A graph that is called twice, without a graph around it.
mkdir -p twice/opset-9
cat >twice/opset-9/scan.yaml <<'EOF'
op: Scan
why: a rule for this test.
up:
  - replace:
      kind: approximate
      body: |
        a, b = graph.body (initial_state_and_scan_inputs_0, initial_state_and_scan_inputs_1)
        final_state_and_scan_outputs_0, final_state_and_scan_outputs_1 = graph.body (a, b)
EOF
model 8 'm (float[B, 2] s, float[B, N, 2] x) => (float[B, 2] t, float[B, N, 2] y, float[B, 2] k) {
    t, y = Scan <num_scan_inputs = 1, body = step (before, slice) => (after, slice) <float[1] v = {3.0}> {
        product = Mul (before, v)
        after = Neg (product) }> ("", s, x)
    k = Neg (s) }' "called twice"
run convert m.onnx --opset 9 --rules twice --allow-approximate -o o.onnx
is 0 "$status" "a graph called twice"
printf '<ir_version: 8, opset_import: ["" : 9]> m (float[B, 2] s, float[B, N, 2] x) => (float[B, 2] t, float[B, N, 2] y, float[B, 2] k) <float[1] v = {3.0}> {
    a = Mul (s, v) b = Neg (a) c = Mul (b, v) t = Neg (c) y = Identity (x) k = Neg (s) }' >w.txt
run assemble w.txt -o w.onnx
run run o.onnx --random --shape B=3 --shape N=2 --seed 1 -o o
run run w.onnx --random --shape B=3 --shape N=2 --seed 1 -o w
ok "$([ -f o/t.npy ] && cmp -s o/t.npy w/t.npy && cmp -s o/y.npy w/y.npy; echo $?)" "stands there twice, with names of its own"
run lint o.onnx
is 0 "$status" "and is valid"
sed -i 's/= graph.body (a, b)/= graph.body (a)/' twice/opset-9/scan.yaml
run convert m.onnx --opset 9 --rules twice --allow-approximate -o o.onnx
like "its graph 'body' takes 2 values and gives 2, where 1 and 2 are needed" "$err" "a call with too few values is refused"
sed -i 's/graph.body (a)/graph.bodi (a)/' twice/opset-9/scan.yaml
run rules check twice/opset-9/scan.yaml
like "scan.yaml:8:9: graph.bodi: Scan-8 has no graph of that name" "$err" "and one of no graph"

# An attribute that holds one graph, as its type says, and another one in the field of lists, which takes more values.
model 17 'm (seq(float[N]) s, float[N] y) => (seq(float[N]) t) { t = SequenceMap <body = [
    one (float[N] a, float[N] b) => (float[N] c) { c = Add (a, b) },
    many (float[N] a, float[N] b, float[N] d, float[N] e) => (float[N] c, float[N] f) { c = Add (d, e) f = Add (a, b) }]> (s, y) }' "graphs in two fields"
perl -0pi -e 's/(\x0a\x04body)\x5a/$1\x32/ && s/\xa0\x01\x0a/\xa0\x01\x05/' m.onnx
run convert m.onnx --opset 16 -o o.onnx
is 1 "$status" "one of them is not known to count"
like "node 0 (SequenceMap): opset 17 to 16: the node has more than one graph 'body'" "$err" "and the refusal names the attribute"

# A rule finds the values of a node of many outputs at once: this took 16 seconds.
list() { awk -v name="$1" 'BEGIN { for (i = 0; i < 20000; i++) printf "%s%s%d", i ? ", " : "", name, i }'; }
model 17 "m (seq(float[N]) s) => (seq(float[N]) t0) { $(list t) = SequenceMap <body = many (float[N] a) => ($(list 'float[N] c')) { $(list c) = Many (a) }> (s) }" "many outputs"
run convert m.onnx --opset 16 --timeout 8 -o o.onnx
is 1 "$status" "a node of 20,000 outputs is refused in time"
like "more steps than an expression may take" "$err" "with a reason"

done_testing
