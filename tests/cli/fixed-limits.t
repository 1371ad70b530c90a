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
models carried 'print "<ir_version: 8, opset_import: [\"\" : 16]> g (int64 m, bool c, float[2] x) => (float[N] y) { y = Loop (m, c, x", (", x" x $n), ") <body = b (int64 i, bool d, float[A] s0", (map { ", float[] s$_" } 1 .. $n), ") => (bool e, float[C] t0",(map { ", float[] t$_" } 1 .. $n), ") { e = Identity (d) t0 = Concat <axis = 0> (s0, s0) ", (map { "t$_ = Identity (s" . ($_ - 1) . ") " } 1 .. $n), "}> }"' 3 4
run infer carried3.onnx -o out.onnx
like 'float\[?\] s3' "$("$opshift" show --text out.onnx)" "shapes of a loop that are steady after six rounds"
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

models constructed 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (float[2] x) => (float[] y) { s = SequenceConstruct (", join(", ", ("x") x $n), ") y = ConcatFromSequence <axis = 5> (s) }"' 255 256
run lint constructed255.onnx
like 'SEQ012 sequence-concat-axis' "$out" "the ranks of 255 inputs of a SequenceConstruct are compared"
run lint constructed256.onnx
like ': 0 errors, 0 warnings, 0 notes' "$out" "and no more"

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
is 3 "$(grep -o '>y\{14\}…[a-z_]\{21\}<' page37.html | wc -l)" "of a longer one 35, its beginning and its end"

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

# ---- what show and lint print ----

models operators 'my @o = qw(Neg Abs Relu Exp Floor Ceil Sqrt Sin Cos); print "<ir_version: 8, opset_import: [\"\" : 13]> g (float x) => (float y) {", (map { " t$_ = $o[$_] (x)" } 0 .. $n - 1), " y = Neg (x) }"' 8 9
run show operators8.onnx
like '^operators  *2 Neg, 1 Abs, 1 Ceil, 1 Exp, 1 Floor, 1 Relu, 1 Sin, 1 Sqrt$' "$out" "show: eight operators"
run show operators9.onnx
like '^operators  *2 Neg, 1 Abs, 1 Ceil, 1 Cos, 1 Exp, 1 Floor, 1 Relu, 1 Sin, and 1 others$' "$out" "and one more"

models lengths 'print "<ir_version: 8, opset_import: [\"\" : 11]> g (float[$n] x) => (float[1] y1) { ", join(", ", map { "y$_" } 1 .. $n), " = Split <axis = 0, split = [", join(", ", (1) x $n), "]> (x) }"' 16 17
run show lengths16.onnx
like '  \[\(1,\)\{15\}1\]  ' "$out" "sixteen lengths of a Split"
run show lengths17.onnx
like '  \[\(1,\)\{16\}\.\.\.\]  ' "$out" "and one more"

models metadata 'print "<ir_version: 8, opset_import: [\"\" : 13], metadata_props: [\"k\": \"", "v" x $n, "\"]> g (float x) => (float y) { y = Neg (x) }"' 65529 65530
run show metadata65529.onnx -f json
is 1 "$(printf '%s\n' "$out" | grep -c vvvv)" "metadata of 65536 bytes"
run show metadata65530.onnx -f json
is 0 "$(printf '%s\n' "$out" | grep -c vvvv)" "and one more"

models imports 'print "<ir_version: 8, opset_import: [\"\" : 13", (map { ", \"d$_\" : 1" } 2 .. $n), "]> g (float x) => (float y) { y = Neg (x) }"' 1000 1001
run show imports1000.onnx
is 0 "$status" "a thousand opset imports"
fails 3 "imports1001.onnx: more than 1000 opset imports" "and one more" show imports1001.onnx

# A name is compared with all others, for four million comparisons in all.
models missing 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (float x) => (float y) {", (map { " t$_ = Neg (tt$_)" } 1 .. $n), " y = Neg (x) }"' 1400 1500
run lint missing1400.onnx --limit findings=2000
is 1400 "$(printf '%s\n' "$out" | grep -c 'did you mean')" "lint: a name is proposed for each of 1400 that are defined nowhere"
run lint missing1500.onnx --limit findings=2000
like "input 'tt1500' is defined nowhere; define it by a node" "$out" "not for all of 1500"

# numbers N: a bool tensor of N integers, the last of which is no bool.
numbers() {
    perl -e '
        sub varint { my ($n) = @_; my $s = ""; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
        sub field { chr($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }
        my $tensor = field(1, varint($ARGV[0])) . "\x10\x09" . field(5, "\x01" x ($ARGV[0] - 1) . "\x02") . field(8, "w");
        print "\x08\x08", field(7, field(5, $tensor)), "\x42\x04\x0a\x00\x10\x0d"' "$1" >"numbers$1.onnx"
    run lint "numbers$1.onnx"
}
numbers 65536
like "tensor 'w': element 65535 in int32_data is 2, and a bool is 0 to 1 there; correct it \[PRT070 tensor-range\]" "$out" \
    "the elements of a tensor of 65536 are looked at"
numbers 65537
is 0 "$(printf '%s\n' "$out" | grep -c PRT070)" "not those of a longer one"

# directories DEPTH: a model below so many directories.
directories() {
    path=directories$1
    i=0
    while [ $i -lt "$1" ]; do
        path=$path/d i=$((i + 1))
    done
    mkdir -p "$path" && cp places2.onnx "$path/model.onnx"
    run lint -r "directories$1"
}
directories 256
like '^1 file checked' "$out" "lint -r: a model 256 directories deep is found"
directories 257
is 4 "$status" "one deeper: exit status 4"
like '^opshift: directories257/d/.*: is more than 256 directories deep; name a directory nearer to it$' "$err" "in these words"

# ---- what export writes ----

models reasons 'print "<ir_version: 8, opset_import: [\"\" : 11]> g (float[4] x) => (float[2] y, float[2] z) { y, z = Split <axis = 0> (x)", (map { " a$_ = Hardmax (x)" } 1 .. $n), " }"' 50 51
run export reasons50.onnx --to openvino -o out.xml
is 50 "$(grep -c Hardmax out.xml)" "export: fifty reasons why the file has each Split alone"
run export reasons51.onnx --to openvino -o out.xml
is "50 and 1 more" "$(grep -c Hardmax out.xml) $(grep '^and' out.xml)" "and one more"

# The identifier of a Split in C: the index and 40 letters of the node's name.
models stem 'my $y = "n" x $n; print "<ir_version: 8, opset_import: [\"\" : 11]> g (float[4] x) => (float[2] y, float[2] z) { y, z = Split <axis = 0> (x) }"' 1
for n in 39 40; do
    perl -e '
        my $n = shift;
        sub varint { my ($n) = @_; my $s = ""; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
        sub field { chr($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }
        my $type = field(1, "\x08\x01" . field(2, field(1, "\x08\x04")));
        my $half = field(1, "\x08\x01" . field(2, field(1, "\x08\x02")));
        my $node = field(1, "x") . field(2, "y") . field(2, "z") . field(3, "n" x $n) . field(4, "Split");
        print "\x08\x08", field(7, field(1, $node) . field(2, "g") . field(11, field(1, "x") . field(2, $type)) . field(12, field(1, "y") . field(2, $half))
            . field(12, field(1, "z") . field(2, $half))), "\x42\x04\x0a\x00\x10\x0b"' $n >stem.onnx
    run export stem.onnx --to directml -f c -o out.c
    is 1 "$(grep -oE 'split_0_n{39}[a-z_]*' out.c | sort -u | grep -c "^split_0_n\{39\}_desc")" "directml: 39 letters of a node's name of $n"
done

# ---- what lint --fix changes ----

# fixed MODEL WANTED WHAT: how many findings `lint --fix` fixes.
fixed() {
    run lint --fix "$1.onnx" --limit findings=5000
    is "$2" "$(printf '%s\n' "$out" | sed -n 's/.*; \([0-9]*\) fixed$/\1/p')" "$3"
}

models dead 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (float x) => (float y) { d0 = Neg (x) ", (map { "d$_ = Neg (d" . ($_ - 1) . ") " } 1 .. $n - 1), "y = Abs (x) }"' 32 33
fixed dead32 32 "lint --fix: 32 nodes, each of which is read by the next alone, are removed in as many rounds"
fixed dead33 32 "of 33 one stays"

models renamed 'my $name = "n" x $n; print "<ir_version: 8, opset_import: [\"\" : 13]> g (float x) => (float y) { [$name] t = Neg (x) [$name] y = Abs (t) }"' 1024 1025
fixed renamed1024 1 "a node name of 1024 bytes that is there twice gets a number"
fixed renamed1025 "" "a longer one stays"

# An entry of metadata: its key and value, and seven bytes beside them.
models entry 'print "<ir_version: 8, opset_import: [\"\" : 13], metadata_props: [", join(", ", ("\"k\": \"" . "v" x $n . "\"") x 2), "]> g (float x) => (float y) { y = Neg (x) }"' 1048569 1048570
fixed entry1048569 1 "of two equal entries of metadata of 1 MiB one is removed"
fixed entry1048570 "" "not of larger ones"

models record 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (float x) => (float y) { t = Neg (x) [", "n" x $n, "] d = Neg (x) y = Abs (t) }"' 65517 65518
run lint --diff record65517.onnx
like '^-.*d = Neg (x)' "$out" "lint --diff: a record of 64 KiB is shown"
run lint --diff record65518.onnx
like '^-# 65537 bytes$' "$out" "of a larger one the size"

# ---- names in findings ----

# The graphs around a node: 64 bytes for each of the first, one more or not for the last.
models around 'my ($open, $close) = ("", ""); for (1 .. 8) { $open .= "[" . "n" x ($_ == 8 ? $n : 37) . "] o$_ = If (c) <then_branch = t () => (p$_) { "; $close = "p$_ = Neg (x) }, else_branch = e () => (q$_) { q$_ = Neg (x) }> " . $close }
    print "<ir_version: 8, opset_import: [\"\" : 13]> g (bool c, float x) => (float o1) { $open w = Nothing (x) $close }"' 37 38
run lint around37.onnx
is 8 "$(printf '%s\n' "$out" | grep OPS003 | grep -o "node 'n\{37\}' (If): then_branch: " | wc -l)" "the graphs around a node are named in 512 bytes"
run lint around38.onnx
like 'nnn\.\.\..*OPS003' "$out" "more are shortened"

# ---- verify ----

# Constants that are drawn as elements, since what is compared reads them.
models clip 'print "<ir_version: 8, opset_import: [\"\" : 10]> g (float[1] x) => (float[1] y) { y = Clip <min = 0.0, max = 100000.0> (x) }"' 10
models equal 'print "<ir_version: 8, opset_import: [\"\" : 11]> g (float[1] x) => (float[1] y) <float a = {0}, float b = {100000}, float[$n] k = {", join(", ", ("12345.75") x $n), "}> { c = Clip (x, a, b) e = Equal (x, k) f = Cast <to = 1> (e) r = ReduceMax <axes = [0]> (f) y = Add (c, r) }"' 16 17
run verify --nothing-else clip10.onnx equal16.onnx
like "element 0 of shape \[1\]: 12346.75 was 12345.75" "$out" "the numbers of a constant of sixteen elements are drawn"
run verify --nothing-else clip10.onnx equal17.onnx
like "runs on drawn inputs show no difference" "$out" "those of a larger one are not"

for order in "1 .. \$n" "reverse 1 .. \$n"; do
    models "$(echo $order | cut -c1)graphs" 'print "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 1]> g (float x) => (float y) { y = my.Op <", join(", ", (map { "a$_ = b$_ (float i) => (float o) { o = Neg (i) }" } '"$order"')), "> (x) }"' 16 17
done
run verify 1graphs16.onnx rgraphs16.onnx
is 0 "$status" "sixteen graphs of a node in another order are the same"
run verify --nothing-else 1graphs17.onnx rgraphs17.onnx
like "differs  is another, though Op is the same at both opsets: attribute 'a17'$" "$out" "seventeen are compared in order"

assemble sequence <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[4] x) => (float[2] y) <int64[2] l = {2, 2}> { k = Constant <value_int = 0> () s = SplitToSequence <axis = 0> (x, l) p = SequenceAt (s, k) y = Relu (p) }
MODEL
models part 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (float[4] x) => (float[2] y) <int64[2] l = {2, 2}> { i0, b = Split <axis = 0> (x, l) ", (map { "i$_ = Identity (i" . ($_ - 1) . ") " } 1 .. $n), "p = Identity (i$n) y = Relu (p) }"' 14 15
run verify --nothing-else sequence.onnx part14.onnx
like "proved  *the same list of lengths, and each tensor is the same part" "$out" "a tensor of a sequence, behind 15 Identity nodes in the other model"
run verify --nothing-else sequence.onnx part15.onnx
like "tested  *not proved: 'p' is not seen to be an output of a Split" "$out" "behind 16 it is not found"

# refusals MODEL: how many draws in a row are refused, at most, before one that is accepted. What a seed draws does not
# matter: after a seed from which no draw is accepted, the next from which one is has as many before it as there may be.
refusals() {
    seed=0 refused=no
    while [ $seed -lt 500 ]; do
        run verify "$1" "$1" --engine builtin --draws 1 --seed $seed
        accepted=$(printf '%s\n' "$out" | sed -n 's/^whole model: .*, seed \([0-9]*\)$/\1/p')
        [ "$refused" = yes ] && [ -n "$accepted" ] && echo $((accepted - seed)) && return
        refused=no
        [ -n "$accepted" ] || refused=yes
        seed=$((${accepted:-$seed} + 1))
    done
}
assemble many <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[1] x) => (float[1] y) <float h = {1000}, float[20] k = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}>
{ m = Mul (x, h) i = Cast <to = 7> (m) y = Gather (k, i) }
MODEL
is 16 "$(refusals many.onnx)" "sixteen draws may be refused, each for a reason of its own"
assemble one <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[1] x) => (float[1] y) <float h = {0}, int64 m = {100}, float[1] k = {1}>
{ b = Less (x, h) i = Cast <to = 7> (b) j = Mul (i, m) y = Gather (k, j) }
MODEL
is 2 "$(refusals one.onnx)" "two for the same reason"

# ---- constants and parameters ----

models folded 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (float[1, 2] x) => (float[2] y) <int64[1] s0 = {0}> { ", (map { "s$_ = Neg (s" . ($_ - 1) . ") " } 1 .. $n), "y = Squeeze (x, s$n) }"' 63 64
run convert folded63.onnx --opset 12 -o out.onnx
is 0 "$status" "a constant that 63 nodes in a row compute"
run convert folded64.onnx --opset 12 -o out.onnx
like 'input 1 is known only at run time' "$err$out" "64 are too many"

models handed 'print "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]> g (float[2, 6] x) => (float[2, 3] a, float[2, 3] b) { a, b = f.F$n <p = 1> (x) }\n";
    print "<domain: \"f\", opset_import: [\"\" : 13, \"f\" : 1]> F$_ <p> (x) => (a, b) { a, b = ", $_ == 1 ? "Split <axis: int = \@p> (x)" : "f.F" . ($_ - 1) . " <p: int = \@p> (x)", " }\n" for 1 .. $n' 64 66
run convert handed64.onnx --opset 1 -o out.onnx --limit calls=300
is 0 "$status" "an axis that 64 functions hand on"
run convert handed66.onnx --opset 1 -o out.onnx --limit calls=300
like "axis is the function's attribute and may be negative" "$err$out" "of more it is unknown"

models named 'print "<ir_version: 8, opset_import: [\"\" : 13, \"d\" : 1]> g (float[4] x) => (float[A] y, float[B] z) { y, z = d.F <s = [1, 3]> (x) }\n";
    print "<domain: \"d\", opset_import: [\"\" : 13]> F <s> (x) => (y, z) { l0 = Constant <value_ints : ints = \@s> () ", (map { "l$_ = Identity (l" . ($_ - 1) . ") " } 1 .. $n), "y, z = Split (x, l$n) }"' 15 16
run convert named15.onnx --opset 11 -o out.onnx
like 'y, z = Split <split : ints = @s> (x)' "$("$opshift" show --text out.onnx)" "a list that is a function's attribute, behind 15 Identity nodes"
run convert named16.onnx --opset 11 -o out.onnx
is 0 "$("$opshift" show --text out.onnx | grep -c 'Split <split : ints = @s>')" "behind 16 it is not found"

models given 'print "<ir_version: 8, opset_import: [\"\" : 12, \"d\" : 1]> g (float[2] x) => (float[2] y$n) { l = Constant <value = float {0.25}> () ", (map { "y$_ = d.F (x, l) " } 1 .. $n), "}\n";
    print "<domain: \"d\", opset_import: [\"\" : 12]> F (x, lo) => (y) { y = Clip (x, lo) }"' 1024 1025
run convert given1024.onnx --opset 6 -o out.onnx
like 'y = Clip <min = 0.25> (x)' "$("$opshift" show --text out.onnx)" "a constant that 1024 calls give"
run convert given1025.onnx --opset 6 -o out.onnx
like "Clip is replaced by" "$out$err" "that of more calls is not looked for"

models read 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (int64[50] i) => (float[50] y) <float[1] k = {1}> { ", (map { "s$_ = Neg (i) " } 1 .. $n), "y = Gather (k, i) }"' 511 512
run run read511.onnx --random
is 0 "$status" "what is drawn fits the 512th node that reads it"
run run read512.onnx --random
like 'index .* is outside the axis of 1 elements' "$err" "the 513th is not asked"

# ---- names in what is printed ----

models weights 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (float x) => (float y) <", join(", ", map { "float[2] w$_ = {1, 2}" } 1 .. $n), "> { y = Neg (x) }"' 10 11
for n in 10 11; do
    run show weights$n.onnx -f json
    is 10 "$(printf '%s\n' "$out" | grep -c '"name": "w')" "show -f json: the ten largest of $n weights"
done

for alpha in 1 2; do
    models "alpha$alpha-" 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (float x) => (float y) { [", "n" x $n, "] y = Elu <alpha = '$alpha'.0> (x) }"' 120 121
done
run diff alpha1-120.onnx alpha2-120.onnx
like "node 'n\{120\}' (Elu): attribute 'alpha': 1.0 -> 2.0" "$out" "diff: a name of 120 letters around what differs"
run diff alpha1-121.onnx alpha2-121.onnx
like "node 'n\{120\}\.\.\.' (Elu): attribute 'alpha': 1.0 -> 2.0" "$out" "a longer one is shortened"

models arrays 'my $y = "y" x $n; print "<ir_version: 8, opset_import: [\"\" : 13]> g (float x) => (float $y) { $y = Neg (x) }"' 65531 65532
run run arrays65531.onnx --random -o out.npz
is 0 "$status" "an archive of arrays: a name of 65535 bytes with .npy"
run run arrays65532.onnx --random -o out.npz
is 3 "$status" "a longer one is refused"
like "the name 'y\{40\}\.\.\.' has 65532 bytes, and an archive takes at most 65531; rename the value" "$err" "in these words"

# An axis that functions hand on, and the input beside it, which the operator requires: known of, or taken as given.
models through 'print "<ir_version: 8, opset_import: [\"\" : 13, \"d\" : 1]> g (float[4, 6] x) => (float[] y, float[] z) { y, z = d.F1 <a = 1> (x) } ";
    print "<domain: \"d\", opset_import: [\"\" : 13, \"d\" : 1]> F$_ <a> (x) => (y, z) { y, z = d.F", $_ + 1, " <a: int = \@a> (x) } " for 1 .. $n - 1;
    print "<domain: \"d\", opset_import: [\"\" : 13]> F$n <a> (x) => (y, z) { y, z = Split <axis: int = \@a> (x) }"' 64 65 66
for n in 64 65; do
    run convert through$n.onnx --opset 2 -o out.onnx
    is 0 "$status" "an axis through $n functions is known"
done
run convert through66.onnx --opset 2 -o out.onnx
like "axis is the function's attribute and may be negative" "$out$err" "through 66 it is not"

# ---- expressions of rules ----

mkdir -p opset-12
# expression PERL N: checks a rule that requires what the Perl code prints.
expression() {
    perl -e 'use strict; use warnings; my ($code, $n) = @ARGV; print "op: Clip\nwhy: w\ndown:\n  - require:\n"; eval $code; die $@ if $@; print "      words: no\n"' \
        "$1" "$2" >opset-12/clip.yaml
    run rules check opset-12/clip.yaml
}
size='print "      that: \"true", " " x ($n - 4), "\"\n"'
expression "$size" 4096
is 0 "$status" "an expression of 4096 characters"
expression "$size" 4097
is "opshift: opset-12/clip.yaml:5:14: an expression of more than 4096 characters" "$err" "one more"
nested='print "      that: \"", "(" x $n, "true", ")" x $n, "\"\n"'
expression "$nested" 63
is 0 "$status" "63 parentheses inside each other"
expression "$nested" 64
like "nested too deep" "$err" "one more"
negated='print "      that: \"", "not " x $n, "true\"\n"'
expression "$negated" 63
is 0 "$status" "63 times not"
expression "$negated" 64
like "nested too deep" "$err" "one more"
names='print "      let:\n        a0: \"1\"\n", (map { "        a$_: \"a" . ($_ - 1) . " + 1\"\n" } 1 .. $n), "      that: \"a$n == ", $n + 1, "\"\n"'
examples='examples:\n  - direction: down\n    before: y = Clip (x)\n    after: y = Clip (x)\n'
expression "$names" 15
printf "$examples" >>opset-12/clip.yaml
run rules check opset-12/clip.yaml
is 0 "$status" "names that depend on 15 others"
expression "$names" 16
printf "$examples" >>opset-12/clip.yaml
run rules check opset-12/clip.yaml
like "more than 16 names depend on each other" "$out$err" "one more"

# ---- constants that inference computes with ----

models known 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (float x) => (float[A, B] y) <int64[$n] k = {", join(",", (1) x ($n - 1), 7), "}, int64[1] i = {", $n - 1, "}, int64[1] o = {3}> { n = Neg (k) m = Neg (n) p = Gather (m, i) c = Concat <axis = 0> (p, o) y = ConstantOfShape (c) }"' 1024 1025
run infer known1024.onnx -o out.onnx
like 'float\[7, 3\] y' "$("$opshift" show --text out.onnx)" "infer computes with constants of 1024 numbers"
run infer known1025.onnx -o out.onnx
like 'float\[A, B\] y' "$("$opshift" show --text out.onnx)" "not of more"
models rank 'print "<ir_version: 8, opset_import: [\"\" : 13]> g (float x) => (float[A, B] y) <int64[2] k = {4, 5}, int64[$n] s = {", join(",", (1) x ($n - 1), 2), "}, int64[1] b = {2}> { r = Reshape (k, s) n = Neg (r) m = Neg (n) f = Reshape (m, b) y = ConstantOfShape (f) }"' 8 9
run infer rank8.onnx -o out.onnx
like 'float\[4, 5\] y' "$("$opshift" show --text out.onnx)" "and of 8 dims"
run infer rank9.onnx -o out.onnx
like 'float\[A, B\] y' "$("$opshift" show --text out.onnx)" "not of more dims"

# A constant of 1024 bytes is known to the nodes that replace one: what they compute of it becomes a constant, too.
models given 'print "<ir_version: 8, opset_import: [\"\" : 10]> g (float[2, $n] x) => (y) <int64[$n] l = {", join(", ", map { 1 + $_ % 2 } 1 .. $n), "}> { y = ReverseSequence (x, l) }"' 128 129
run convert given128.onnx --opset 9 -o out.onnx
is 0 "$("$opshift" show --text out.onnx | grep -c 'Reshape (l')" "a rule's nodes compute with 128 lengths"
run convert given129.onnx --opset 9 -o out.onnx
is 1 "$("$opshift" show --text out.onnx | grep -c 'Reshape (l')" "not with more"
done_testing
