#!/bin/sh
# Conversion of files: output, messages, unchanged parts, refusals.
. "${srcdir:-.}/tests/cli/tap.sh"

run assemble "$tests/models/sample.txt" -o sample.onnx
is 0 "$status" "the sample model is made"

# ---- it moves, verified --------------------------------------------------------------------------------------------
run convert sample.onnx --opset 18 -o to18.onnx --verify --report report.json
is 0 "$status" "11 to 18, verified"
is "" "$err" "nothing on standard error"
like '^  "convert": {' "$(cat report.json)" "the report holds the conversion"
like '^  "verify": {' "$(cat report.json)" "the report holds the certificate"
perl -MJSON::PP -e 'local $/; decode_json(<STDIN>)' <report.json
ok $? "the report is JSON"
run verify sample.onnx to18.onnx --report certificate.json
is 0 "$status" "verify agrees"
perl -MJSON::PP -e 'local $/; decode_json(<STDIN>)' <certificate.json
ok $? "the certificate is JSON"
run convert to18.onnx --opset 11 -o back.onnx --verify
is 0 "$status" "18 to 11, verified"
run verify sample.onnx back.onnx
is 0 "$status" "there and back does the same"

# ---- nothing else changes ------------------------------------------------------------------------------------------
run convert sample.onnx --opset 11 -o same.onnx
is 0 "$status" "to the opset that it has"
cmp sample.onnx same.onnx
ok $? "gives the same bytes"
run convert to18.onnx --opset 18 -o again.onnx
cmp to18.onnx again.onnx
ok $? "converting twice changes nothing more"

# ---- messages --------------------------------------------------------------------------------------------------
run convert sample.onnx --opset 18 -o told.onnx
is "told.onnx has 1 line" "told.onnx has $(printf '%s\n' "$out" | wc -l) line" "what was done is told in a line"
like "^sample.onnx: opset 11 to 18: [0-9]* nodes* rewritten" "$out" "which counts the nodes"
run convert sample.onnx --opset 18 -o told.onnx --verbose
like "^rewritten: .* (Split): opset 11 to 18: " "$out" "--verbose names each node"
run convert sample.onnx --opset 18 -o told.onnx -f json
like '^ *"rewritten": .$' "$out" "and so does JSON"

# ---- pipes, and the input as the output ----------------------------------------------------------------------------
"$opshift" convert - --opset 18 -o - <sample.onnx >piped.onnx 2>piped.err
ok $? "from standard input to standard output"
cmp to18.onnx piped.onnx
ok $? "gives what a file gives"
[ -s piped.err ]
ok $? "and the report goes to standard error"
cp sample.onnx both.onnx
chmod 640 both.onnx
run convert both.onnx --opset 18 -o both.onnx
is 0 "$status" "the output is the input"
cmp to18.onnx both.onnx
ok $? "gives what another file gives"
is "-rw-r-----" "$(ls -l both.onnx | cut -c1-10)" "and keeps its rights"
ln -s sample.onnx link.onnx
run convert link.onnx --opset 18 -o other.onnx
cmp to18.onnx other.onnx
ok $? "the input may be a link"

# ---- a plan ----------------------------------------------------------------------------------------------------------
run convert sample.onnx --opset 18 --dry-run -o plan.onnx
is 0 "$status" "a dry run"
like "Split" "$out" "prints the plan"
[ ! -e plan.onnx ]
ok $? "and writes nothing"
run convert sample.onnx --opset 18 --dry-run -f json
printf '%s' "$out" | perl -MJSON::PP -e 'local $/; decode_json(<STDIN>)'
ok $? "the plan as JSON"

# ---- notes -----------------------------------------------------------------------------------------------------------
cat >doubts.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "my" : 1] >
doubts (float[2] x) => (float[2] y)
{
   a = my.F (x)
   "b\x01" = my.G (x)
   [sum] c = Add (a, "b\x01")
   y = Mul (c, a)
}
MODEL
run assemble doubts.txt -o doubts.onnx
run convert doubts.onnx --opset 11 -o doubts-11.onnx
is "assumed: node 'sum' (Add): type of 'a' is not bfloat16
assumed: node 'sum' (Add): type of 'b\x01' is not bfloat16
assumed: node 3 (Mul): type of 'c' is not bfloat16
assumed: node 3 (Mul): type of 'a' is not bfloat16
doubts.onnx: opset 13 to 11: no node had to be rewritten, 4 assumptions" "$out" "what is assumed is told, value by value"
run convert doubts.onnx --opset 11 -o doubts-11.onnx -f json
is "a b\\x01 c a, of Add Add Mul Mul, 4" "$(printf '%s' "$out" | perl -MJSON::PP -e 'local $/;
    my $report = decode_json(<STDIN>)->{convert};
    my @assumed = @{$report->{assumptions}};
    my @values = map { $_->{assumed} =~ /^type of .(.*). is not bfloat16$/ } @assumed;
    print "@values, of @{[map { $_->{operator} } @assumed]}, $report->{unknown_types}"')" "and so it is in JSON"

# ---- a refusal -------------------------------------------------------------------------------------------------------
cat >blocked.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 18] >
blocked (float[N] x) => (float a, float b, float c, float d)
{
   [first] a, b = Split <num_outputs = 2> (x)
   [second] c, d = Split <num_outputs = 2> (x)
}
MODEL
run assemble blocked.txt -o blocked.onnx
run convert blocked.onnx --opset 9 -o out.onnx --report blocked.json
is 1 "$status" "what cannot be converted gives exit status 1"
like "first" "$err" "the first node in the way is named"
like "second" "$err" "the second too"
is "" "$out" "nothing on standard output"
[ ! -e out.onnx ]
ok $? "nothing is written"
perl -MJSON::PP -e 'local $/; decode_json(<STDIN>)' <blocked.json
ok $? "the report is written, and is JSON"
cat >twice.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 18] >
twice (float[N] x) => (float a, float c)
{
   [first] a, e = Split <num_outputs = 2> (x)
   [second] d, b = Split <num_outputs = 2> (x)
   [third] b, c = Split <num_outputs = 2> (b)
}
MODEL
run assemble twice.txt -o twice.onnx
run convert twice.onnx --opset 9 -o out.onnx
is "first second third" "$(printf '%s\n' "$err" | sed -n "s/^blocked: node '\([a-z]*\)'.*/\1/p" | tr '\n' ' ' | sed 's/ $//')" \
    "a value that is made twice is the first one's: nodes that are in order are named so"
run convert blocked.onnx --opset 9 --dry-run
is 1 "$status" "a dry run says the same"
like "first" "$out" "on standard output"
echo old >kept.onnx
run convert blocked.onnx --opset 9 -o kept.onnx
is "old" "$(cat kept.onnx)" "a file that is there stays as it was"

# Each blocker is reported once, without its consequences.
cat >cascade.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
cascade (bfloat16[6] x) => (bfloat16[2] a, bfloat16[4] b)
{
   two = Constant <value_ints = [2]> ()
   four = Constant <value = int64[1] {4}> ()
   lengths = Concat <axis = 0> (two, four)
   [cut] a, b = Split (x, lengths)
}
MODEL
run assemble cascade.txt -o cascade.onnx
run convert cascade.onnx --opset 7 -o out.onnx
is 1 "$status" "a blocked Split with lengths that are computed"
is "blocked: node 'cut' (Split): opset 13 to 12: OPS015 input-type: 'x' is bfloat16, which Split-2 does not take; insert a Cast, or go to opset 13 or up
cascade.onnx: cannot be converted to opset 7: 1 node in the way; nothing is written" "$err" \
    "is the only one in the way, and is told once"

# ---- sequences ---------------------------------------------------------------------------------------------------------
cat >sequence.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
sequence (float[6] x, int64 k) => (float[2] a, float[] b, int64 n) < int64[2] l = {2, 4}, int64 first = {0}, int64 last = {-1} > {
   [cut] s = SplitToSequence (x, l)
   a = SequenceAt (s, first)
   [last] b = SequenceAt (s, last)
   n = SequenceLength (s)
}
MODEL
run assemble sequence.txt -o sequence.onnx
run convert sequence.onnx --split-sequences -o plain.onnx --verify --report plain.json --verbose
is 0 "$status" "a sequence that is read part by part, at the opset that the model has"
is "rewritten: node 'cut' (SplitToSequence): a, b = Split (x, l)
rewritten: node 1 (SequenceAt): output 0 of the Split that was the SplitToSequence
rewritten: node 'last' (SequenceAt): output 1 of the Split that was the SplitToSequence
rewritten: node 3 (SequenceLength): n = Constant <value = int64 {2}> ()
sequence.onnx: stays at opset 13: 4 nodes rewritten, 2 unread values removed
NODE                          VERDICT  DETAIL
node 'cut' (SplitToSequence)  proved   the same list of lengths, and each tensor is the same part; 1 run: float; [6]
sequence.onnx (opset 13) and plain.onnx (opset 13): no difference; 1 proved, 0 tested, 0 by rule, 0 assumed, 0 differs, 0 not shown, 0 other \
differences; seed 0" "$out" "what became of each node, and the proof"
perl -MJSON::PP -e 'local $/; open my $f, "<", "plain.json"; my $p = decode_json(<$f>)->{verify}{pieces};
    exit(!(@$p == 1 && join(" ", map { $_->{operator} } @{$p->[0]{nodes}{before}}) eq
    "SplitToSequence SequenceAt SequenceAt SequenceLength" &&
    join(" ", map { $_->{operator} } @{$p->[0]{nodes}{after}}) eq "Split Constant"))'
ok $? "the certificate has all of them as one piece"
run verify sequence.onnx plain.onnx --replay plain.json
is 0 "$status" "which holds when it is put to the test"
run convert sequence.onnx --split-sequences --opset 10 --dry-run
like "^sequence.onnx: opset 13 to 10: 4 nodes rewritten" "$out" "below the opset where sequences began, planned only"
run convert sequence.onnx --opset 10 --dry-run
like "^sequence.onnx: cannot be converted to opset 10: 4 nodes in the way" "$out" "which is not possible otherwise"
run convert plain.onnx --split-sequences=to-sequence --opset 18 -o back.onnx --verify
is 0 "$status" "and back, proved too"
run show --text back.onnx
like "^  \[cut\] cut_sequence = SplitToSequence (x, l)$" "$out" "a SplitToSequence of the Split's name"
sed 's/ (s, last)/ (s, k)/; s/n = Seq/[put] t = SequenceInsert (s, x) n = Seq/' sequence.txt >mixed.txt
run assemble mixed.txt -o mixed.onnx
run convert mixed.onnx --split-sequences -o out.onnx
is 1 "$status" "sequences that are wanted as such: exit status 1"
is "blocked: node 'last' (SequenceAt): it reads the sequence 's' at a position that is known only at run time ('k' is a graph input), and which of a Split's outputs that is cannot be written; make the position constant
blocked: node 'put' (SequenceInsert): it reads the sequence 's' as a whole, and a Split gives none; read its tensors with SequenceAt at constant positions
mixed.onnx: cannot be converted to opset 13: 2 nodes in the way; nothing is written" "$err" "each node and its way out"
run convert sample.onnx --split-sequences -o same.onnx
cmp sample.onnx same.onnx
ok $? "a model without sequences stays as it is"

# ---- nothing to do -----------------------------------------------------------------------------------------------------
run convert sample.onnx --opset 11 -o same.onnx
is "sample.onnx: is at opset 11 already: nothing to do" "$out" "a model that is there already"
cat >foreign.txt <<'MODEL'
< ir_version: 8, opset_import: ["ai.onnx.ml" : 2, "my" : 1] >
foreign (float[2] x) => (float[2] y) { y = my.Thing (x) }
MODEL
run assemble foreign.txt -o foreign.onnx
run convert foreign.onnx --opset 18 -o out.onnx --verify --report foreign.json
is 0 "$status" "a model of other domains only is at every opset of ai.onnx"
like "^foreign.onnx: no node needs an opset of ai.onnx: nothing to do$" "$out" "says so"
cmp foreign.onnx out.onnx
ok $? "and stays as it is"
run convert foreign.onnx --split-sequences -o out.onnx
is "foreign.onnx: no node needs an opset of ai.onnx: nothing to do" "$out" "also when its sequences are asked for"
like '"source_opset": null' "$(cat foreign.json)" "it has no opset of ai.onnx"
run convert foreign.onnx --opset 18 -o out.onnx --ir-version 9
is "foreign.onnx: no node needs an opset of ai.onnx, IR version 8 to 9: no node had to be rewritten" "$out" "its IR version can be set"
sed 's/my.Thing/Relu/' foreign.txt >lacking.txt
run assemble lacking.txt -o lacking.onnx
run convert lacking.onnx --opset 18 -o lacking18.onnx
is 1 "$status" "a node of ai.onnx where no opset is imported"
like "^blocked: node 0 (Relu): OPS001 domain-not-imported: the model imports no opset of ai.onnx, and the node needs one; add it$" "$err" \
    "is named"

# ---- a function's attribute that the target's nodes cannot read ---------------------------------------------------------
axes() {
    cat >axes.txt <<MODEL
< ir_version: 8, opset_import: ["" : 13, "f" : 1] >
axes (float[2, 6] x, int64[2] lens) => (float[] a, float[] b, float[] c, float[] d)
{
   a, b = f.Cut <ax = 1> (x, lens)
   c, d = f.Cut <ax = $1> (x, lens)
}
<domain: "f", opset_import: ["" : 13]>
Cut <ax> (data, lengths) => (first, second) { first, second = Split <axis : int = @ax> (data, lengths) }
MODEL
    run assemble axes.txt -o axes.onnx
}
axes 1
run convert axes.onnx --opset 11 -o axes11.onnx --verify
is 0 "$status" "lengths of run time at an axis on which all calls agree"
like "node 0 (Split)  proved" "$out" "are seen to be cut at that axis by --verify too"
axes -1
run convert axes.onnx --opset 11 -o axes11.onnx --verify
is 0 "$status" "lengths of run time at an axis of each call's own"
like "node 0 (Split)  proved" "$out" "are verified for each of them"
run show axes11.onnx --text
like "c, d = f.Cut_1 <ax = -1> (x, lens)" "$out" "where the function is written once for each"

# ---- functions written once for each case ---------------------------------------------------------------------------------
cat >twice.txt <<'MODEL'
<ir_version: 10, opset_import: ["" : 14, "d" : 1]>
g (float[2] x, int8[2] z) => (float[2] a, int8[2] b) { a = d.F:one (x) b = d.F:one (z) }
<domain: "d", overload: "one", opset_import: ["" : 14]> F (x) => (y) { y = Add (x, x) }
MODEL
run assemble twice.txt -o twice.onnx
run convert twice.onnx --opset 13 -o twice13.onnx --verify --report twice.json
is 0 "$status" "a function of two types, one of which the target does not take"
like "function 'F', called by node 1 (F): node 0 (Add)  by rule" "$out" "is verified for each"
run verify twice.onnx twice13.onnx
is 0 "$status" "also without the plan"
run show twice13.onnx --text
echo "$out" >twice13.txt
like "b = d.F_1:one (z)" "$out" "the second call is renamed, within its overload"
sed 's/y_sum = Add (y_a, y_b)/y_sum = Mul (y_a, y_b)/' twice13.txt >wrong.txt
run assemble wrong.txt -o wrong.onnx
run verify twice.onnx wrong.onnx
is 1 "$status" "another body of one case"
like "function 'F', called by node 1 (F): node 0 (Add)  differs" "$out" "differs in that case"
sed 's/d.F_1:one (z)/d.F:one (z)/' twice13.txt >wrong.txt
run assemble wrong.txt -o wrong.onnx
run verify twice.onnx wrong.onnx
is 1 "$status" "and so is a call of the other case's function"

# ways N: a function that is called in N ways, of two types
ways() {
    calls='' outputs='' number=0
    while [ "$number" -lt "$1" ]; do
        calls="$calls y$number = d.F <a = $number.5> ($([ $number = 0 ] && echo z || echo x))" outputs="$outputs${outputs:+, }y$number"
        number=$((number + 1))
    done
    echo "<ir_version: 8, opset_import: [\"\" : 17, \"d\" : 1]> g (float[2] x, double[2] z, float[2] s) => ($outputs) {$calls }
        <domain: \"d\", opset_import: [\"\" : 17]> F <a> (x) => (y) { y = LayerNormalization <epsilon : float = @a> (x, x) }" >ways.txt
    run assemble ways.txt -o ways.onnx
    run convert ways.onnx --opset 16 -o ways16.onnx
}
ways 1024
is 0 "$status" "a function that is called in 1024 ways"
ways 1025
is 1 "$status" "and in one more"
like "function 'F': node 0 (LayerNormalization)" "$err" "is refused"

# ---- lengths in a file outside the model's directory ----------------------------------------------------------------------
cat >outside.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
outside (float[6] x) => (float[2] a, float[4] b) <int64[2] l = ["location": "../l.bin"]> { a, b = Split (x, l) }
MODEL
run assemble outside.txt -o outside.onnx
run convert outside.onnx --opset 11 -o x.onnx
is 3 "$status" "lengths outside the model's directory give exit status 3"
is "opshift: outside.onnx: node 0 (Split): initializer 'l': external data '../l.bin' is outside the model's directory; it is not read" \
    "$err" "and are told with each place once"

# ---- weights beside the model ----------------------------------------------------------------------------------------
cat >weights.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
weights (float[6] x) => (float[6] y) <float[6] w = ["location": "w.bin"]> { y = Add (x, w) }
MODEL
run assemble weights.txt -o weights.onnx
mkdir elsewhere
run convert weights.onnx --opset 14 -o elsewhere/weights.onnx
is 0 "$status" "a model with external data goes to another directory"
is "opshift: elsewhere/weights.onnx: external data 'w.bin' is missing and was not copied; put it beside the new model" \
    "$err" "and the user is told that the data does not"
run convert weights.onnx --opset 14 -o ./weights14.onnx
is "" "$err" "in the same directory there is nothing to tell"

# ---- IR version ------------------------------------------------------------------------------------------------------
run convert sample.onnx --opset 18 -o ir.onnx --ir-version 9
run show ir.onnx
like "^IR version *9$" "$out" "--ir-version sets it"
run convert sample.onnx --opset 18 -o ir.onnx --ir-version match
is 0 "$status" "--ir-version match"
run convert sample.onnx --opset 18 -o ir3.onnx --ir-version 3
is 1 "$status" "an IR version that the model is too new for gives exit status 1"
is "opshift: sample.onnx: IR version 3 is not enough: ModelProto.functions 'Half' needs IR version 8; the least for this model is 8" "$err" \
    "and is told with file and way out"

# ---- files that cannot be read or written ----------------------------------------------------------------------------
run convert absent.onnx --opset 18 -o x.onnx
is 4 "$status" "a file that is not there gives exit status 4"
like "^opshift: absent.onnx: there is no such file" "$err" "and is named"
run convert sample.onnx --opset 18 -o nowhere/x.onnx
is 4 "$status" "a directory that is not there gives exit status 4"
like "nowhere" "$err" "and is named"
run convert sample.onnx --opset 18 -o y.onnx --report nowhere/x.json
is 4 "$status" "a report that cannot be written gives exit status 4"
[ ! -e y.onnx ]
ok $? "and no model is written"
status=0
"$opshift" convert sample.onnx --opset 18 -o - >/dev/full 2>full.err || status=$?
is 4 "$status" "a full device gives exit status 4"
like "No space left on device" "$(cat full.err)" "and says so"
is "" "$(find . -name '*.onnx.*' -o -name '.*onnx*')" "no temporary file is left"

# ---- input that is no model ------------------------------------------------------------------------------------------
: >empty.onnx
run convert empty.onnx --opset 18 -o x.onnx
is 3 "$status" "an empty file gives exit status 3"
like "^opshift: empty.onnx: " "$err" "and is named"
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n' >pointer.onnx
run convert pointer.onnx --opset 18 -o x.onnx
is 3 "$status" "a Git LFS pointer gives exit status 3"
like "LFS" "$err" "and is told apart"

# A type that the operator does not take in the model itself: lint calls it an error, and no conversion repairs it silently.
for row in 'uint8 14 1 blocked' 'uint8 18 1 blocked' 'int32 14 0 assumed' 'float 14 0 opset'; do
    set -- $row
    printf '<ir_version: 8, opset_import: ["" : 13]> g (%s[2] x) => (%s[2] y) { y = Relu (x) }' "$1" "$1" >type.txt
    run assemble type.txt -o type.onnx
    run convert type.onnx --opset "$2" -o x.onnx -v
    is "$3" "$status" "Relu of $1 to $2: exit status $3"
    case $4 in
    blocked) words="OPS015 input-type: 'x' is uint8, which Relu takes neither at the opset of the model nor at 14; insert a Cast" ;;
    assumed) words="assumed: node 0 (Relu): 'x' is int32, which Relu-13 does not take; it is meant as Relu-14" ;;
    *) words="type.onnx: opset 13 to 14: no node had to be rewritten$" ;;
    esac
    like "$words" "$err$out" "and what is said of it"
done
printf '<ir_version: 8, opset_import: ["" : 13]> g (int32[2] x) => (int32[2] y) { y = Relu (x) }' >type.txt
run assemble type.txt -o type.onnx
run convert type.onnx --opset 14 --strict -o x.onnx
is 1 "$status" "with --strict, an assumption is refused"
printf '<ir_version: 8, opset_import: ["" : 11]> g (bool[2, 3] x) => (bool[2, 3] y) { y = Softmax <axis = 1> (x) }' >type.txt
run assemble type.txt -o type.onnx
run convert type.onnx --opset 13 -o x.onnx
like "'x' is bool, which Softmax takes neither at the opset of the model nor at 13" "$err" "a node that a rule looks at is checked alike"
rm -f x.onnx

# An output that nobody reads is no obstacle, and the report tells that it is left out.
printf '<ir_version: 8, opset_import: ["" : 11]> g (float[N] x) => (float[N] z) { y, m = Dropout <ratio = 0.3> (x) z = Neg (y) }' >mask.txt
run assemble mask.txt -o mask.onnx
run convert mask.onnx --opset 12 -o x.onnx -v
is 0 "$status" "a mask that nobody reads is no obstacle"
like "node 0 (Dropout): output 'm', which nobody reads, is left out" "$out$err" "and is told"
run convert mask.onnx --opset 12 -o x.onnx --report mask.json
like "output 'm', which nobody reads, is left out" "$(cat mask.json)" "in the report, too"
rm -f x.onnx

# A file cut at any place is refused, or is valid: it never crashes.
size=$(wc -c <sample.onnx)
cut=0 bad=0
while [ "$cut" -lt "$size" ]; do
    head -c "$cut" sample.onnx >cut.onnx
    run convert cut.onnx --opset 18 -o x.onnx
    case $status in
    0 | 1 | 3) ;;
    *) bad=$((bad + 1)) && echo "# cut at $cut: exit status $status: $err" ;;
    esac
    [ "$status" = 0 ] || [ ! -e x.onnx ] || { bad=$((bad + 1)) && echo "# cut at $cut: refused, yet written"; }
    rm -f x.onnx
    cut=$((cut + 7))
done
is 0 "$bad" "cut short, it is refused and nothing is written"

cat >invalid.txt <<'EOF'
<ir_version: 7, opset_import: ["" : 11]>
g (float[2,3] x) => (float[] y) { [cut] y = Squeeze <axes = [1]> (x) }
EOF
"$opshift" assemble invalid.txt -o invalid.onnx
run convert invalid.onnx --opset 13 -o x.onnx
is 1 "$status" "a node that would be rewritten and is invalid is in the way"
is "blocked: node 'cut' (Squeeze): opset 11 to 13: axis 1 is to go, and it is 3 long; only one of length 1 can
invalid.onnx: cannot be converted to opset 13: 1 node in the way; nothing is written" "$err" "with lint's words"

done_testing
