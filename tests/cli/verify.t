#!/bin/sh
# Verdicts, exit statuses, messages and options of verify.
. "${srcdir:-.}/tests/cli/tap.sh"

assemble net <<'MODEL'
< ir_version: 8, opset_import: ["" : 11, "my" : 1] >
g (float[N,6] x, int64 k) => (float[N,3] a, float[N,3] b, float[N,6] c, float[6] d) {
  [halves] a, b = Split <axis = 1> (x)
  [clip] c = Clip (x, low)
  low = Constant <value = float {0.0}> ()
  [sum] s = ReduceSum <axes = [0], keepdims = 0> (c)
  [pick] d = Relu (s)
}
MODEL
"$opshift" convert net.onnx --opset 13 -o net13.onnx >/dev/null

# ---- levels
answers 0 "a conversion" net.onnx net13.onnx
like "^node 'halves' (Split) *proved   the same number of parts; 1 run: float; \[2,6\]$" "$out" "proved, with why"
like "^node 'sum' (ReduceSum)  *by rule  result of rules/opset-13/reducesum.yaml; 1 run$" "$out" "by rule, and run too"
like "^kept: Relu: by rule: rules/opset-13/compatible.yaml: node 'pick' (Relu)$" "$out" "by rule, with which"
like "^net.onnx (opset 11) and net13.onnx (opset 13): no difference; 1 proved, 0 tested, [0-9]* by rule, 0 assumed, 0 differs, 0 not shown, 0 other differences; seed 0$" \
    "$out" "the counts"
is "" "$err" "and nothing on standard error"

"$opshift" show --text net13.onnx | sed "s/axis = 1/axis = 0/" >axis.txt
"$opshift" assemble axis.txt -o axis.onnx
answers 1 "another axis" net.onnx axis.onnx
like "^node 'halves' (Split) *differs  float \[2,6\]: output 'a' was of shape \[2,3\] and is of shape \[1,6\]$" "$out" "it is named"
is "opshift: axis.onnx: differs from net.onnx in 1 place; the report shows where" "$err" "the message"

# The fields of an attribute in another order.
perl -0777 -pe 's/(\x0a\x08keepdims\x18\x00)(\xa0\x01\x02)/$2$1/ or die' net13.onnx >order.onnx
answers 0 "an attribute in other bytes" net.onnx order.onnx
like "^node 'sum' (ReduceSum)  *by rule  result of rules/opset-13/reducesum.yaml; 1 run$" "$out" "it is the same"
perl -0777 -pe 's/(\x0a\x08keepdims\x18)\x00(\xa0\x01\x02)/$2$1\x01/ or die' net13.onnx >order.onnx
answers 1 "and of another value" net.onnx order.onnx
like "^node 'sum' (ReduceSum)  *differs  output 's' was of shape \\[6\\] and is of shape \\[1,6\\]$" "$out" "it is another"

assemble foreign <<'MODEL'
< ir_version: 8, opset_import: ["" : 11, "my" : 1] >
g (float[2,6] x) => (float y) { [own] y = my.Op <mode = 1> (x) }
MODEL
sed 's/mode = 1/mode = 2/' foreign.txt >changed.txt
"$opshift" assemble changed.txt -o changed.onnx
answers 1 "a changed node that nobody can compute" foreign.onnx changed.onnx
like "^node 'own' (Op)  *\(differs\|not shown\) " "$out" "it is never called the same"
answers 0 "a node that nobody can compute, and nobody changed" foreign.onnx foreign.onnx

# ---- functions
assemble calls <<'MODEL'
< ir_version: 8, opset_import: ["" : 11, "my" : 1] >
g (float[N,6] x) => (float[N,3] a, float[N,2] p) { a, b = my.halves (x) p, q = my.parts <l = [2,4]> (x) }
< opset_import: ["" : 11], domain: "my" >
halves (x) => (a, b) { a, b = Split <axis = 1> (x) }
< opset_import: ["" : 11], domain: "my" >
parts <l> (x) => (p, q) { p, q = Split <axis = 1, split: ints = @l> (x) }
MODEL
"$opshift" convert calls.onnx --opset 18 -o calls18.onnx >/dev/null
answers 0 "Split in functions" calls.onnx calls18.onnx
like "^function 'halves': node 0 (Split)  proved   equal parts are chunks wherever the number of parts divides" "$out" \
    "equal parts in a function"
like "^function 'parts': node 0 (Split)   proved   the same parameter of the function gives the lengths" "$out" \
    "lengths that the calls give"
"$opshift" show --text calls18.onnx >calls18.txt
sed 's/my.parts <l = \[2, 4\]>/my.parts <l = [4, 2]>/' calls18.txt >other.txt
"$opshift" assemble other.txt -o other.onnx
answers 1 "another parameter of a call" calls.onnx other.onnx
like "^node 1 (parts) *differs " "$out" "the call is named"
sed 's/@l/@m/; s/parts <l>/parts <m>/; s/parts <l = /parts <m = /' calls18.txt >renamed.txt
"$opshift" assemble renamed.txt -o renamed.onnx
answers 1 "a function whose parameter has another name" calls.onnx renamed.onnx --nothing-else
answers 0 "which computes the same" calls.onnx renamed.onnx
sed '/^parts <l>/,$d' calls18.txt | sed '$d' | sed '$d' | sed '$d' | sed '$d' >lost.txt
"$opshift" assemble lost.txt -o lost.onnx
answers 1 "a lost function" calls.onnx lost.onnx
like "^differs: function 'my.parts': is lost$" "$out" "it is named"
assemble call <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "my" : 1] >
g (float[N,6] x) => (float[N,3] a, float[N,3] b) { a, b = my.cut (x) }
< opset_import: ["" : 13], domain: "my" >
cut (x) => (p, q) { p, q = Split <axis = 0> (x) }
MODEL
assemble plain <<'MODEL'
< ir_version: 8, opset_import: ["" : 11] >
g (float[N,6] x) => (float[N,3] a, float[N,3] b) { a, b = Split <axis = 1> (x) }
MODEL
answers 1 "a call in a node's place" plain.onnx call.onnx
like "^node 0 (Split)  differs  float \[2,6\]: output 'a' was of shape \[2,3\] and is of shape \[1,6\]$" "$out" \
    "the function is run, and what it cuts otherwise is told"

# ---- whole models, on the caller's inputs
assemble pick <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[N] x, int64[2] i) => (float[2] y) { [pick] y = Gather (x, i) }
MODEL
printf '< ir_version: 8, opset_import: ["" : 13] >\ng () => (float[4] x, int64[2] i) {
  x = Constant <value = float[4] {1.0, 2.0, 3.0, 4.0}> () i = Constant <value = int64[2] {3, 0}> () }\n' | assemble values
"$opshift" run values.onnx -o values.npz
"$opshift" run values.onnx -o values
run verify pick.onnx pick.onnx --engine builtin --input values.npz
is 0 "$status" "--input: exit status 0"
like "^whole model: tested by builtin .*: on the given inputs alone: an engine proves nothing; 1 run: x=4, i=2, seed 0$" "$out" \
    "one run says it all"
run verify pick.onnx pick.onnx --engine builtin --input x=values/x.npy --draws 2
like "; 2 runs: x=4, i=2, seed 0; x=4, i=2, seed 1$" "$out" "what is not given is drawn"
fails 2 "pick.onnx: there is no input 'z'; it has 'x', 'i'" "an input that is none" \
    run pick.onnx -i z=values/x.npy
run verify pick.onnx pick.onnx --engine builtin --input i=values/x.npy
is 1 "$status" "an input of another type: exit status 1"
like "^whole model: not run by builtin .*: pick.onnx: input 'i' is a tensor of float\|^whole model: not run by builtin .*: pick.onnx: input 'i' is float, but the model declares int64$" \
    "$out" "it was not run"
fails 2 "verify: option '--input' needs --engine; add it" \
    "inputs for nobody" verify pick.onnx pick.onnx --input values.npz
fails 2 "convert: option '--input' needs --engine; add it" \
    "inputs for a plain conversion" convert pick.onnx --opset 14 -o pick14.onnx --input values.npz
run convert pick.onnx --opset 14 -o pick14.onnx --verify --engine builtin --input values.npz
is 0 "$status" "convert --verify --input: exit status 0"
like "; 1 run: x=4, i=2, seed 0$" "$out" "it runs on them"

# ---- random operators
assemble random <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[64] x) => (float[64] y) { [dice] y = RandomUniformLike (x) }
MODEL
run verify random.onnx random.onnx --engine builtin
like "^whole model: not run by builtin " "$out" "a random model is not called different"

# ---- the certificate
answers 0 "a report" pick.onnx pick.onnx --engine builtin --input values.npz --shape N=4 --report c.json
perl "$tests/cli/schema.pl" "$srcdir/docs/certificate.schema.json" c.json >faults
ok $? "it is what the schema says"
perl -MJSON::PP -e 'local $/; open my $f, "<", "c.json"; my $c = decode_json(<$f>); my $o = $c->{options};
    exit(!($o->{shapes}[0] eq "N=4" && $o->{inputs}[0]{name} eq "x" && length $o->{inputs}[1]{sha256} == 64))'
ok $? "it has the shapes, and the inputs with their hashes"
run verify pick.onnx pick.onnx --replay c.json --input values.npz
is 0 "$status" "--replay with the same inputs: exit status 0"
is "the certificate holds: 0 verdicts" "$out" "it holds"
run verify pick.onnx pick.onnx --replay c.json
is 1 "$status" "--replay without them: exit status 1"
like "^input: was x, is not there$" "$out" "which is told"
printf '< ir_version: 8, opset_import: ["" : 13] >\ng () => (float[4] x) {
  x = Constant <value = float[4] {1.0, 2.0, 3.0, 5.0}> () }\n' | assemble fifth
"$opshift" run fifth.onnx -o fifth
run verify pick.onnx pick.onnx --replay c.json --input x=fifth/x.npy --input i=values/i.npy
is 1 "$status" "--replay with another value: exit status 1"
like "^input 'x': was [0-9a-f]*, is [0-9a-f]*$" "$out" "which is told as well"

# The hash covers the content of rules, not only their names.
rules() {
    mkdir -p "$1/opset-13"
    printf 'op: Op\ndomain: my\nwhy: a test\nup:\n  - refuse: {words: %s}\n' "$2" >"$1/opset-13/op.yaml"
    run verify pick.onnx pick.onnx --rules "$1" --report "$1.json"
    is 0 "$status" "rules in $1 are read"
}
rules one "it is old"
rules two "it is new"
rules three "it is old"
hash() { sed -n 's/.*"rules_sha256": "\(.*\)".*/\1/p' "$1.json"; }
[ -n "$(hash one)" ] && [ "$(hash one)" != "$(hash two)" ]
ok $? "other words of a rule: another hash"
is "$(hash one)" "$(hash three)" "the same words in another directory: the same"

# ---- names that are read late: attributes declared as graphs without a graph, more of them than are looked up
perl -e '
    sub varint { my ($n) = @_; my $s = ""; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
    sub field { chr($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }
    my $type = sub { field(2, field(1, chr(8) . chr($_[0]) . field(2, join "", map { field(1, chr(8) . chr) } @_[1 .. $#_]))) };
    my $branch = sub { field(1, field(1, "x") . field(2, $_[0]) . field(2, "$_[0]2") . field(4, "Split")
        . field(5, field(1, "split") . "\x40\x02\x40\x04\xa0\x01\x07")) . field(12, field(1, $_[0])) };
    my $node = field(1, "c") . field(2, "y") . field(4, "If")
        . join "", map { field(5, field(1, "$_->[0]_branch") . field(6, $branch->($_->[1])) . "\xa0\x01\x05") } ["then", "p"], ["else", "q"];
    $node .= field(5, field(1, "late$_") . "\xa0\x01\x05") for 1 .. 9000;
    print "\x08\x08" . field(7, field(1, $node) . field(11, field(1, "c") . $type->(9)) . field(11, field(1, "x") . $type->(1, 6))
        . field(12, field(1, "y"))) . field(8, "\x10\x0b");
' >late.onnx
run convert late.onnx --opset 13 -o late13.onnx
answers 1 "names that are read late" late.onnx late13.onnx # If has no such attributes
like "2 proved, 0 tested, 1 by rule, 0 assumed, 0 differs" "$out" "the node around them is the same"

# An attribute whose name continues after a NUL is another one, which rules keep.
perl -e '
    sub field { chr($_[0] << 3 | 2) . chr(length $_[1]) . $_[1] }
    my $type = sub { field(2, field(1, chr(8) . chr($_[0]) . field(2, field(1, chr(8) . chr($_[1]))))) };
    my $node = field(1, "x") . field(1, "k") . field(2, "y") . field(2, "i") . field(4, "TopK")
        . field(5, field(1, "largest\0") . "\x18\x00\xa0\x01\x02");
    print "\x08\x08" . field(7, field(1, $node) . field(2, "g") . field(5, "\x08\x01\x10\x07" . field(8, "k") . field(7, "\x02"))
        . field(11, field(1, "x") . $type->(1, 6)) . field(12, field(1, "y") . $type->(1, 2))) . field(8, "\x10\x0b");
' >behind.onnx
run convert behind.onnx --opset 10 -o behind10.onnx
answers 1 "an attribute with a NUL in its name" behind.onnx behind10.onnx
like "0 differs" "$out" "it is found where it was"
like "^invalid: behind.onnx: node 0 (TopK): .* OPS007$" "$out" "but the operator has no such attribute"

# ---- usage errors
fails 2 "verify: only one of the two models can be standard input; give the other as a file" "two times standard input" \
    verify - -
"$opshift" verify - net13.onnx <net.onnx >/dev/null
ok $? "one of them may be"
fails 4 "absent.onnx: there is no such file; check its name" "a file that is not there" verify absent.onnx net.onnx
run verify net.onnx net13.onnx -f json
perl -MJSON::PP -e 'local $/; my $c = decode_json(<STDIN>); exit(!($c->{kind} eq "verify" && $c->{same} && $c->{before}{sha256}))' \
    <"$work/.out"
ok $? "-f json is the certificate"

# ---- many alike ----
# chain COUNT: as many Splits of opset 11 in a row, and a Neg.
chain() {
    printf '<ir_version: 8, opset_import: ["" : 11]>\ng (float[2,6] v0) => (float[2,6] y)\n{ '
    for i in $(seq "$1"); do
        printf '[s%s] v%s = Split <axis = 1, split = [6]> (v%s) ' "$i" "$i" "$((i - 1))"
    done
    printf 'y = Neg (v%s) }\n' "$1"
}
for count in 20 21; do
    chain $count >chain.txt
    "$opshift" assemble chain.txt -o chain.onnx
    run convert chain.onnx -o chain18.onnx --opset 18
    run verify chain.onnx chain18.onnx
    if [ $count = 20 ]; then
        is 20 "$(printf '%s\n' "$out" | grep -c '^node .*Split')" "20 alike nodes have a row each"
    else
        is 0 "$(printf '%s\n' "$out" | grep -c '^node ')" "21 have one"
        like "^21 like node 's1' (Split) *proved " "$out" "which counts them"
        brief=$out
        run verify chain.onnx chain18.onnx --report chain.json
        is "$brief" "$out" "--report changes nothing on the terminal"
        run verify chain.onnx chain18.onnx -v
        is 21 "$(printf '%s\n' "$out" | grep -c '^node .*Split')" "-v lists them"
    fi
done
printf '<ir_version: 8, opset_import: ["" : 13]>\ng (float[2,6] x) => (float[2,6] y) { a = Identity (x) b = Relu (a) c = Add (b, x) d = Mul (c, x) y = Sub (d, x) }' >kept.txt
"$opshift" assemble kept.txt -o kept.onnx
run convert kept.onnx -o kept18.onnx --opset 18
run verify kept.onnx kept18.onnx
like '^kept: 5 nodes by rule, of 5 operators; -v lists them$' "$out" "many kept operators are counted"
is 1 "$(printf '%s\n' "$out" | grep -c '^kept:')" "on one line"
run verify kept.onnx kept18.onnx -v
is 5 "$(printf '%s\n' "$out" | grep -c '^kept: [A-Z][a-z]*: by rule: ')" "-v has a line for each"
done_testing
