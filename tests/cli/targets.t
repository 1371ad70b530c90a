#!/bin/sh
# opshift targets: the list, a profile, the page, the table model by target; several targets at once; hostile profiles.
. "${srcdir:-.}/tests/cli/tap.sh"

# model NAME OPSET IR GRAPH
model() {
    printf '<ir_version: %s, opset_import: ["" : %s]>\n%s\n' "$3" "$2" "$4" >"$1.txt"
    "$opshift" assemble "$1.txt" -o "$1.onnx" || echo "Bail out! $1"
}
model plain 13 7 'g (float[6] x) => (float[6] y) { y = Relu (x) }'
model omitted 13 8 'g (float[6] x) => (float[] a, float[] b) { a, "", b = Split (x) }'
model newer 22 10 'g (float[6] x) => (float[6] y) { y = Relu (x) }'
model sequence 13 7 'g (float[6] x) => (float[] a)
<int64[2] n = {2, 4}, int64 i = {0}>
{ s = SplitToSequence (x, n) a = SequenceAt (s, i) }'
model wrong 13 7 'g (float[6] x) => (float[6] y) { y = Relu (nothing) }'
model loop 13 7 'g (float[6] x, bool c) => (float[6] y)
{ y = If (c) <then_branch = t () => (float[6] p) { p = Neg (x) }, else_branch = e () => (float[6] q) { q = Abs (x) }> }'

run targets
is 0 "$status" "the list"
is 23 "$(printf '%s\n' "$out" | wc -l | tr -d ' ')" "a line for each profile, and a head"
like '^onnxruntime-cpu     1\.30     up to 26  13  lengths    ONNX Runtime, CPU execution provider$' "$out" "a line of it"

run targets opencv@4.6 tract
is 0 "$status" "two profiles"
like '^opencv 4\.6: OpenCV, dnn module$' "$out" "the first"
like '^tract: tract (Rust)$' "$out" "the second"
like '^  takes       equal, num_outputs, attribute, uneven, ' "$out" "what it takes"
like '^  error lengths: lengths as an input are ignored, and the parts become equal; convert with --target (measured, OpenCV 4.6.0, 2026-11-23)$' \
    "$out" "a constraint, with source and date"
like '^  error without these operators, the importer has no layer for it (measured' "$out" "operators that it lacks"

run targets onnxruntime-cpu@1.9 -f json
is 0 "$status" "as json"
for words in '"kind": "targets"' '"version": "1.9"' '"opset": 15' '"ir_version": 8' '"split_form": "lengths"'; do
    like "$words" "$out" "json has $words"
done

"$opshift" targets --markdown >targets.md
cmp -s targets.md "$srcdir/docs/targets.md"
ok $? "docs/targets.md is what the profiles state ('make docs' makes it anew)"

# ---- which models run where ----

run targets --check plain.onnx --target onnxruntime-cpu --target opencv@4.6
is 0 "$status" "a model that runs on both"
is "model       target                verdict  why
plain.onnx  onnxruntime-cpu 1.30  runs
plain.onnx  opencv 4.6            runs" "$(printf '%s\n' "$out" | sed 's/ *$//')" "the table"

run targets --check omitted.onnx newer.onnx --target onnxruntime-cpu@1.20
is 0 "$status" "models that run after a conversion"
like '^omitted.onnx *onnxruntime-cpu 1.20 *runs after convert *onnxruntime-cpu 1.20, split-omitted-output: ' "$out" \
    "an output gets a name"
like '^newer.onnx *onnxruntime-cpu 1.20 *not known after convert *whether onnxruntime-cpu 1.20 takes Relu (1 node) is not known' \
    "$out" "the opset becomes older, and of that version little is known"
run targets --check newer.onnx --target onnxruntime-cpu@1.20 --strict
is 1 "$status" "which --strict does not take"

run targets --check sequence.onnx --target tract
is 0 "$status" "a sequence is split"
like 'tract *runs after convert *tract, split-to-sequence: ' "$out" "for a target that has none"

model lengths 13 7 'g (float[6] x) => (float[] a, float[] b)
<int64[2] n = {2, 4}>
{ a, b = Split (x, n) }'
model uneven 18 8 'g (float[6,7] x) => (float[] a, float[] b) { a, b = Split <axis = -1, num_outputs = 2> (x) }'
run targets --check lengths.onnx uneven.onnx --target opencv@4.6 --target ncnn
is 1 "$status" "forms of Split"
like '^lengths.onnx  opencv 4.6  runs after convert ' "$out" "lengths become the attribute"
like '^lengths.onnx  ncnn        cannot .*batch-axis' "$out" "which does not help where the axis is refused"
like '^uneven.onnx   opencv 4.6  runs after convert ' "$out" "num_outputs becomes the attribute"

run targets --check loop.onnx wrong.onnx missing.onnx --target opencv
is 1 "$status" "models that do not run"
like '^loop.onnx *opencv 4.12 *cannot *opencv 4.12 has no If: the importer has no layer for it (measured, OpenCV 4.12.0' "$out" \
    "the target refuses it"
like "^wrong.onnx *opencv 4.12 *invalid *input 'nothing' is defined nowhere; " "$out" "a model with an error of its own"
like '^missing.onnx *opencv 4.12 *unreadable *missing.onnx: ' "$out" "a file that is not there"
run targets --check loop.onnx --target opencv -f json
like '"verdict": "cannot"' "$out" "the same as json"
run targets --check plain.onnx
is 23 "$(printf '%s\n' "$out" | wc -l | tr -d ' ')" "without --target: all"

# ---- lint ----

run lint omitted.onnx --target onnxruntime-cpu --target onnxruntime-cpu@1.30 --target portable
is 1 "$status" "several targets"
is 1 "$(printf '%s\n' "$out" | grep -c 'TGT004')" "a target that is named twice counts once"
is 1 "$(printf '%s\n' "$out" | grep -c 'TGT005')" "each target has its findings"
run lint omitted.onnx --target all
is 1 "$status" "all targets"
like ' onnxruntime-web 1.30, unnamed-output: .*TGT004' "$out" "also those that nobody named"
printf 'targets: [opencv@4.6]\n' >.opshift.yaml
run lint loop.onnx
like 'opencv 4.6, subgraphs: ' "$out" "the configuration may name a version"
rm .opshift.yaml

# ---- mistakes ----

fails 2 "targets: option '--check' needs models: opshift targets --check MODEL..." "no model" targets --check
fails 2 "targets: plain.onnx is a model; write opshift targets --check MODEL..." "a model" targets plain.onnx
fails 2 "targets: option '--target' needs --check; add it" "--target" targets --target tract
fails 2 "targets: options '--markdown' and '--check' exclude each other; leave one of them out" "both" \
    targets --check --markdown plain.onnx
fails 2 "there is no target profile 'tracd'; did you mean 'tract'? 'opshift targets' lists the shipped ones, and --target-rules DIR adds those of a directory" \
    "a profile that is not there" targets tracd
fails 2 "the target profile 'opencv' has no version 'new'; it has 4.12, 4.10, 4.9, 4.8, 4.6" "a version that is none" \
    lint plain.onnx --target opencv@new

# ---- profiles of others ----

mkdir own
profile() {
    printf 'target: mine\ndescription: d\nsource: s\ndate: 2026-01-02\n%s\n' "$1" >own/mine.yaml
}
profile 'versions: [{version: "2", opset: 12}, {version: "1", opset: 11, only_operators: [{operators: [Neg], source: so, date: d}]}]'
run lint plain.onnx --target mine@1 --target-rules own
is 1 "$status" "a profile of the user's"
like 'mine 1 takes opsets up to 11, and this is 13 (s, 2026-01-02); convert with --opset 11' "$out" "its figures"
like 'mine 1 has no Relu (so, d); use other operators' "$out" "its operators"
profile 'only_types: [{types: [double], why: it is a calculator, source: so, date: d}]'
run lint plain.onnx --target mine --target-rules own
like "mine has no float, which 'x' is: it is a calculator (so, d); insert a Cast" "$out" "its types"
profile 'constraints: [{lacks: unnamed-node, source: so, date: d}]'
run lint plain.onnx --target mine --target-rules own
like 'mine, unnamed-node: a node without a name is not supported (so, d); name the node' "$out" "a node without a name"
profile 'with_operators: [{operators: [Relu, com.x.F], source: so, date: d}]'
run targets --check plain.onnx loop.onnx --target mine --target-rules own
is "0 model       target  verdict    why
plain.onnx  mine    runs
loop.onnx   mine    not known  whether mine takes If, Neg, Abs (3 nodes) is not known; try the model there" \
    "$status $(printf '%s\n' "$out" | sed 's/ *$//')" "what is not listed is not known"
run targets --check loop.onnx --target mine --target-rules own --strict
is 1 "$status" "--strict: which does not do"
run lint loop.onnx --target mine --target-rules own
is 0 "$status" "lint notes it"
like '^loop.onnx: note: whether mine takes If, Neg, Abs (3 nodes) is not known; try the model there .TGT008 target-unknown.$' "$out" "once"
like "^loop.onnx: node 0 (If): note: whether mine takes operators with bodies (If, Loop, Scan) is not known; try the model there .TGT009 target-unknown-form.$" \
    "$out" "and the form"
run convert loop.onnx -o taken.onnx --target mine --target-rules own --opset 13
is 0 "$status" "convert writes it"
like '^not known: whether mine takes If, Neg, Abs (3 nodes) is not known' "$out" "and says so"
rm -f taken.onnx
run convert loop.onnx -o taken.onnx --target mine --target-rules own --opset 13 --strict
is 1 "$status" "but not with --strict"
like "^opshift: loop.onnx: it is not known whether mine takes all of the converted model; nothing was written; leave out --strict to write it$" \
    "$err" "with the reason"
is "" "$(ls taken.onnx 2>/dev/null)" "nothing is written"
profile 'others: taken'
run targets --check loop.onnx --target mine --target-rules own
like '^loop.onnx  mine    runs *$' "$out" "where all others were tried, all is known"
run targets --check plain.onnx --target mine@3 --target-rules own
is 0 "$status" "a version of a profile without versions"
profile 'opsets: 3'
fails 2 "own/mine.yaml:5:1: there is no key 'opsets'; did you mean 'opset'?" "an unknown key" \
    targets mine --target-rules own
profile 'versions: 3'
fails 2 "own/mine.yaml:5:11: versions: expected a list, found a scalar" "a wrong kind" \
    targets mine --target-rules own
profile 'takes: [{equal: yes}]'
fails 2 "own/mine.yaml:5:9: a feature: expected a scalar, found a map" "a map for a text" \
    targets mine --target-rules own
profile 'opset: 99999999999999999999'
fails 2 "own/mine.yaml:5:8: expected a number above 0 for 'opset', found '99999999999999999999'" \
    "a number that does not fit" targets mine --target-rules own
profile '# '"$(head -c 1100000 /dev/zero | tr '\0' x)"
run targets mine --target-rules own
is 3 "$status" "a profile of more than a megabyte"
like '^opshift: own/mine.yaml: ' "$err" "is refused by name"
printf '[[[[[[[[[[[[' >own/mine.yaml
run targets mine --target-rules own
is 2 "$status" "a profile that nests too deep"
# A constraint holds at the first and at the last of its opsets, and not beyond.
mkdir -p ranged
printf 'target: t\ndescription: d\nsource: s\ndate: 2026-11-21\nconstraints:\n  - {key: k, operator: Neg, opset: 9-11, severity: error, why: w, mend: m, source: s, date: 2026-11-21}\n' >ranged/t.yaml
for at in 8 9 11 12; do
    model at$at $at 4 'g (float[6] x) => (float[6] y) { y = Neg (x) }'
    run lint at$at.onnx --target t --target-rules ranged
    case $at in 9 | 11) wanted=1 ;; *) wanted=0 ;; esac
    is "$wanted" "$(printf '%s\n' "$out" | grep -c 'TGT004')" "a constraint of opsets 9 to 11 at $at"
done

done_testing
