#!/bin/sh
# Fixed limits of the library and the command, each at its edge: the greatest that is accepted, and one more.
. "${srcdir:-.}/tests/cli/tap.sh"

# models LETTER PERL N...: assembles LETTER<N>.onnx of what the Perl code prints, which has N in $n.
models() {
    letter=$1 code=$2
    shift 2
    for n; do
        perl -e 'use strict; use warnings; my ($code, $n) = @ARGV; eval $code; die $@ if $@' "$code" "$n" >"$letter$n.txt"
        "$opshift" assemble "$letter$n.txt" -o "$letter$n.onnx" || ok 1 "$letter$n assembles"
    done
}

# ---- types ----

models nested 'my ($open, $close) = ("seq(" x $n, ")" x $n);
    print "<ir_version: 8, opset_import: [\"\" : 16]> g (${open}float[2]$close s) => (${open}float[2]$close t) { u = Identity (s) t = Identity (u) }"' 7 8
run infer nested7.onnx -o out.onnx
like '1 added' "$out$err" "seven declared sequences inside each other: the type is written"
run infer nested8.onnx -o out.onnx
like '0 added' "$out$err" "eight: it is not, as its text is cut"

# A sequence that nodes make: its type's text has at most 64 letters around what it holds.
models held 'print "<ir_version: 8, opset_import: [\"\" : 16]> g (float[2] x) => (y) { k = Constant <value_int = 0> () s0 = Identity (x) ";
    print "s$_ = SequenceConstruct (s", $_ - 1, ") " for 1 .. $n; print "e$n = Identity (s$n) ";
    print "e", $_ - 1, " = SequenceAt (e$_, k) " for reverse 1 .. $n; print "y = Identity (e0) }"' 11 12
run infer held11.onnx -o out.onnx
like 'float\[2\] y' "$("$opshift" show --text out.onnx)" "eleven sequences that nodes put inside each other: the shape of what they hold is kept"
run infer held12.onnx -o out.onnx
! "$opshift" show --text out.onnx | grep -q 'float\[2\] y'
ok $? "twelve: it is not"

models declared 'my ($open, $close) = ("seq(" x $n, ")" x $n); print "<ir_version: 8, opset_import: [\"\" : 16]> g (${open}float[2]$close s) => (y) { k = Constant <value_int = 0> () e$n = Identity (s) ";
    print "e", $_ - 1, " = SequenceAt (e$_, k) " for reverse 1 .. $n; print "y = Identity (e0) }"' 8 9
run infer declared8.onnx -o out.onnx
like 'float\[2\] y' "$("$opshift" show --text out.onnx)" "eight declared sequences inside each other: so, too"
run infer declared9.onnx -o out.onnx
! "$opshift" show --text out.onnx | grep -q 'float\[2\] y'
ok $? "nine: not"

# A Loop is inferred again until its carried shapes are steady, at most six times.
models carried 'print "<ir_version: 8, opset_import: [\"\" : 16]> g (int64 m, bool c, float[2] x) => (float[N] y) { y = Loop (m, c, x", (", x" x $n), ") <body = b (int64 i, bool d, float[A] s0", (map { ", float[B$_] s$_" } 1 .. $n), ") => (bool e, float[C] t0",(map { ", float[D$_] t$_" } 1 .. $n), ") { e = Identity (d) t0 = Concat <axis = 0> (s0, s0) ", (map { "t$_ = Identity (s" . ($_ - 1) . ") " } 1 .. $n), "}> }"' 3 4
run infer carried3.onnx -o out.onnx
like 'float\[B3\] s3' "$("$opshift" show --text out.onnx)" "shapes of a loop that are steady after six rounds"
run infer carried4.onnx -o out.onnx
like 'float\[\] s3, float\[\] s4' "$("$opshift" show --text out.onnx)" "shapes that would take one more are unknown"

# ---- depth ----

models calls 'print "<ir_version: 8, opset_import: [\"\" : 16, \"f\" : 1]> g (float[2] x) => (y) { y = f.F$n (x) }\n";
    print "<domain: \"f\", opset_import: [\"\" : 16, \"f\" : 1]> F$_ (x) => (y) { y = ", $_ == 1 ? "Relu" : "f.F" . ($_ - 1), " (x) }\n" for 1 .. $n' 100 101
run infer calls100.onnx -o out.onnx
like '1 values, 1 with a whole shape' "$out$err" "a hundred calls inside each other: the shape of the output follows"
run infer calls101.onnx --limit calls=200 -o out.onnx
like '1 values, 0 with a whole shape, 1 without a rank' "$out$err" "a hundred and one: it stays unknown"

# Enclosing nodes in an error: the four innermost.
models places 'sub body { my ($k) = @_; $k == 0 ? "b0 = Split <axis = 0> (x)" : "b$k = If <then_branch = t$k () => (b" . ($k - 1) . ") { " . body($k - 1) . " }, else_branch = e$k () => (c$k) { c$k = Relu (x) }> (c)" }
    print "<ir_version: 8, opset_import: [\"\" : 13]> g (bool c, float[2] x) => (float[2] y) { y = If <then_branch = t () => (b$n) { ", body($n), " }, else_branch = e () => (z) { z = Relu (x) }> (c) }"' 2 5
run show places2.onnx --limit nodes=3
is "opshift: places2.onnx: node 0 (If): node 0 (If): node 0 (If): byte 99: more than 3 nodes; if the file is to be trusted, raise the limit 'nodes'" \
    "$err" "an error names three nodes around its place"
run show places5.onnx --limit nodes=6
is "opshift: places5.onnx: node 0 (If): node 0 (If): node 0 (If): node 0 (If): byte 198: more than 6 nodes; if the file is to be trusted, raise the limit 'nodes'" \
    "$err" "and at most four"

# bodies DEPTH: a rule whose body has so many lines `if` inside each other.
bodies() {
    mkdir -p opset-17
    perl -e 'print "op: LayerNormalization\nwhy: w\ndown:\n  - replace:\n      kind: definition\n      body: |\n        ", "if true: " x $ARGV[0], "Y = Neg (X)\n"' "$1" >opset-17/if.yaml
    run rules check opset-17/if.yaml
}
bodies 16
is 0 "$status" "the body of a rule: sixteen lines \`if\` inside each other"
bodies 17
is 'opshift: opset-17/if.yaml:7:153: more than 16 lines `for` and `if` inside each other' "$err" "seventeen"

# cases DEPTH: a case below so many directories, beside one at the top.
cases() {
    path=cases$1
    i=0
    while [ $i -lt "$1" ]; do
        path=$path/d i=$((i + 1))
    done
    mkdir -p "$path" "cases$1/case" && cp places2.onnx "$path/model.onnx" && cp places2.onnx "cases$1/case/model.onnx"
    run test -r "cases$1"
}
cases 17
like '# 0 passed, 0 failed, 2 skipped' "$out" "test -r: a case seventeen directories deep is found"
cases 18
is 4 "$status" "one deeper: exit status 4"
deep=cases18/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d
like "^opshift: $deep: is more than 16 directories deep; name a directory nearer to it\$" "$err" "in these words"
like '# 0 passed, 0 failed, 1 skipped' "$out" "the others are run all the same"

# ---- chains ----

models chain 'print "<ir_version: 8, opset_import: [\"\" : 16]> g (float[6] x) => (float y) <int64 k = {6}> { s0 = SplitToSequence <axis = 0, keepdims = 0> (x)\n";
    print "s$_ = Identity (s", $_ - 1, ")\n" for 1 .. $n; print "y = SequenceAt (s$n, k) }"' 63 64
run lint chain63.onnx
like 'SEQ008 sequence-position' "$out" "a sequence is followed through 63 nodes"
run lint chain64.onnx
like ': 0 errors, 0 warnings, 0 notes' "$out" "and no further"
models loop 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (float[2] x) => (float[2] y) <int64 n = {4611686018427387904}, bool k = {1}> { y = Loop (n, k, x) <body = b (int64 i, bool c0, float[2] s) => (bool d, float[2] t) { ";
   print "c$_ = Identity (c", $_ - 1, ") " for 1 .. $n; print "d = Identity (c$n) t = Add (s, s) }> }"' 62 63
run lint loop62.onnx
like 'LOD008 endless-loop' "$out" "the condition of a Loop is followed through 63 Identity nodes"
run lint loop63.onnx
like ': 0 errors, 0 warnings, 0 notes' "$out" "and no further"

# ---- lists ----

models inputs 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (", join(", ", map { "float i$_" } 1 .. $n), ") => (float y) { y = Neg (i1) }"' 10000 10001
run show inputs10000.onnx -f json
is 0 "$(printf '%s\n' "$out" | grep -c inputs_left_out)" "show: ten thousand inputs are described"
run show inputs10001.onnx -f json
like '"inputs_left_out": 1' "$out" "one more is counted"
is 10000 "$(printf '%s\n' "$out" | grep -c '"name": "i')" "and left out"

models outputs 'print "<ir_version: 8, opset_import: [\"\" : 18]> g (float[$n] x) => (float[1] y) { y = Split <axis = 0, num_outputs = $n> (x) }"' 1024 1025
run lint --fix outputs1024.onnx
like '; 1 fixed' "$out" "lint --fix names 1024 outputs of a Split"
run lint --fix outputs1025.onnx
like '1 warning, 0 notes$' "$out" "and no more"

models value 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (float x) => (float y) { y = Neg <doc = \"", "a" x $n, "\"> (x) }"' 501 502
run show --nodes value501.onnx
is 0 "$(printf '%s\n' "$out" | grep -c '= \.\.\.')" "show --nodes: an attribute of 512 bytes is written"
run show --nodes value502.onnx
is 1 "$(printf '%s\n' "$out" | grep -c '= \.\.\.')" "one of 513 is not"

models name 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (float x) => (float y) { y = Neg <", "a" x $n, " = 1> (x) }"' 65536 65537
run show --nodes name65536.onnx
is 0 "$status" "show: an attribute whose name has 65536 letters"
fails 3 "name65537.onnx: byte 25: an attribute's name has 65537 bytes; the most is 65536" "and one more" show --nodes name65537.onnx

models stem 'my $y = "y" x $n; print "<ir_version: 8, opset_import: [\"\" : 18]> g (float[4] x) => (float[1] $y) { $y = Split <axis = 0, num_outputs = 4> (x) }"' 80 81
run lint --fix stem80.onnx
like ', yyy[y]*_unread, yyy[y]*_unread_1,' "$("$opshift" show --text stem80.onnx)" "a derived name begins with one of 80 letters"
run lint --fix stem81.onnx
like ', unread, unread_1,' "$("$opshift" show --text stem81.onnx)" "not with a longer one"

models page 'my $y = "y" x $n; print "<ir_version: 8, opset_import: [\"\" : 11]> g (float[4] x) => (float[2] $y, float[2] z) { $y, z = Split <axis = 0, split = [2, 2]> (x) }"' 36 37
run convert page36.onnx --opset 13 --verify -o out.onnx --report page36.html
is 4 "$(grep -o '>y\{36\}<' page36.html | wc -l)" "the page of a verification: a name of 36 letters is whole"
run convert page37.onnx --opset 13 --verify -o out.onnx --report page37.html
is 3 "$(grep -o '>y\{35\}…<' page37.html | wc -l)" "of a longer one 35"

models pieces 'print "<ir_version: 8, opset_import: [\"\" : 11]> g (float[4] x) => (float[2] y$n) {";
    print " y$_, z$_ = Split <axis = 0, split = [2, 2]> (x)" for 1 .. $n; print "}"' 2000 2001
for n in 2000 2001; do
    run convert pieces$n.onnx --opset 13 --verify -o out.onnx --report pieces$n.html
    is 2000 "$(grep -c '<h3' pieces$n.html)" "$n rewritten nodes: two thousand are drawn"
done
is 0 "$(grep -c 'the certificate in JSON has them all' pieces2000.html)" "two thousand are all"
like '<p>And 1 more; the certificate in JSON has them all.<' "$(cat pieces2001.html)" "one more is counted"

# dims N: a tensor with so many dims.
dims() {
    perl -e '
        sub varint { my ($n) = @_; my $s = ""; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
        sub field { chr($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }
        my $tensor = field(1, "\x01" x $ARGV[0]) . "\x10\x01" . field(8, "w") . field(9, "\0" x 4);
        print "\x08\x08", field(7, field(5, $tensor)), "\x42\x04\x0a\x00\x10\x0d"' "$1" >"dims$1.onnx"
    run lint "dims$1.onnx"
}
dims 65536
like "tensor 'w': it has 65536 dims, and at most 64 are read; reshape it \[LIM007 too-many-dims\]" "$out" "a tensor of 65536 dims: they are counted"
dims 65537
like 'error: more than 65536 numbers \[PRT016 unreadable-part\]' "$out" "one more is not read"

done_testing
