#!/bin/sh
# Running whole models before and after: right conversions pass, planted faults and crashes are reported.
. "${srcdir:-.}/tests/cli/tap.sh"

model() {
    cat >"$1.txt"
    "$opshift" assemble "$1.txt" -o "$1.onnx"
}

model before <<'MODEL'
< ir_version: 8, opset_import: ["" : 11] >
g (float[N,6] x) => (float[N,K] a, float[N,L] b) { p, q = Split <axis = 1, split = [2, 4]> (x) a = Neg (p) b = Abs (q) }
MODEL
# after NAME LENGTHS AXIS NEG ABS: a possible result of converting it to 13.
after() {
    model "$1" <<MODEL
< ir_version: 8, opset_import: ["" : 13] >
g (float[N,6] x) => (float[N,K] a, float[N,L] b) <int64[2] l = {$2}> {
  p, q = Split <axis = $3> (x, l) a = $4 (p) b = $5 (q) }
MODEL
}
after right "2, 4" 1 Neg Abs
after swapped "4, 2" 1 Neg Abs
after axis "2, 4" 0 Neg Abs
after operator "2, 4" 1 Exp Abs

with() {
    engine=$1
    run verify before.onnx right.onnx --engine "$engine"
    is 0 "$status" "$engine: a right conversion: exit status 0"
    like "^whole model: tested by $engine .*; 3 runs: x=2x6, seed 0; x=6x6, seed 1; x=3x6, seed 2$" "$out" \
        "$engine: three draws, with their shapes and seeds"
    run verify before.onnx swapped.onnx --engine "$engine"
    is 1 "$status" "$engine: swapped lengths: exit status 1"
    like "^whole model: differs by $engine .*: output 'a': the shape is \[2,4\], expected \[2,2\]: x=2x6, seed 0$" "$out" \
        "$engine: they are told"
    run verify before.onnx axis.onnx --engine "$engine"
    is 1 "$status" "$engine: another axis: exit status 1"
    like "^whole model: differs by $engine " "$out" "$engine: it is told"
    run verify before.onnx operator.onnx --engine "$engine"
    is 1 "$status" "$engine: another operator: exit status 1"
    like "^whole model: differs by $engine .*: output 'a'" "$out" "$engine: the output is named"
}
with builtin

run convert before.onnx --opset 13 -o made.onnx --verify --engine builtin --draws 1 --report report.json
is 0 "$status" "convert --verify --engine: exit status 0"
like "^whole model: tested by builtin .*; 1 run: x=2x6, seed 0$" "$out" "it says what was run"
perl -MJSON::PP -e 'local $/; open my $f, "<", "report.json"; my $w = decode_json(<$f>)->{verify}{whole};
    exit(!($w->{verdict} eq "tested" && $w->{engine} eq "builtin" && $w->{draws}[0]{seed} eq "0"
    && $w->{draws}[0]{shapes}[0] eq "x=2x6"))'
ok $? "and the certificate has it"

model foreign <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "my" : 1] >
g (float[6] x) => (float[6] y) { y = my.Op (x) }
MODEL
run verify foreign.onnx foreign.onnx --engine builtin
is 1 "$status" "a model that cannot be run: exit status 1"
is "opshift: foreign.onnx: the whole model was not run; the report shows why" "$err" "its message"
like "^whole model: not run by builtin .*: foreign.onnx: the built-in engine has no kernel for my.Op " "$out" "and why"

fails 2 "verify: option '--draws' needs --engine; add it" "draws without an engine" \
    verify before.onnx right.onnx --draws 2
fails 2 "verify: option '--tolerance': 'much' must be written as REL or REL,ABS" "a tolerance that is none" \
    verify before.onnx right.onnx --engine builtin --tolerance much
fails 2 "convert: option '--engine' needs --verify; add it" "an engine without verification" \
    convert before.onnx --opset 13 -o made.onnx --engine builtin
run verify before.onnx right.onnx --engine onnxruntime --ort /absent.so
is 2 "$status" "an engine that is not here: exit status 2"

# The rest needs ONNX Runtime.
(. "$tests/cli/ort.sh") >probe 2>&1 || :
if grep -q "SKIP\|skip" probe; then
    echo "# ONNX Runtime is not here: its part is left out"
else
    . "$tests/cli/ort.sh"
    with onnxruntime
    # A runtime that does not support the opset gives no result about the conversion.
    sed 's/"" : 13/"" : 28/' right.txt >newest.txt
    "$opshift" assemble newest.txt -o newest.onnx
    if ! "$opshift" run newest.onnx --random --shape N=2 --engine onnxruntime >/dev/null 2>&1; then
        run verify before.onnx newest.onnx --engine onnxruntime
        is 1 "$status" "an opset beyond it: exit status 1"
        like "^whole model: not run by onnxruntime " "$out" "not run, rather than different"
    fi
    model plain <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[6] x) => (float[3] a) { a, b = Split <axis = 0> (x) }
MODEL
    model nameless <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[6] x) => (float[3] a) { a, "" = Split <axis = 0> (x) }
MODEL
    if ! "$opshift" run nameless.onnx --random --engine onnxruntime >/dev/null 2>&1; then
        run verify plain.onnx nameless.onnx --engine onnxruntime
        is 1 "$status" "a model that makes it crash: exit status 1"
        like "it ran before, and does not any more: nameless.onnx: ONNX Runtime crashed: signal 11 " "$out" "it is told"
        run verify nameless.onnx nameless.onnx --engine onnxruntime
        is 1 "$status" "one that crashed it before too was not run: exit status 1"
        like "^whole model: not run by onnxruntime .* crashed: signal 11 " "$out" "with the reason"
    fi
fi

# There and back: other operators at the same opset are compared by value, or (--nothing-else) neither called a
# difference nor equal, and both models are run.
printf '<ir_version: 8, opset_import: ["" : 17]> m (float[3, 3] x) => (float[3, 3] y, float[9] z) <int64[1] s = {9}> {
    h = HardSwish (x) y = Trilu (h) z = Reshape <allowzero = 0> (y, s) }' >there.txt
run assemble there.txt -o there.onnx
run convert there.onnx --opset 11 -o down.onnx
run convert down.onnx --opset 17 -o back.onnx
run verify there.onnx back.onnx
is 0 "$status" "there and back: the same computation"
like "^node 0 (HardSwish) *tested *HardSwish -> HardSigmoid, Mul: within " "$out" "how far floats are apart is told"
run verify there.onnx back.onnx --nothing-else
is 1 "$status" "there and back: not equal"
like "HardSwish is the same at both opsets: the operator; runs differ by no more than rounding: output 'h'" "$out" "the node that is rounded otherwise"
like "Trilu is the same at both opsets: the operator; runs on drawn inputs show no difference" "$out" "the node that is computed otherwise"
like "^whole model: tested by builtin .*: on drawn inputs alone: an engine proves nothing; 3 runs" "$out" "both models were run"
like "not shown to be the same; .* 1 by rule, 0 assumed, 0 differs, 2 not shown" "$out" "and the answer is that it is not shown"
like "^opshift: back.onnx: 2 nodes of there.onnx are not shown to do the same here" "$err" "as the message says"
sed 's/Trilu (h)/Trilu <upper = 0> (h)/' there.txt >lower.txt
run assemble lower.txt -o lower.onnx
run verify lower.onnx back.onnx
like "^node 1 (Trilu) *differs " "$out" "what runs show to differ differs"

done_testing
