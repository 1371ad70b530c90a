#!/bin/sh
# The output of infer, options for shapes and dims, and refusals.
. "${srcdir:-.}/tests/cli/tap.sh"

cat >net.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[N, 3, 8, 8] x, bool c) => (float[M, 2] y, z) <float[5] r, float[N, ?, ?, 8] q, float[K, 3, 4, 4] p> {
  r = Relu (x)
  s = Shape (x)
  p = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (r)
  y = Flatten (p)
  q = Sigmoid (r)
  z = If (c) <then_branch = t () => (a) { b = Neg (r) a = Abs (b) },
              else_branch = e () => (float[] d) { d = Identity (r) }>
}
MODEL
run assemble net.txt -o net.onnx

# The line of show --text with this text.
shown() { printf '%s\n' "$text" | grep -F -- "$1" | sed 's/^ *//; s/,$//' | head -n 1; }

run infer net.onnx -o typed.onnx
is 0 "$status" "infer: exit status 0"
is "" "$err" "nothing on standard error"
is "notice: value 'y': declared float[M,2], inferred float[N,48]; replaced
notice: value 'r': declared float[5], inferred float[N,3,8,8]; replaced
net.onnx: 9 values, 1 with a whole shape, 0 without a rank; value infos: 2 added, 4 completed, 2 replaced, 1 kept" "$out" \
    "what contradicts is told, and all is counted"
run show --text typed.onnx
text=$out
is "float[N, 3, 8, 8] r" "$(shown '8] r')" "a value info that contradicts is replaced"
is "float[N, 3, 8, 8] q" "$(shown '8] q')" "one that says less is completed"
is "float[K, 3, 4, 4] p" "$(shown '4] p')" "one that agrees stays, with its name of a dim"
is "int64[4] s" "$(shown '] s')" "one that is missing is added"
like "=> (float\[N, 48\] y, float\[N, 3, 8, 8\] z) <" "$text" "outputs, too"
like "then_branch = t () => (float\[N, 3, 8, 8\] a) <" "$text" "in a branch: its output"
is "float[N, 3, 8, 8] b" "$(shown '8] b')" "and a value inside"
run lint typed.onnx
is 0 "$status" "the model is clean"
run infer typed.onnx -o again.onnx
is "typed.onnx: 9 values, 1 with a whole shape, 0 without a rank; value infos: 0 added, 0 completed, 0 replaced, 9 kept" \
    "$out" "what is all there is kept"
cmp -s typed.onnx again.onnx
ok $? "byte for byte"

run infer net.onnx -o typed.onnx --shape x=4x3x8x8
is 0 "$status" "--shape: exit status 0"
run show --text typed.onnx
text=$out
like "^g (float\[4, 3, 8, 8\] x, bool c) => (float\[4, 48\] y, " "$text" "the input and what follows from it"
run infer net.onnx -o typed.onnx --dim N=4 -f json
like '"whole": 9' "$out" "--dim: all shapes are whole"
like '"declared": "float\[M,2\]"' "$out" "as JSON, with what was replaced"
run show --text typed.onnx
like "^g (float\[4, 3, 8, 8\] x, bool c) => (float\[4, 48\] y, " "$out" "the dim has its size wherever it stands"
run infer net.onnx -o typed.onnx --shape "x=batch,?,?,8"
run show --text typed.onnx
like "^g (float\[batch, 3, 8, 8\] x, bool c) => (float\[batch, 48\] y, " "$out" "a dim may be a name, or ? to leave it"
run infer net.onnx -o - --dim N=4
like "^net.onnx: 9 values" "$err" "the report goes to standard error when the model goes to standard output"

fails 2 "infer: option '--output' is missing; write -o OUT, or -o - for standard output" "no output" infer net.onnx
fails 2 "net.onnx: dim 'K2=4': the model declares no dim of that name; name one of its inputs with --shape" \
    "a dim that there is not" infer net.onnx -o o.onnx --dim K2=4
fails 2 "net.onnx: dim 'N=a': must be written as NAME=4" "a dim that is no number" infer net.onnx -o o.onnx --dim N=a
fails 2 "net.onnx: shape 'x=4': the model declares input 'x' with 4 dims, not 1; give as many" "another rank" \
    infer net.onnx -o o.onnx --shape x=4
fails 2 "net.onnx: shape 'xs=4': the model has no input of that name; there is 'x'" "no such input" \
    infer net.onnx -o o.onnx --shape xs=4
fails 2 "net.onnx: shape 'x=4x4x8x8': the model declares dim 1 of input 'x' as 3, not 4; give 3, or ? to leave it" \
    "another number" infer net.onnx -o o.onnx --shape x=4x4x8x8
fails 2 "net.onnx: 'x=1x3x8x8': the dim 'N' is 1 by this, and 3 by 'N=3'; give it one size" "two sizes of one dim" \
    infer net.onnx -o o.onnx --shape x=1x3x8x8 --dim N=3
fails 2 "net.onnx: shape 'x': must be written as NAME=1x3x224x224" "no shape" infer net.onnx -o o.onnx --shape x
fails 2 "net.onnx: shape 'x=1xx3': must be written as NAME=1x3x224x224, with names or ? for dims without a size" \
    "an empty dim" infer net.onnx -o o.onnx --shape x=1xx3
fails 2 "net.onnx: shape 'x=1x3x8x8': a shape of 'x' is already given; give one" "two shapes of one input" \
    infer net.onnx -o o.onnx --shape x=1x3x8x8 --shape x=1x3x8x8
ok "$([ ! -e o.onnx ]; echo $?)" "nothing is written then"

cat >sequence.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (seq(float[2]) x, float w) => (y) { y = Identity (x) n = Size (w) }
MODEL
run assemble sequence.txt -o sequence.onnx
fails 2 "sequence.onnx: shape 'x=2': input 'x' is no tensor, but seq(tensor(float)); only tensors can be given a shape" \
    "a sequence" infer sequence.onnx -o o.onnx --shape x=2
run infer sequence.onnx -o o.onnx --shape w=
is 0 "$status" "a scalar is given as such"
run show --text o.onnx
text=$out
is "int64 n" "$(shown ' n')" "and one is inferred"
cat >none.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[2] x) => () <float[2] y> { y = Relu (x) z = Abs (y) }
MODEL
run assemble none.txt -o none.onnx
run infer none.onnx -o o.onnx
like "^none.onnx: 2 values, 2 with a whole shape, .* 1 added, 0 completed, 0 replaced, 1 kept$" "$out" "a graph without outputs"
# ---- a name over a size that the model declares: it goes wherever it follows, or a node is named that does not accept it ----
# freed NAME GRAPH OPTION...: infers with them.
freed() {
    name=$1
    printf '<ir_version: 8, opset_import: ["" : 16, "c" : 1, "f" : 1]>\n%s\n' "$2" >"$name.txt"
    run assemble "$name.txt" -o "$name.onnx"
    shift 2
    run infer "$name.onnx" -o o.onnx "$@"
    report=$out
    [ "$status" -eq 0 ] && text=$("$opshift" show --text o.onnx)
}
freed conv 'g (float[1,3,4,4] x) => (float[1,2,4,4] y) <float[2,3,1,1] w = {1,2,3,4,5,6}, float[1,2,4,4] c>
{ c = Conv (x, w) y = Relu (c) }' --shape x=Nx3x4x4
is "notice: value 'y': declared float[1,2,4,4], inferred float[N,2,4,4]; replaced
notice: value 'c': declared float[1,2,4,4], inferred float[N,2,4,4]; replaced
conv.onnx: 2 values, 0 with a whole shape, 0 without a rank; value infos: 0 added, 1 completed, 2 replaced, 0 kept" "$report" \
    "outputs and value infos are replaced"
like "^g (float\[N, 3, 4, 4\] x) => (float\[N, 2, 4, 4\] y) <" "$text" "and so written"
is "float[N, 2, 4, 4] c" "$(shown '] c')" "also between"
freed bodies 'g (float[1,3] x, bool c) => (float[1,3] y) <float[1,3] k, float[1,5] u>
{ u = c.Op (x)
  k = If (c) <then_branch = t () => (float[1,3] p) { p = Neg (x) }, else_branch = e () => (float[1,3] q) { q = f.F (x) }>
  y = Neg (k) }
<domain: "f", opset_import: ["" : 16, "c" : 1]> F (a) => (b) { d = Neg (a) b = c.Op (d) }' --shape x=Nx3
is "float[?, ?] u" "$(shown '] u')" "behind an operator that is not known the declared sizes are not kept"
is "float[?, ?] k" "$(shown '] k')" "nor behind a branch"
like "float\[N, 3\] p" "$text" "in a branch what follows has the name"
like "=> (float\[?, ?\] q)" "$text" "and what a function computes by such an operator has none"
freed flat 'g (float[1,3,2] x) => (float[1,6] y) <int64[2] s = {-1, 6}> { y = Reshape (x, s) }' --shape x=Nx3x2
like "=> (float\[N, 6\] y)" "$text" "a Reshape that takes any size"
freed two 'g (float[1,3] x, float[1,3] w) => (float[1,3] y, float[1,3] z) { y = Neg (x) z = Neg (w) }' --shape x=Nx3
like "^g (float\[N, 3\] x, float\[1, 3\] w) => (float\[N, 3\] y, float\[1, 3\] z)" "$text" "another input that is declared the same stays"
freed first 'g (float[1,3] w, float[1,3] x) => (float[1,3] y, float[1,3] z) { y = Neg (x) z = Neg (w) }' --shape w=Nx3
like "^g (float\[N, 3\] w, float\[1, 3\] x) => (float\[1, 3\] y, float\[N, 3\] z)" "$text" "also the other way round"
# denied MESSAGE GRAPH OPTION...
denied() {
    message=$1
    shift
    freed denied "$@"
    is "2 opshift: denied.onnx: $message" "$status $err" "$1: the node is named"
}
denied "node 0 (Reshape): does not accept the given shapes, as with N = 8191: 49146 elements of the shape [8191,3,2] do not fit into the \
new one, which takes 6; correct the new shape" \
    'g (float[1,3,2] x) => (float[1,6] y) <int64[2] s = {1, 6}> { y = Reshape (x, s) }' --shape x=Nx3x2
denied "node 'cat' (Concat): does not accept the given shapes, as with N = 8191: inputs 0 and 1 have the shapes [8191,3] and [1,5], which \
may differ only at the axis of the concatenation; make the other dims equal" \
    'g (float[1,3] x, float[1,5] k) => (float[1,8] y) { [cat] y = Concat <axis = 1> (x, k) }' --shape x=Nx3
denied "node 1 (Gemm): does not accept the given shapes, as with H = 16382, W = 8191: the shapes [1,402554886] and [6,2] do not fit: \
402554886 columns on the left, 6 rows on the right; make them equal" \
    'g (float[1,3,2,1] x) => (y) <float[6,2] w = {1,2,3,4,5,6,7,8,9,10,11,12}> { f = Flatten (x) y = Gemm (f, w) }' --shape x=1x3xHxW
denied "node 0 (MatMul): does not accept the given shapes: the shapes [2,5] and [4,1] do not fit: 5 columns on the left, 4 rows on the \
right; make them equal" \
    'g (float[] x) => (y) <float[4,1] w = {1,2,3,4}> { y = MatMul (x, w) }' --shape x=2x5
freed two 'g (float[1,3] x, float[1,5] k) => (float[1,8] y) { y = Concat <axis = 1> (x, k) }' --shape x=Nx3 --shape k=Nx5
like "=> (float\[N, 8\] y)" "$text" "the same name for both inputs"

# ---- a node that cannot be computed ----
freed clash 'g (float[I,2] x, float[4] z) => (float[I] y) { [sum] y = Add (x, z) }'
is "notice: node 'sum' (Add): input 1 has the shape [4], which is incompatible with 2 at its axis 0; make them equal, or one of them 1; \
no shape is inferred for its outputs
clash.onnx: 1 values, 0 with a whole shape, 0 without a rank; value infos: 0 added, 0 completed, 0 replaced, 1 kept" "$report" \
    "an invalid node is named, and the declaration kept"
run infer clash.onnx -o o.onnx -f json
like '"node": "node .sum. (Add)",' "$out" "as JSON"
freed clash 'g (float[I,2] x, float[4] z) => (float[I] y) { [sum] y = Add (x, z) }' --dim I=3
is 0 "$status" "what was wrong before is no fault of what is given"
freed attribute 'g (float[2,3,4] x) => (float[2,1,4] y) { y = ReduceSum <axes = [1]> (x) }'
is "notice: node 0 (ReduceSum): ReduceSum has no attribute 'axes' at opset 16; write it as in this version; no shape is inferred for \
its outputs
attribute.onnx: 1 values, 1 with a whole shape, 0 without a rank; value infos: 0 added, 0 completed, 0 replaced, 1 kept" "$report" \
    "an attribute that the operator does not have makes it invalid"

# ---- a declared rank behind branches of two ranks: it may be that of the branch that runs ----
freed ranks 'g (float[N,4,L] x, bool c) => (float[M,4] z) <int64[1] m = {-1}, float[M,4] u>
{ u = If (c) <then_branch = t () => (p) { p = Squeeze (x, m) }, else_branch = e () => (q) { q = Identity (x) }> z = Identity (u) }'
is "ranks.onnx: 4 values, 0 with a whole shape, 2 without a rank; value infos: 0 added, 2 completed, 0 replaced, 2 kept" "$report" \
    "declared ranks are kept"
run lint ranks.onnx
is 0 "$status" "and lint has nothing against them"

run infer no.onnx -o o.onnx
is 4 "$status" "a model that is not there: exit status 4"

# Models of IR version 1 have no types of attributes: the list of numbers tells.
perl -e '
    sub varint { my ($n) = @_; my $s = ""; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
    sub field { chr($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }
    my $dims = join "", map { field(1, "\x08" . chr $_) } 1, 1, 2, 2;
    my $type = field(1, "\x08\x01" . field(2, $dims));
    my $node = field(1, "x") . field(2, "y") . field(4, "Upsample") . field(5, field(1, "scales") . field(7, pack "f<4", 1, 1, 2, 2));
    print "\x08\x03", field(7, field(1, $node) . field(2, "g") . field(11, field(1, "x") . field(2, $type)) . field(12, field(1, "y"))), "\x42\x04\x0a\x00\x10\x07"' >untyped.onnx
run infer untyped.onnx -o out.onnx
like 'float\[1, 1, 4, 4\] y' "$("$opshift" show --text out.onnx)" "an attribute without a type is read by what it holds"

done_testing
