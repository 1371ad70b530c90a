#!/bin/sh
# Output, files and refusals of run and test.
. "${srcdir:-.}/tests/cli/tap.sh"

model() {
    run assemble "$1.txt" -o "$1.onnx"
    is 0 "$status" "$1: the model is made"
}

# npy FILE DESCR SHAPE HEX: a NumPy file as written by NumPy.
npy() {
    perl -e 'my ($descr, $shape, $hex) = @ARGV;
        my $head = "{'"'descr': '\$descr', 'fortran_order': False, 'shape': (\$shape), "'}";
        $head .= " " x (63 - (length($head) + 10) % 64) . "\n";
        print "\x93NUMPY\x01\x00", pack("v", length $head), $head, pack("H*", $hex);' "$2" "$3" "$4" >"$1"
}

cat >add.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[N, 2] x, float[N, 2] y) => (float[N, 2] sum, int64[2] shape) <float[2] one = {1, 1}> {
    t = Add (x, y)
    sum = Add (t, one)
    shape = Shape (sum)
}
MODEL
model add
npy x.npy '<f4' '1, 2' 0000803f00000040
npy y.npy '>f4' '1, 2' 4120000041a00000
run run add.onnx --input x=x.npy --input y=y.npy
is 0 "$status" "run: exit status 0"
is "sum    float[1,2]  12, 23
shape  int64[2]  1, 2" "$out" "the table names outputs, types, shapes, elements"

run run add.onnx -i x=x.npy -i y=y.npy -o out
is 0 "$status" "run -o: exit status 0"
is "" "$out" "it prints nothing"
is "shape.npy sum.npy" "$(ls out | tr '\n' ' ' | sed 's/ $//')" "each output has its file"
npy wanted.npy '<f4' '1, 2' 000040410000b841
cmp -s wanted.npy out/sum.npy
ok $? "which is what NumPy writes"
run run add.onnx -i x=x.npy -i y=y.npy -o out.npz
is 0 "$status" "an archive is written"
cat >take.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[1, 2] sum, int64[2] shape) => (float[2, 1] back, int64[2] same) {
    back = Reshape (sum, same)
    same = Sub (three, shape)
    three = Constant <value = int64[1] {3}> ()
}
MODEL
model take
run run take.onnx --input out.npz
is "back  float[2,1]  12, 23
same  int64[2]  2, 1" "$out" "and read, whatever the order of the nodes in the file"

# Names of outputs that lead elsewhere, or are no UTF-8, stay below the directory, and apart.
cat >away.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[1] x) => (float[1] "../../evil", float[1] "/evil", float[1] "a/./b//c/", float[1] "a/b..", float[1] "..", float[1] "%2E.",
    float[1] "50%", float[1] "C:\\d", float[1] "t\xff\n:0") {
    "../../evil" = Neg (x)
    "/evil" = Neg (x)
    "a/./b//c/" = Neg (x)
    "a/b.." = Neg (x)
    ".." = Neg (x)
    "%2E." = Neg (x)
    "50%" = Neg (x)
    "C:\\d" = Neg (x)
    "t\xff\n:0" = Neg (x)
}
MODEL
model away
mkdir below
run run away.onnx --random -o below/away.npz
is 0 "$status" "an archive of names that lead away"
is "%252E..npy
%2E.%2F%2E./evil.npy
%2E..npy
%2Fevil.npy
50%.npy
C%3A%5Cd.npy
a%2F%2E/b%2F%2Fc%2F.npy
a/b...npy
t%FF%0A:0.npy" "$(perl -e 'local $/; open my $f, "<", "below/away.npz"; $_ = <$f>;
    print join "\n", sort /PK\x01\x02.{42}([ -~]*?\.npy)/gs')" "has names that stay below the directory"
run run away.onnx --random -o below/away
is 0 "$status" "a directory of names that lead away"
is "%252E..npy
%2E.%2F%2E.%2Fevil.npy
%2E..npy
%2Fevil.npy
50%.npy
C%3A%5Cd.npy
a%2F%2E%2Fb%2F%2Fc%2F.npy
a%2Fb...npy
t%FF%0A:0.npy" "$(find below/away -type f | sed 's|^below/away/||' | LC_ALL=C sort)" "each a file in it"
is "away
away.npz" "$(ls below)" "and nothing beside it"

cat >texts.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 17] >
g (float[N, 2] x) => (string[M] y, string[K] z) {
    texts = Cast <to = 8> (x)
    parts = SplitToSequence <axis = 1, keepdims = 0> (texts)
    last = Constant <value = int64 {-1}> ()
    first = SequenceErase (parts, last)
    y = ConcatFromSequence <axis = 0> (first)
    z = SequenceAt (parts, last)
}
MODEL
model texts
run run texts.onnx -i x=x.npy
is 'y  string[1]  "1"
z  string[1]  "2"' "$out" "texts of a sequence stay when what was split is gone"

fails 2 "add.onnx: there is no input 'z'; it has 'x', 'y'" "an unknown input" run add.onnx -i z=x.npy
fails 2 "take.onnx: there is no input 'shpae'; did you mean 'shape'?" "a misspelt input" run take.onnx -i shpae=x.npy
fails 2 "add.onnx: input 'y' is missing; give it with --input y=FILE, or draw it with --random" "a missing input" \
    run add.onnx -i x=x.npy
fails 2 "run: option '--output' cannot be '-': outputs go into a directory or an .npz file; name one, or leave it out for a table" \
    "outputs to standard output" run add.onnx -i x=x.npy -i y=y.npy -o -
test ! -e ./-
ok $? "no directory of that name is made"
fails 2 "x.npy: 'x' is given twice" "an input twice" run add.onnx -i x=x.npy -i x=x.npy
npy i.npy '<i8' '1, 2' 01000000000000000200000000000000
fails 2 "add.onnx: input 'y' is int64, but the model declares float" "a wrong type" run add.onnx -i x=x.npy -i y=i.npy
npy long.npy '<f4' '2, 2' 0000803f000000400000803f00000040
fails 2 "add.onnx: input 'y' has the shape [2,2], but dim 0 is 'N', which is 1 by input 'x'" \
    "a symbolic dim of two sizes" run add.onnx -i x=x.npy -i y=long.npy
npy flat.npy '<f4' '2,' 0000803f00000040
fails 2 "add.onnx: input 'x' has the shape [2], but the model declares 2 dims" "a wrong rank" run add.onnx -i x=flat.npy
npy wide.npy '<f4' '1, 3' 0000803f000000400000803f
fails 2 "add.onnx: input 'x' has the shape [1,3], but the model declares 2 for dim 1" "a wrong dim" \
    run add.onnx -i x=wide.npy

# ---- invalid files ----

printf 'hello, this is text' >text.npy
fails 3 "text.npy: is no .npy file: it does not start with \\x93NUMPY" "no .npy" run add.onnx -i x=text.npy
npy short.npy '<f4' '1, 2' 0000803f
fails 3 "short.npy: 4 bytes follow the header, but 2 elements of f4 need 8" "too short" run add.onnx -i x=short.npy
npy object.npy '|O' '1, 2' 00
fails 3 "object.npy: holds Python objects, which are not read; save it with a numeric type" "objects" \
    run add.onnx -i x=object.npy
npy date.npy '<M8[s]' '1, 2' 00
fails 3 "date.npy: holds elements of NumPy's type 'M8[s]', which is none of ONNX's" "dates" run add.onnx -i x=date.npy
npy huge.npy '<f4' '9223372036854775807, 9223372036854775807' 00
fails 3 "huge.npy: the dims multiply to more than 2^64 elements" "dims that overflow" run add.onnx -i x=huge.npy
npy large.npy '<f4' '99999999999999999999,' 00
fails 3 "large.npy: a dim in the .npy header is above 2^63" "a dim that overflows" run add.onnx -i x=large.npy
npy negative.npy '<f4' '-1,' 00
fails 3 "negative.npy: the .npy header is damaged: a dim is missing" "a negative dim" run add.onnx -i x=negative.npy
head -c 30 x.npy >cut.npy
fails 3 "cut.npy: ends within the .npy header" "a header that is cut off" run add.onnx -i x=cut.npy
cp x.npy x.dat
fails 2 "x.dat: is neither .npy nor .npz nor .pb" "an ending that says nothing" run add.onnx -i x=x.dat
fails 2 "x.npy: only an archive says whose value it is; write NAME=x.npy" "no name" run add.onnx -i x.npy
head -c 100 out.npz >cut.npz
fails 3 "cut.npz: is no .npz archive: its directory is missing" "an archive that is cut off" run take.onnx -i cut.npz
perl -pe 's/NUMPY/NUMPX/' out.npz >changed.npz
fails 3 "changed.npz: entry 'sum': the .npz archive is damaged: the checksum of an entry is wrong" \
    "an archive that was changed" run take.onnx -i changed.npz
printf '\377\377\377' >bad.pb
fails 3 "bad.pb: does not read as a TensorProto" "no message" run add.onnx -i x=bad.pb

# Damage of any byte or of the length never leads to a crash.
perl -e 'local $/; open my $f, "<", "out.npz"; my $all = <$f>; srand 1;
    for my $n (0 .. 59) { my $copy = substr $all, 0, $n % 3 ? length $all : int rand length $all;
        substr($copy, int rand length $copy, 1) = chr int rand 256 for 0 .. 3;
        open my $o, ">", "fuzz$n.npz"; print $o $copy; close $o }'
crashes=0
for n in $(seq 0 59); do
    run run take.onnx -i "fuzz$n.npz"
    [ "$status" -lt 5 ] || crashes=$((crashes + 1))
done
is 0 "$crashes" "damaged archives crash nothing"

# ---- random inputs ----

run run add.onnx --random --seed 7 --shape N=3
is 0 "$status" "random inputs"
first=$out
like "^sum *float\[3,2\] " "$out" "of the size that was given"
run run add.onnx --random --seed 7 --shape N=3
is "$first" "$out" "the same seed gives the same numbers"
by_shape=$out
run run add.onnx --random --seed 7 --dim N=3
is "$by_shape" "$out" "--dim gives a symbolic dim its size, too"
run run add.onnx --random --seed 8 --shape x=3x2
like "^sum *float\[3,2\] " "$out" "the shape of one input gives the symbolic dim of the others"
[ "$first" != "$out" ]
ok $? "another seed gives others"
fails 2 "add.onnx: input 'x': dim 0 is 'N', which has no size; give one: --dim N=4" "a dim without a size" \
    run add.onnx --random
fails 2 "add.onnx: shape 'M=3': there is no input and no symbolic dim of that name; it has 'x', 'y'" \
    "a shape of nothing" run add.onnx --random --shape M=3
fails 2 "add.onnx: shape 'N=a': must be written as NAME=2x3" "no shape" run add.onnx --random --shape N=a
fails 2 "run: option '--shape' needs --random; add it" "a shape for nothing" run add.onnx --shape N=3
fails 2 "run: option '--dim' needs --random; add it" "a dim for nothing" run add.onnx --dim N=3

# ---- models that cannot be run ----

cat >conv.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "my" : 1] >
g (float[1, 1, 2, 2] x) => (float[1, 1, 2, 2] y) { a = RandomUniformLike (x) b = RandomUniformLike (a) y = my.Thing (b) }
MODEL
model conv
fails 3 "conv.onnx: the built-in engine has no kernel for RandomUniformLike at opset 13 (2 nodes), my.Thing at opset 1 (1 node); \
another engine may have (--engine)" "operators without a kernel" run conv.onnx --random

cat >forever.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[1] x) => (float[1] y) {
    y = Loop ("", "", x) <body = b (int64 i, bool c, float[1] v) => (bool c2, float[1] w)
        { c2 = Identity (c) w = Add (v, v) }>
}
MODEL
model forever
fails 3 "forever.onnx: node 0 (Loop): body: node 1 (Add): computing takes more than the limit of 30000 \
steps; raise it with --max-steps" "a loop without an end" \
    run forever.onnx --random --max-steps 30000

cat >large.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (int64[2] s) => (float[a, b] y) { y = ConstantOfShape (s) }
MODEL
model large
npy s.npy '<i8' '2,' 00040000000000000004000000000000
fails 3 "large.onnx: node 0 (ConstantOfShape): the values take more than the limit of 1 MiB; raise it \
with --max-memory" "too much memory" \
    run large.onnx -i s=s.npy --max-memory 1
run run large.onnx -i s=s.npy --max-memory 16
is 0 "$status" "which is enough with more"

cat >broken.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[5] x) => (float[2] a, float[2] b) { a, b = Split (x) }
MODEL
model broken
fails 3 "broken.onnx: node 0 (Split): the dim 5 cannot be divided into 2 equal parts; write explicit lengths" "a node that cannot be" \
    run broken.onnx --random

# ---- sequences, functions, bodies ----

cat >sequence.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[5, 2] x) => (seq(float) parts, int64 n, float[2] last) {
    two = Constant <value = int64 {2}> ()
    parts = SplitToSequence (x, two)
    n = SequenceLength (parts)
    minus = Constant <value = int64 {-1}> ()
    rows = SplitToSequence <keepdims = 0> (x)
    last = SequenceAt (rows, minus)
}
MODEL
model sequence
run run sequence.onnx --random -o seq
is "last.npy n.npy parts.pb" "$(ls seq | tr '\n' ' ' | sed 's/ $//')" "a sequence is written as .pb"
run run sequence.onnx --random
like "^parts  sequence of 3 float  \[2,2\], \[2,2\], \[1,2\]$" "$out" "SplitToSequence by a scalar"
like "^n      int64  3$" "$out" "its length"
like "^last   float\[2\]  " "$out" "without lengths and without its axis"
# Sequences made of one another: the last one has items of all: given, split, computed, erased.
awk 'BEGIN {
    print "< ir_version: 8, opset_import: [\"\" : 13] >\ngrown (float[4] x) => (int64 n, float[8004] y)\n{"
    print " two = Constant <value = int64 {2}> ()\n three = Constant <value = int64 {3}> ()\n s0 = SplitToSequence (x, two)"
    for (i = 0; i < 2000; i++)
        printf " r%d = Neg (x)\n t%d = SequenceInsert (s%d, x)\n u%d = SequenceInsert (t%d, r%d, two)\n s%d = SequenceErase (u%d, three)\n", \
            i, i, i, i, i, i, i + 1, i
    print " n = SequenceLength (s2000)\n y = ConcatFromSequence <axis = 0> (s2000)\n}"
}' >grown.txt
model grown
run run grown.onnx --random --max-memory 8 -o grown
is "0 " "$status $err" "2,000 sequences, each of the one before, need the memory of the last"
run run grown.onnx --random
like '^n  int64  *2002$' "$out" "its length"
perl -e 'local $/; binmode STDIN; my @all = unpack "f<*", substr <STDIN>, -4 * 8004; my @x = splice @all, 0, 4;
    exit !(@all == 8000 && !grep { $all[$_] != ($_ < 4 ? -1 : 1) * $x[$_ % 4] } 0 .. $#all)' <grown/y.npy
ok $? "its items are those that were cut, computed and given"
cat >join.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (seq(float) parts) => (float[5, 2] y, int64[2] s) { y = ConcatFromSequence <axis = 0> (parts) s = Shape (y) }
MODEL
model join
run run join.onnx -i parts=seq/parts.pb
like "^s  int64\[2\]  5, 2$" "$out" "a sequence is read"
fails 2 "join.onnx: input 'parts' is a tensor, but the model declares a sequence" "a tensor for a sequence" \
    run join.onnx -i parts=x.npy

cat >call.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "f" : 1] >
g (float[6] x, bool c) => (float[N] a, float[M] b) {
    a, b = f.Cut <sizes = [2, 4]> (x, c)
}
< domain: "f", opset_import: ["" : 13] >
Cut <sizes> (x, c) => (p, q) {
    l = Constant <value_ints: ints = @sizes> ()
    k = If (c) <then_branch = t () => (int64[2] o) { o = Identity (l) },
                else_branch = e () => (int64[2] o) { z = Constant <value = int64[2] {1, 0}> () o = Gather (l, z) }>
    p, q = Split (x, k)
}
MODEL
model call
npy yes.npy '|b1' '' 01
npy no.npy '|b1' '' 00
run run call.onnx --random -i c=yes.npy
like "^a  float\[2\] " "$out" "a function's attribute gives the lengths"
run run call.onnx --random -i c=no.npy
like "^a  float\[4\] " "$out" "and a branch that reads a value around it turns them"

# ---- test ----

# Scan-8 has a batch dim; sequence_lens is the length of each element.
cat >scan.txt <<'MODEL'
< ir_version: 3, opset_import: ["" : 8] >
g (int64[2] lens, float[2, 1] init, float[2, 3, 1] x) => (float[2, 1] last, float[2, 3, 1] all) {
    last, all = Scan <num_scan_inputs = 1, body = b (float[1] s, float[1] v) => (float[1] t, float[1] o) {
        t = Add (s, v)
        o = Identity (t)
    }> (lens, init, x)
}
MODEL
model scan
npy init.npy '<f4' '2, 1' 000020410000a041
npy scanned.npy '<f4' '2, 3, 1' 0000803f0000004000004040000080400000a0400000c040
npy lens.npy '<i8' '2,' 01000000000000000300000000000000
run run scan.onnx -i lens=lens.npy -i init=init.npy -i x=scanned.npy
is "last  float[2,1]  11, 35
all   float[2,3,1]  11, 0, 0, 24, 29, 35" "$out" "what lies behind a sequence's length is zeros"
npy lens.npy '<i8' '2,' 01000000000000000400000000000000
fails 3 "scan.onnx: node 0 (Scan): sequence_lens says 4 for element 1, which has 3" "a length beyond the sequence" \
    run scan.onnx -i lens=lens.npy -i init=init.npy -i x=scanned.npy

mkdir -p cases/good/test_data_set_0 cases/bad/test_data_set_0 cases/other
cp add.onnx cases/good/model.onnx && cp add.onnx cases/bad/model.onnx && cp conv.onnx cases/other/model.onnx
cat >same.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (string[2] x) => (string[2] y) { y = Identity (x) }
MODEL
model same
perl -e 'print pack("C*", 8, 1, 8, 2, 16, 1, 74, 8), pack("f2", 1, 2)' >cases/good/test_data_set_0/input_0.pb
perl -e 'print pack("C*", 8, 1, 8, 2, 16, 1, 74, 8), pack("f2", 10, 20)' >cases/good/test_data_set_0/input_1.pb
perl -e 'print pack("C*", 8, 1, 8, 2, 16, 1, 74, 8), pack("f2", 12, 23)' >cases/good/test_data_set_0/output_0.pb
cp cases/good/test_data_set_0/input_*.pb cases/bad/test_data_set_0
perl -e 'print pack("C*", 8, 1, 8, 2, 16, 1, 74, 8), pack("f2", 12, 24)' >cases/bad/test_data_set_0/output_0.pb
run test -r cases
is 1 "$status" "a case that fails: exit status 1"
is "TAP version 13
not ok 1 - cases/bad
# output 'sum': element [0,1] is 23, expected 24 (1 of 2 differ)
ok 2 - cases/good
ok 3 - cases/other # SKIP cases/other/model.onnx: the built-in engine has no kernel for RandomUniformLike at opset 13 (2 nodes), \
my.Thing at opset 1 (1 node); another engine may have (--engine)
1..3
# 1 passed, 1 failed, 1 skipped" "$out" "what passed, failed and was skipped"
run test cases/good --convert 18
is 0 "$status" "a case that is converted too"
like "^ok 2 - cases/good at opset 18$" "$out" "passes then as well"
run test cases/bad --atol 1
is 0 "$status" "a tolerance that is wide enough"
# Sums of floats near 0 are off by what the largest one is rounded by.
# near FIRST SECOND: opshift test of (FIRST, 0), of which (FIRST, SECOND) is expected.
mkdir -p near/test_data_set_0 && cp add.onnx near/model.onnx
near() {
    perl -e 'my $head = pack("C*", 8, 1, 8, 2, 16, 1, 74, 8);
        my @data = (input_0 => [$ARGV[0], 2], input_1 => [-1, -3], output_0 => [@ARGV]);
        while (my ($name, $pair) = splice @data, 0, 2) {
            open my $file, ">:raw", "near/test_data_set_0/$name.pb" or die;
            print $file $head, pack("f2", @$pair);
        }' "$1" "$2"
    run test near
}
near 50 5.9e-6
is 0 "$status" "0 is 5.9e-6 where the output has a 50"
near 50 6.1e-6
is 1 "$status" "but no more"
near 1e6 9.9e-6
is 0 "$status" "and 1e-5 where it has a million"
near 1e6 1.1e-5
is 1 "$status" "but no more"
near 0.5 0.9e-7
is 0 "$status" "and 1e-7 where it has small numbers alone"
near 0.5 1.1e-7
is 1 "$status" "but no more"
near inf 1.1e-7
is 1 "$status" "infinity is no largest number"
fails 2 "test: --rtol must be a number from 0 on, not 'a'" "no tolerance" test cases/good --rtol a
run test cases
is 2 "$status" "a directory without a case"
is "opshift: cases: holds no model.onnx; -r looks into the directories below" "$err" "says what helps"
run test nowhere
is 4 "$status" "no such directory"
is "opshift: nowhere: cannot be opened: No such file or directory" "$err" "is named"

# A % is coded before two hexadecimal digits, and nowhere else.
printf '<ir_version: 8, opset_import: ["" : 13]>\ng (float[1] x) => (float[1] "a%%41", float[1] "b%%4g", float[1] "c%%g4") { "a%%41" = Neg (x) "b%%4g" = Neg (x) "c%%g4" = Neg (x) }\n' | assemble percent
run run percent.onnx --random -o percent
is "a%2541.npy b%4g.npy c%g4.npy" "$(ls percent | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//')" "names with a %"

# The elements of a tensor have a limit.
printf '<ir_version: 8, opset_import: ["" : 13]>\ng (float[1] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> { y = Add (x, w) }\n' | assemble elements
run run elements.onnx --random --limit elements=4
is 0 "$status" "a tensor of as many elements as the limit takes"
run run elements.onnx --random --limit elements=3
is 3 "$status" "and of one more"

done_testing
