#!/bin/sh
# Small files that request unbounded work or memory: processed or refused within the default limits.
. "${srcdir:-.}/tests/cli/tap.sh"
grep -q 'fsanitize' "$builddir/Makefile" || [ -n "${OPSHIFT:-}" ] || ulimit -v 400000

model() {
    "$opshift" assemble "$1.txt" -o "$1.onnx" || exit 1
}
steps="computing takes more than the limit of 6000000000 steps; raise it with --max-steps"
bytes="the values take more than the limit of 192 MiB; raise it with --max-memory"

# ---- folding ----

cat >lengths.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[4] x) => (float[N] a, float[M] b) <int64[1] d = {1000000}, int64[1] k = {2}> {
    e = ConstantOfShape (d)
    v, i = TopK <axis = 0> (e, k)
    a, b = Split (x, i)
}
MODEL
model lengths
run lint lengths.onnx
is 0 "$status" "lint: lengths that take too long to compute are none that are known"
run convert lengths.onnx --opset 9 -o out.onnx
is 1 "$status" "convert: they block where only constants will do"
like "input 1 is known only at run time (it is computed by TopK, and takes too long to compute)" "$err" "which is said"

cat >expand.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[4] x) => (float[N] a, float[M] b) <int64[1] d = {60000000}, int64[1] i = {1}> {
    e = Expand (i, d)
    a, b = Split (x, e)
}
MODEL
model expand
run lint expand.onnx
is 1 "$status" "lint: sixty million lengths"
like "there are 60000000 lengths and 2 outputs" "$out" "which are counted without being made"
fails 3 "expand.onnx: node 0 (Expand): $bytes" "run: sixty million lengths" run expand.onnx --random

perl -e 'print "<ir_version: 8, opset_import: [\"\" : 13]>\ng (float[4] x) => (float[N] a, float[M] b)
    <int64[1] d = {30000}, int64[1] k = {30000}, int64[1] z = {0}, int64[1] two = {2}> {\n e = ConstantOfShape (d)\n";
    print " v$_, i$_ = TopK <axis = 0> (e, k)\n" for 1 .. 300;
    print " s = Sum (", join(", ", map { "v$_" } 1 .. 300), ")\n t = Cast <to = 7> (s)\n u = Slice (t, z, two)\n";
    print " a, b = Split (x, u)\n}\n"' >sorts.txt
model sorts
run lint sorts.onnx
is 0 "$status" "lint: 300 sorts"
run convert sorts.onnx --opset 9 -o out.onnx
is 1 "$status" "convert: 300 sorts"

# ---- rounds ----

cat >scan.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[4] x) => (float[N, 0] y) <int64[2] d = {1099511627776, 0}> {
    e = ConstantOfShape (d)
    y = Scan <num_scan_inputs = 1, body = b (float[0] v) => (float[0] w) { w = Identity (v) }> (e)
}
MODEL
model scan
fails 3 "scan.onnx: node 1 (Scan): body: node 0 (Identity): $bytes" "a Scan along 2^40 rows of nothing" run scan.onnx --random

cat >stack.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[1] x) => (float[N, 1] y) <int64 n = {4611686018427387904}> {
    y = Loop (n, "") <body = b (int64 i, bool c) => (bool c, float[1] w) { w = Identity (x) }>
}
MODEL
model stack
run run stack.onnx --random
is 3 "$status" "a Loop that stacks without end"
like "^opshift: stack.onnx: node 0 (Loop): .*$bytes$" "$err" "needs memory without end"

cat >empty.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[1] x) => (float[1] y) <int64 n = {4611686018427387904}> {
    y = Loop (n, "", x) <body = b (int64 i, bool c, float[1] v) => (bool c, float[1] v) { }>
}
MODEL
model empty
fails 3 "empty.onnx: node 0 (Loop): computing takes more than the limit of 1000000 steps; raise it with --max-steps" \
    "2^62 rounds of an empty body" run empty.onnx --random --max-steps 1000000
run verify empty.onnx empty.onnx --engine builtin --max-steps 1000000
is 1 "$status" "verify: 2^62 rounds"
like "limit of 1000000 steps" "$out$err" "which is said"

cat >grow.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[1] x) => (float[N] y) <int64 n = {4611686018427387904}> {
    e = SequenceEmpty ()
    z = Loop (n, "", e) <body = b (int64 i, bool c, seq(float[1]) v) => (bool c, seq(float[1]) w) { w = SequenceInsert (v, x) }>
    y = ConcatFromSequence <axis = 0> (z)
}
MODEL
model grow
run run grow.onnx --random --max-steps 100000000
is 3 "$status" "a sequence that grows without end"
like "limit of 100000000 steps; raise it with --max-steps$" "$err" "by work that goes with its length"

perl -e 'print "<ir_version: 8, opset_import: [\"\" : 13, \"l\" : 1]>\ng (float[4] x) => (float[4] y) { y = l.f40 (x) }\n";
    for (0 .. 40) {
        print "<domain: \"l\", opset_import: [\"\" : 13, \"l\" : 1]>\nf$_ (x) => (y) {";
        print $_ ? " a = l.f@{[$_ - 1]} (x) y = l.f@{[$_ - 1]} (a) }\n" : " y = Identity (x) }\n" }' >calls.txt
model calls
run run calls.onnx --random --max-steps 100000000
is 3 "$status" "functions that call each other twice, forty deep"
like "limit of 100000000 steps; raise it with --max-steps$" "$err" "each call is work"

# ---- work that exceeds the number of output elements ----

cat >product.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[1] x) => (float[2000, 2000] y) <int64[2] d = {2000, 2000}> { a = ConstantOfShape (d) y = MatMul (a, a) }
MODEL
model product
fails 3 "product.onnx: node 1 (MatMul): computing takes more than the limit of 1000000000 steps; raise it with --max-steps" \
    "products count one by one" run product.onnx --random --max-steps 1000000000

cat >texts.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g () => (string[N] y) <int64[1] n = {2000000}, string[1] t = {"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"}> {
    y = Expand (t, n)
}
MODEL
model texts
fails 3 "texts.onnx: $bytes" "a text that stands in many places" run texts.onnx

cat >read.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g () => (int64 y) <int64[1] n = {1000000}, string[1] t = {"12"}> {
    a = Expand (t, n)
    b = Cast <to = 7> (a)
    y = ReduceSum <keepdims = 0> (b)
}
MODEL
model read
run run read.onnx --max-steps 600000000
is "0 y  int64  12000000" "$status $out" "short texts cost what they hold"
sed 's/"12"/"000000000000000000000000000000000000000000000000000012"/' read.txt >long.txt
model long
fails 3 "long.onnx: node 1 (Cast): computing takes more than the limit of 600000000 steps; raise it with --max-steps" \
    "longer ones more" run long.onnx --max-steps 600000000

# ---- drawing ----

perl -e 'my @x = map { "x$_" } 1 .. 20000;
    print "<ir_version: 8, opset_import: [\"\" : 13]>\ng (", join(", ", map { "float[A$_, B$_, C$_] $_" } @x);
    print ") => (float[N, M, K] y) { y = Sum (", join(", ", @x), ") }\n"' >dims.txt
model dims
run verify dims.onnx dims.onnx --engine builtin
case $status in 0 | 1) ok 0 "60,000 symbolic dims are drawn" ;; *) ok 1 "60,000 symbolic dims are drawn" ;; esac
cat >large.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[100000000] x, float[N] z) => (float[100000000] y) { y = Relu (x) }
MODEL
model large
fails 3 "large.onnx: input 'x' cannot be drawn: all drawn inputs may take 192 MiB; raise it with --max-memory" \
    "an input of 400 MB" run large.onnx --random --shape N=1

done_testing
