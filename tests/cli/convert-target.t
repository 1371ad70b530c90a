#!/bin/sh
# convert --target: opset, IR version, sequences and forms of Split as a profile wants them; what it still refuses.
. "${srcdir:-.}/tests/cli/tap.sh"

# profile NAME: standard input below the head of a profile.
profile() {
    { printf 'target: %s\ndescription: a test\nsource: a test\ndate: 2026-11-23\n' "$1"; cat; } >"$1.yaml"
}
# model NAME IR OPSET: assembles standard input, below its header.
model() {
    { printf '<ir_version: %s, opset_import: ["" : %s]>\n' "$2" "$3"; cat; } >"$1.txt"
    run assemble "$1.txt" -o "$1.onnx"
    is 0 "$status" "$1 is made"
}
# becomes NAME TARGET WANTED: the nodes of the result, without their lengths.
becomes() {
    name=$1 target=$2 wanted=$3
    shift 3
    run convert "$name.onnx" --target "$target" --target-rules . -o out.onnx "$@"
    is "0" "$status" "$name for $target"
    is "" "$err" "$name for $target: nothing on standard error"
    run show --text out.onnx
    is "$wanted" "$(printf '%s\n' "$out" | tr -s ' \n' '  ' | sed 's/.*{ \([^{}]*\) } *$/\1/')" "$name for $target: its nodes"
}

profile lists <<'EOF'
opset: 17
ir_version: 8
split_form: lengths
constraints:
  - {lacks: negative-axis, why: it counts wrongly, source: a test, date: 2026-11-23}
  - {lacks: unnamed-output, why: it needs names, source: a test, date: 2026-11-23}
  - {lacks: single-output, why: it needs two, source: a test, date: 2026-11-23}
  - {lacks: computed, why: it needs constants, source: a test, date: 2026-11-23}
  - {lacks: sequences, why: it has none, source: a test, date: 2026-11-23}
EOF
profile attribute <<'EOF'
split_form: attribute
EOF
profile counts <<'EOF'
split_form: num_outputs
constraints:
  - {lacks: uneven-num_outputs, why: it cuts otherwise, source: a test, date: 2026-11-23}
  - {lacks: surplus, why: it counts outputs, source: a test, date: 2026-11-23}
EOF
profile equal <<'EOF'
split_form: equal
EOF
profile no-attribute <<'EOF'
split_form: lengths
constraints:
  - {lacks: attribute, why: it reads inputs, source: a test, date: 2026-11-23}
EOF

model forms 10 21 <<'EOF'
g (float[6, 4] x) => (float[3, 4] a, float[6, 4] c, float[6, 2] d, float[2, 4] e)
{ a, b = Split <num_outputs = 2> (x) c = Split <num_outputs = 1> (x) d, "" = Split <axis = -1, num_outputs = 2> (x)
  e, f = Split <num_outputs = 3> (x) }
EOF
becomes forms lists 'a, b = Split (x, a_split) c = Identity (x) d, d_unread = Split <axis = 1> (x, d_split) e, f, e_unread = Split (x, e_split)'
run convert forms.onnx --target lists --target-rules . -o out.onnx
like "^forms.onnx: opset 21 to 17, IR version 10 to 8: 4 nodes rewritten, " "$out" "opset and IR version go down to what it takes"
like ": no difference; .* 0 not shown" "$out" "and it is verified"
run convert forms.onnx --target lists --target-rules . --no-verify -o out.onnx
is "" "$(printf '%s\n' "$out" | grep 'no difference')" "--no-verify: it is not"
run convert forms.onnx --target lists --target-rules . --opset 13 --ir-version 7 -o out.onnx
like "^forms.onnx: opset 21 to 13, IR version 10 to 7: " "$out" "--opset and --ir-version win"
run convert forms.onnx --target lists --target-rules . --dry-run
is 0 "$status" "--dry-run"
becomes forms counts 'a, b = Split <num_outputs = 2> (x) c = Split <num_outputs = 1> (x) d, "" = Split <axis = -1, num_outputs = 2> (x) e, f, e_unread = Split <num_outputs = 3> (x)'
becomes forms equal 'a, b = Split <num_outputs = 2> (x) c = Split <num_outputs = 1> (x) d, "" = Split <axis = -1, num_outputs = 2> (x) e, f = Split <num_outputs = 3> (x)'
becomes forms attribute 'a, b = Split <split = [3, 3]> (x) c = Split <split = [6]> (x) d, "" = Split <axis = -1, split = [2, 2]> (x) e, f, e_unread = Split <split = [2, 2, 2]> (x)'
becomes forms lists 'a, b = Split (x) c = Identity (x) d, d_unread = Split <axis = 1> (x) e, f, e_unread = Split (x)' --split-form equal

model uneven 8 18 <<'EOF'
g (float[7] x, float[N] z) => (float[4] a, float[K] c) <int64[2] l = {4, 3}, int64[2] m = {2, 5}>
{ a, b = Split (x, l) c, d = Split (x, m) }
EOF
becomes uneven counts 'a, b = Split (x, l) c, d = Split (x, m)'
becomes uneven equal 'a, b = Split (x, l) c, d = Split (x, m)'
model old 4 9 <<'EOF'
g (float[6] x) => (float[3] a) { a, b = Split (x) }
EOF
becomes old no-attribute 'a, b = Split (x, a_split)'
becomes old attribute 'a, b = Split <split = [3, 3]> (x)'
model unknown 8 18 <<'EOF'
g (float[N] x) => (float[M] a) { a, b = Split <num_outputs = 2> (x) }
EOF
becomes unknown attribute 'a, b = Split <num_outputs = 2> (x)'
model folded 8 13 <<'EOF'
g (float[6] x, float[2] s) => (float[2] a) <int64[2] one = {1, 2}> { l = Add (one, one) a, b = Split (x, l) }
EOF
becomes folded lists 'a, b = Split (x, a_split)'
model sequence 8 13 <<'EOF'
g (float[6] x) => (float[2] a) <int64 c = {2}, int64 z = {0}> { s = SplitToSequence (x, c) a = SequenceAt (s, z) }
EOF
becomes sequence lists 'a, s_1, s_2 = Split (x, a_split)'

# What remains is told, and only a model that the target takes is written.
model computed 8 18 <<'EOF'
g (float[N] x, int64[2] l) => (float[A] a) { [cut] a, b = Split (x, l) }
EOF
rm -f out.onnx
run convert computed.onnx --target lists --target-rules . -o out.onnx
is 0 "$status" "an opset at which nothing is refused is found"
like "^computed.onnx: opset 18 to 12: 1 node rewritten$" "$out" "it is the newest of those"
model bounds 6 11 <<'EOF'
g (float[1, 3] x) => (float[1, 3] y) <float lo = {0.0}, float hi = {6.0}> { y = Clip (x, lo, hi) }
EOF
run convert bounds.onnx --target opencv@4.6 -o bounds10.onnx
is 0 "$status" "an opset below the model's, too"
like "^bounds.onnx: opset 11 to 10: 1 node rewritten" "$out" "where the target takes the operator's older form"
model product 6 11 <<'EOF'
g (float[1, 3] x) => (float[1, 2] y) <float lo = {0.0}, float hi = {6.0}, float[3, 2] w = {1, 2, 3, 4, 5, 6}> { c = Clip (x, lo, hi) y = Gemm (c, w) }
EOF
run convert product.onnx --target opencv@4.6 -o bounds10.onnx
is 0 "$status" "and what an operator needs there is written as the target takes it"
rm -f out.onnx bounds10.onnx
run convert computed.onnx --target lists --target-rules . --opset 17 -o out.onnx
is 1 "$status" "something remains"
like "^remains: error: node 'cut' (Split): lists, computed: it needs constants (a test, 2026-11-23); .* .TGT004 target-refusal.$" "$err" "it is named"
like "^opshift: computed.onnx: lists refuses the converted model for 1 reason; nothing was written; --allow-remaining writes it$" "$err" "with the way out"
ok "$([ ! -e out.onnx ]; echo $?)" "nothing is written"
run convert computed.onnx --target lists --target-rules . --opset 17 -o out.onnx --allow-remaining
is "0 " "$status $err" "--allow-remaining"
like "^remains: error: node 'cut' (Split): " "$out" "names it, too"
run lint --target lists --target-rules . out.onnx
is 1 "$status" "as lint does"
run convert computed.onnx --target lists --target-rules . --opset 17 --dry-run
is 1 "$status" "--dry-run: something would remain"
is "opshift: computed.onnx: lists refuses the converted model for 1 reason" "$err" "and says so"
run convert computed.onnx --target lists --target-rules . --opset 17 -o out.onnx -f json --allow-remaining
perl -MJSON::PP -e 'local $/; exit(decode_json(<STDIN>)->{remaining}{summary}{errors} != 1)' <.out
ok $? "JSON has what remains"

fails 2 "convert: option '--allow-remaining' needs --target; add it" "--allow-remaining alone" \
    convert forms.onnx --opset 18 --allow-remaining -o out.onnx
fails 2 "convert: options '--no-verify' and '--verify' exclude each other; leave one of them out" "--verify and --no-verify" \
    convert forms.onnx --target lists --target-rules . --verify --no-verify -o out.onnx
run convert forms.onnx --target nowhere -o out.onnx
is 2 "$status" "a target that there is not"
like "there is no target profile 'nowhere'" "$err" "is named"
run convert forms.onnx --target portable -o out.onnx
is 0 "$status" "a shipped profile"
# Sequences that stay are named.
cat >stays.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[2] a, float[2] b, int64 i) => (float[2] x, float[2] y) <int64 z = {0}>
{ s = SequenceConstruct (a, b) x = SequenceAt (s, i) t = SequenceInsert (s, a) u = SequenceErase (t, i) y = SequenceAt (u, z) }
MODEL
run assemble stays.txt -o stays.onnx
run convert stays.onnx --split-sequences -o out.onnx
is "note: node 0 (SequenceConstruct): its sequence 's' stays: 't' is made from it, and stays
note: node 2 (SequenceInsert): its sequence 't' stays: 'u' is made from it, and stays
note: node 3 (SequenceErase): its sequence 'u' stays: its position 'i' is known only at run time; make it constant
stays.onnx: is at opset 13 already: nothing to do" "$out" "why each of them does"
cat >list.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 17]>
g (float[2, 3] a, float[2, 3] b) => (float[2, 6] y) { e = SequenceEmpty () s = SequenceInsert (e, a) t = SequenceInsert (s, b) y = ConcatFromSequence <axis = 1> (t) }
MODEL
run assemble list.txt -o list.onnx
run convert list.onnx --target tensorrt -o out.onnx
is 0 "$status" "a target without sequences: lists of tensors are replaced"
like '^  *y = Concat <axis = 1> (a, b)$' "$("$opshift" show --text out.onnx)" "by the tensors"
# ---- the README's command, on the README's model ----
"$opshift" assemble "$tests/models/sample.txt" -o net.onnx
command=$(sed -n 's/^| `opshift \(convert net.onnx --target [^`]*\)`.*/\1/p' "$srcdir/README.md")
like '^convert net.onnx --target ' "$command" "the README converts for a runtime"
# shellcheck disable=SC2086
run $command
is 0 "$status" "and the runtime takes the result"
done_testing
