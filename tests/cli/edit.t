#!/bin/sh
# opshift edit: what each edit does, there and back, what stays byte for byte, and exact refusals.
. "${srcdir:-.}/tests/cli/tap.sh"

assemble net <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "f" : 1, "unused" : 3], metadata_props: ["k" : "x", "stack" : "/home/me/a.py"] >
g (float[N, 3, 8, 8] x, bool c, float[N, 4] extra) => (float[N, M] y, float[N, 3, 8, 8] z, float[N, 4] e)
  <float[N, 3, 8, 8] q, float[2] w = {1, 2}> {
  [relu] r = Relu (x)
  [flat] y = Flatten (r)
  q = Sigmoid (r)
  [if] z = If (c) <then_branch = t () => (a) { [in] b = Neg (r) a = Abs (b) },
                   else_branch = e () => (d) { d = Identity (x) }>
  [call] e = f.Twice (extra)
  [gone] u = Neg (q)
}
< domain: "f", opset_import: ["" : 13] >
Twice (x) => (y) { [n] t = Add (x, x) y = Identity (t) }
MODEL

# edited WANTED WHAT ARGUMENT...: edits net.onnx to out.onnx; what is printed behind the first line.
edited() {
    wanted=$1 what=$2
    shift 2
    run edit net.onnx -o out.onnx "$@"
    is "0 $wanted" "$status $(printf '%s\n' "$out" | sed 1d)$err" "$what"
    text=$("$opshift" show --text out.onnx)
}
# refused WANTED WHAT ARGUMENT...
refused() {
    wanted=$1 what=$2
    shift 2
    rm -f out.onnx
    run edit net.onnx -o out.onnx "$@"
    is "2 opshift: net.onnx: $wanted" "$status $err" "$what"
    [ ! -e out.onnx ]
    ok $? "$what: nothing is written"
}

# ---- names ----

edited "rename: 1 value, in 3 places: 'x' is 'input' now
rename: 1 dim, in 6 places: 'N' is 'batch' now
rename: 1 node, in 1 place: 'relu' is 'first' now
rename: 1 function, in 2 places: 'Twice' is 'Double' now
rename: 1 domain, in 3 places: 'f' is 'mine' now
verified: proved" "names of all kinds" --rename x=input --rename N=batch --rename node:relu=first \
    --rename function:Twice=Double --rename domain:f=mine
like 'd = Identity (input)' "$text" "a value, in a branch"
like '^Double (x) => (y)' "$text" "values of a function are others"
like 'metadata_props: ."k": "x"' "$text" "metadata stays"
run edit out.onnx -o back.onnx --rename input=x --rename batch=N --rename node:first=relu --rename function:Double=Twice \
    --rename domain:mine=f
cmp -s net.onnx back.onnx
ok $? "there and back: the same bytes"
edited "rename: 1 value, in 4 places: 'x' is 'input' now
verified: proved" "with metadata" --rename x=input --rename-metadata
like '"k": "input"' "$text" "--rename-metadata: a value that is the name"
edited "rename: 13 values, in 28 places: '*' is 'enc/*' now
verified: proved" "a pattern" --rename '*=enc/*'
like '"enc/b" = Neg ("enc/r")' "$text" "names inside of branches, too"
edited "rename: 1 value, in 3 places: 'x' is 'y' now
rename: 1 value, in 2 places: 'y' is 'x' now
verified: proved" "two names that change places" --rename x=y --rename y=x
refused "rename 'x=y': there is a value 'y' already; choose another name" "a clash" --rename x=y
refused "rename 'z=p': another value becomes 'p', too; choose another name" "two that become one" --rename y=p --rename z=p
refused "rename 'extrb=y': the model has no value 'extrb'; there is 'extra'" "no such value" --rename extrb=y
refused "rename 'dim:K=y': the model has no dim 'K'" "no such dim" --rename dim:K=y
refused "rename 'node:rel=y': the model has no node 'rel'; there is 'relu'" "no such node" --rename node:rel=y
refused "rename 'function:Twise=y': the model has no function 'Twise'; there is 'Twice'" "no such function" \
    --rename function:Twise=y
refused "rename 'x': must be written as OLD=NEW" "no new name" --rename x
refused "rename 'a*=b': a pattern has one '*' on each side, for the same text" "half a pattern" --rename 'a*=b'
edited "unique-names: 4 nodes got a name of its own
verified: proved" "unique names" --unique-names

# ---- what is removed ----

edited "strip: 7 names of nodes, 35 bytes
strip: 1 value info, 30 bytes
strip: 1 metadata entry, 24 bytes
verified: proved" "strip" --strip names,value-infos --strip 'metadata:sta*'
case $text in *home*) ok 1 "the path is gone" ;; *) ok 0 "the path is gone" ;; esac
refused "strip 'metadata:stac': the model has no metadata of that key; there is 'stack'" "no such key" \
    --strip metadata:stac
refused "strip 'foo': is none of docs, names, value-infos, metadata, metadata:KEY" "nothing to strip" --strip foo
edited "drop-output: 1 output, and what only it needed: 1 node, 1 function
verified: proved" "an output and what only it needed" --drop-output e
like 'u = Neg (q)' "$text" "what nothing needed before stays"
edited "drop-unused: 2 nodes, 1 initializer, 1 value info, 1 opset import
verified: proved" "what no output needs" --drop-unused
run lint out.onnx
is "1 file checked: 0 errors, 0 warnings, 0 notes" "$out" "the model is clean"
edited "show-output: 'q' is an output now
verified: proved" "a value inside becomes an output" --show-output q
like '(float.N, M. y, float.N, 3, 8, 8. z, float.N, 4. e, float.N, 3, 8, 8. q)' "$text" "with its type"
run edit out.onnx -o back.onnx --drop-output q
is "drop-output: 1 output, and what only it needed: nothing" "$(printf '%s\n' "$out" | sed -n 2p)" "and back"
refused "show-output 'y': it is an output already" "an output twice" --show-output y
refused "show-output 'b': the model has no value 'b'" "a value of a branch" --show-output b
refused "drop-output 'q': the model has no output 'q'" "no such output" --drop-output q
refused "drop-output: a model needs an output; leave one" "all outputs" --drop-output '*'

# ---- a part ----

edited "extract: 'r:y,q' has 2 of 6 nodes; removed: 4 nodes, 1 initializer, 1 function
verified: proved" "a part" --extract r:y,q
like '^g (float.N, 3, 8, 8. r) => (float.N, M. y, float.N, 3, 8, 8. q)' "$text" "its ends have types"
edited "extract: ':q,y' has 3 of 6 nodes; removed: 3 nodes, 1 initializer, 1 function
verified: proved" "up to values" --extract :q,y
like '^g (float.N, 3, 8, 8. x) => (float.N, 3, 8, 8. q, float.N, M. y)' "$text" "only the inputs that are needed; outputs in this order"
edited "extract: 'extra:' has 1 of 6 nodes; removed: 5 nodes, 1 initializer, 1 value info
verified: proved" "what depends on a value" --extract extra:
like '^Twice (x)' "$text" "with the functions that it calls"
refused "extract 'r:z': the input 'x' is needed, too; name it, or a value behind it" "an input that is missing" --extract r:z
refused "extract 'x,r:y': nothing between needs 'x'; leave it out" "a value that nothing needs" --extract x,r:y
refused "extract 'extrb:y': the model has no value 'extrb'; there is 'extra'" "no such end" --extract extrb:y
refused "extract 'y': must be written as FROM:TO, names of values with commas between them" "no colon" --extract y

# ---- dims ----

cat >view.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 17] >
g (float[1, 3, 4] x) => (float[1, 6] y, float[1, 4, 4] z)
  <int64[2] flat = {1, -1}, float[12, 6] w = {WEIGHTS}, int64[3] back = {1, 2, 3}, int64[2] end = {1, 6}, float[1, 1, 4] token = {1, 2, 3, 4},
   float[1, 6] f, float[1, 3, 4] other> {
  t = Reshape (x, flat)
  m = MatMul (t, w)
  b = Reshape (m, back)
  n = Neg (b)
  y = Reshape (n, end)
  z = Concat <axis = 1> (token, x)
  other = Abs (x)
}
MODEL
sed "s/WEIGHTS/$(seq -s ', ' 72)/" view.txt >w.txt
run assemble w.txt -o view.onnx
run edit view.onnx -o free.onnx --batch N
is "0 dim: 4 declarations changed, 4 nodes that held the old size rewritten
verified: proved, 1 run" "$status $(printf '%s\n' "$out" | sed 1d)$err" "the batch is freed"
text=$("$opshift" show --text free.onnx)
like '^g (float.N, 3, 4. x) => (float.N, 6. y, float.N, 4, 4. z)' "$text" "at the inputs and at the outputs"
like 'int64.2. t_shape = {0, 12}' "$text" "a Reshape to 1 and -1: the batch is the input's, the rest is what it was"
like 'int64.3. b_shape = {0, 2, 3}' "$text" "a Reshape to a number: 0 where the dim is the input's"
like 'z_Expand = Expand (token, z_Where)' "$text" "a weight beside the batch is repeated"
like 'int64.2. flat = {1, -1}' "$text" "what others may read stays"
for rank in 64 65; do
    perl -e '$n = shift; print "<ir_version: 8, opset_import: [\"\" : 13]> g (float[2, 3] x) => (y) <int64[$n] s = {2", ", 1" x ($n - 2), ", 3}> { y = Reshape (x, s) }"' $rank >ranks.txt
    run assemble ranks.txt -o ranks.onnx
    run edit ranks.onnx -o free$rank.onnx --batch N
done
like ' {0, 1, 1,.* 1, 3}' "$("$opshift" show --text free64.onnx)" "a Reshape to 64 dims is written anew"
like ' {2, 1, 1,.* 1, 3}' "$("$opshift" show --text free65.onnx)" "one to more is left"
for size in 1 2 7; do
    run run free.onnx --random --shape N=$size
    like "^y  float.$size,6. " "$out" "it runs with $size"
done
run infer free.onnx -o typed.onnx
run edit view.onnx -o four.onnx --batch 4
text=$("$opshift" show --text four.onnx)
like '^g (float.4, 3, 4. x) => (float.4, 6. y, float.4, 4, 4. z)' "$text" "another number"
run edit free.onnx -o four.onnx --dim N=4
is "0 verified: proved" "$status $(printf '%s\n' "$out" | tail -n 1)" "a name gets a number"
run edit view.onnx -o free.onnx --shape x=N,?,?
is "0 verified: proved" "$status $(printf '%s\n' "$out" | tail -n 1)" "as a shape"
echo '<ir_version: 8, opset_import: ["" : 13]> g (float[N, M, K] x) => (float[N, M, K] y) { y = Neg (x) }' >three.txt
run assemble three.txt -o three.onnx
run edit three.onnx -o out.onnx --dim N=4 --dim M=5 --dim K=6
like '^g (float.4, 5, 6. x) => (float.4, 5, 6. y)' "$("$opshift" show --text out.onnx)" "each of three dims gets its size"
run edit view.onnx -o out.onnx --dim x.2=5
is "2 opshift: view.onnx: node 1 (MatMul): does not accept the given shapes, as with opshift_4_to_5 = 32764: the shapes [1,98292] and [12,6] do not fit: 98292 columns on the left, 12 rows on the right; make them equal" \
    "$status $err" "a node that needs the size"
run edit view.onnx -o out.onnx --dim x.3=N
is "opshift: view.onnx: dim 'x.3=N': the input has 3 dims, from 0" "$err" "no such dim"
run edit view.onnx -o out.onnx --dim K=4
is "opshift: view.onnx: dim 'K=4': the model declares no dim of that name; name one of its inputs with --shape" "$err" \
    "no dim of that name"
assemble grow <<'MODEL'
< ir_version: 8, opset_import: ["" : 17] >
g (float[1, 3, 4, 4] x) => (float[1, 3, 8, 8] y) <int64[4] s = {1, 3, 8, 8}> { y = Resize <mode = "nearest"> (x, "", "", s) }
MODEL
run edit grow.onnx -o out.onnx --batch N
is "2 opshift: grow.onnx: node 0 (Resize): its sizes hold the size of dim 0; give it scales, or axes" "$status $err" \
    "a Resize to a size"
run edit net.onnx -o out.onnx --batch N
is "net.onnx: nothing changes" "$(printf '%s\n' "$out" | head -n 1)" "a batch that has the name already"

# ---- functions ----

cp net.onnx first.onnx
assemble net <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "f" : 1] >
g (float[N, 4] x, bool c) => (float[N, 4] y, float[N, 4] z, float[N,4] w) <float[4] t = {1,2,3,4}> {
  [one] y, same = f.Pair <alpha = 0.5> (x)
  [two] q = f.Twice (same)
  z = If (c) <then_branch = b () => (p) { [in] p = f.Twice (x) }, else_branch = e () => (r) { r = Add (q, t) }>
  w, unused = f.Pair (y)
}
< domain: "f", opset_import: ["" : 13, "f":1] >
Twice (x) => (y) { [n] t = Add (x, x) y = Identity (t) }
< domain: "f", opset_import: ["" : 13, "f" : 1] >
Pair <alpha: float = 0.25> (x) => (y, x) { h = f.Twice (x) k = Selu <alpha: float = @alpha> (h) c = Constant <value = bool {1}> ()
  y = If (c) <then_branch = a () => (m) { m = Neg (k) }, else_branch = d () => (m2) { m2 = Abs (k) }> }
MODEL
edited "inline: 2 functions opened in 5 calls: 16 nodes
verified: proved" "--inline of all" --inline '*'
like '."one/Twice/n". one_Twice_t = Add (x, x)' "$text" "a function inside of a function, with names of its own"
like 'one_k = Selu <alpha = 0.5> (one_h)' "$text" "a parameter that the call gives"
like 'Pair_k = Selu <alpha = 0.25> (Pair_h)' "$text" "and its default"
like 'one_m = Neg (one_k)' "$text" "a branch in the body"
like '."in/n". in_t = Add (x, x)' "$text" "a call in a branch"
like 'same = Identity (x)' "$text" "an output that is an input"
run lint out.onnx
like "0 errors, 0 warnings, 1 note" "$out" "the model is clean"
edited "inline: 1 function opened in 3 calls: 6 nodes
verified: proved" "--inline of one" --inline Twice
like 'k = Selu <alpha : float = @alpha> (h)' "$text" "in another function"
refused "inline 'Twise': the model has no function 'Twise'; there is 'Twice'" "no such function to open" --inline Twise
assemble net <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "f" : 1] >
g (float[2, 3] x) => (float[2, 3] y) { y = f.Soft (x) }
< domain: "f", opset_import: ["" : 11, "ai.onnx.ml" : 1] >
Soft (x) => (y) { t = Relu (x) s = ai.onnx.ml.Scaler <scale = [2.0]> (t) y = Softmax (s) }
MODEL
refused "inline: function 'Soft' has Relu of opset 11, and the graph that calls it has opset 13, where it differs; convert the model first" \
    "a function of another opset" --inline Soft
sed 's/"" : 11/"" : 13/' net.txt >other.txt
run assemble other.txt -o net.onnx
edited "inline: 1 function opened in 1 call: 3 nodes
verified: proved" "a domain that the model does not import" --inline '*'
like 'opset_import: ."": 13, "f": 1, "ai.onnx.ml": 1.' "$(printf '%s' "$text" | sed 's/ : /: /g')" "is imported"
assemble net <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[2] x, bool c) => (float[2] y, float[2] z) {
  [k] one = Constant <value = bool {1}> ()
  no = Not (one)
  [if1] a, b = If (one) <then_branch = t () => (p, x2) <float[2] w = {1, 2}> { x2 = Identity (x) q = Add (x, w)
      p = If (no) <then_branch = t2 () => (m) { m = Neg (q) }, else_branch = e2 () => (m) { m = Abs (q) }> },
      else_branch = e () => (r, r2) { r = Neg (x) r2 = Neg (r) }>
  y = Add (a, b)
  z = If (c) <then_branch = t3 () => (u) { q = Neg (x) u = If (one) <then_branch = t4 () => (q2) { q2 = Exp (q) }, else_branch = e4 () => (q3) { q3 = Abs (q) }> }, else_branch = e5 () => (v) { v = Abs (x) }>
}
MODEL
edited "inline-if: 3 Ifs with a constant condition became their branches
verified: proved" "--inline-if" --inline-if
like 'b = Identity (x)' "$text" "an output of the branch that needs no Identity, or that has one"
like 'a = Abs (q_1)' "$text" "an If in the branch; a name that is elsewhere, too"
like 'u = Exp (q)' "$text" "an If in another one, which stays"
like 'float.2. w = {1.0, 2.0}' "$text" "the branch's initializer"
run lint out.onnx
like "0 errors, 0 warnings, 1 note" "$out" "the model is clean"
cp first.onnx net.onnx

# ---- constants ----

assemble fold <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[2, 3] x, bool c) => (float[N] y, float[2, 3] z, float[2] k)
  <float[2] a = {1, 2}, float[2] b = {3, 4}, float[2] same = {3, 4}, float[2] sum> {
  sum = Add (a, b)
  twice = Mul (sum, b)
  minus = Constant <value_ints = [-1]> ()
  e = Exp (twice)
  y = Reshape (e, minus)
  shape = Shape (x)
  one = Gather (shape, zero)
  zero = Constant <value = int64 {0}> ()
  k = Add (twice, same)
  z = If (c) <then_branch = t () => (p) <float[2] w = {3, 4}> { o = Constant <value = float {1}> () o2 = Add (o, o) p = Mul (x, o2) },
              else_branch = f () => (q) { s2 = Mul (sum, sum) s3 = ReduceMax <keepdims = 0> (s2) q = Add (x, s3) }>
}
MODEL
sed -i 's/^  zero = .*//; s/^  one = /  zero = Constant <value = int64 {0}> ()\n  one = /' fold.txt
cp net.onnx first.onnx
run assemble fold.txt -o net.onnx
edited "fold: 8 nodes gone, 3 initializers instead, 57 bytes
verified: proved" "--fold" --fold
like 'float.2. twice = {12.0, 24.0}' "$text" "a node that computes a constant"
like 'e = Exp (twice)' "$text" "but not one that rounds as a runtime does"
like 'float o2 = {2.0}' "$text" "in a branch"
is 0 "$(printf '%s' "$text" | grep -c Gather)" "sizes of an input"
like 'minus = Constant' "$text" "a Constant stays"
edited "fold: 5 nodes gone, 3 initializers instead, 57 bytes
verified: proved" "--fold-limit" --fold --fold-limit 8
refused "fold-limit 'small': must be a number of bytes" "no limit" --fold --fold-limit small
edited "constants-to-initializers: 3 nodes gone, 3 initializers instead, 49 bytes
verified: proved" "--constants-to-initializers" --constants-to-initializers
like 'int64.1. minus = {-1}' "$text" "of any form"
run edit out.onnx -o back.onnx --initializers-to-constants
is "0 initializers-to-constants: 7 initializers, 114 bytes, in Constant nodes now
verified: proved" "$status $(printf '%s\n' "$out" | sed 1d)$err" "--initializers-to-constants"
run lint back.onnx
like "0 errors, 0 warnings" "$out" "the model is clean"
edited "dedupe: 2 weights of 16 bytes were removed; readers read the equal one
verified: proved" "--dedupe" --dedupe
like 'k = Add (twice, b)' "$text" "another weight is read"
cp first.onnx net.onnx
assemble old <<'MODEL'
< ir_version: 3, opset_import: ["" : 8] >
g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> { c = Constant <value = float[2] {1, 2}> () d = Add (c, c) y = Add (x, d) }
MODEL
run edit old.onnx -o out.onnx --fold
is "2 opshift: old.onnx: fold: IR version 3 wants each initializer as an input, too, which a caller may replace; --ir-inputs remove makes it version 4" \
    "$status $err" "IR version 3"
run edit old.onnx -o out.onnx --fold --ir-inputs remove
is "0 verified: proved" "$status $(printf '%s\n' "$out" | tail -n 1)$err" "which rises"
run edit old.onnx -o out.onnx --dedupe
is "old.onnx: nothing changes" "$(printf '%s\n' "$out" | head -n 1)" "a weight that a caller may replace stays"

# ---- weights ----

run edit view.onnx -o out/out.onnx --external w.bin
is 4 "$status" "a directory that is missing"
mkdir out
run edit view.onnx -o out/out.onnx --external w.bin --external-from 32
is "0 view.onnx: 500 bytes, 644 before
external: 1 weight, 288 bytes, in 'w.bin'
verified: proved" "$status $(printf '%s\n' "$out" | sed 's/: [0-9]* bytes, [0-9]* before/: 500 bytes, 644 before/')$err" "weights in a file"
is 288 "$(wc -c <out/w.bin | tr -d ' ')" "from a size on"
run diff view.onnx out/out.onnx
like 'no difference' "$out" "the same values"
run run out/out.onnx --random
is 0 "$status" "it runs"
run edit out/out.onnx -o out/back.onnx --internal
run diff view.onnx out/back.onnx
like 'no difference' "$out" "and in again"
run edit out/out.onnx -o out/again.onnx --external all.bin --external-from 1 --align 256
is "external: 5 weights, 360 bytes, in 'all.bin'" "$(printf '%s\n' "$out" | sed -n 2p)" "several files and the model into one"
is 1296 "$(wc -c <out/all.bin | tr -d ' ')" "aligned"
run diff view.onnx out/again.onnx
like 'no difference' "$out" "the same values again"
mkdir other
run edit out/out.onnx -o other/out.onnx --external w.bin
cmp -s out/w.bin other/w.bin
ok $? "in another directory the file may have the same name"
run edit out/out.onnx -o other/inside.onnx --internal --rename x=input
is "inside.onnx out.onnx w.bin" "$(echo $(ls other))" "what is inside is not copied"
run edit out/out.onnx -o out/tensors.onnx --safetensors m.safetensors --external-from 1
is "0 safetensors: 5 weights, 360 bytes, in 'm.safetensors'
verified: proved" "$status $(printf '%s\n' "$out" | sed 1d)$err" "--safetensors"
like '^.*{"flat":{"dtype":"I64","shape":.2.,"data_offsets":.0,16.},.*"w":{"dtype":"F32","shape":.12,6.,"data_offsets":.56,344.},"token":' \
    "$(dd if=out/m.safetensors bs=312 count=1 2>/dev/null | tr -d '\000')" "its header, larger elements first"
run diff view.onnx out/tensors.onnx
like 'no difference' "$out" "the same values in it"
run edit out/tensors.onnx -o out/back.onnx --internal
run diff view.onnx out/back.onnx
like 'no difference' "$out" "and in again from there"
run edit view.onnx -o out/new.onnx --safetensors m.safetensors --align 4
is "2 opshift: edit: option '--align' needs --external; add it" "$status $err" "which has no gaps"
assemble four <<'MODEL'
< ir_version: 10, opset_import: ["" : 21] >
g (float[2] x) => (float[2] y) <int4[2] w = {1, 2}> { c = Cast <to = 1> (w) y = Add (x, c) }
MODEL
run edit four.onnx -o out/new.onnx --safetensors m.safetensors --external-from 1
is "3 opshift: four.onnx: safetensors: weight 'w' is int4, which that layout does not have; use --external" "$status $err" \
    "a type that safetensors does not have"
run edit out/out.onnx -o out/new.onnx --external w.bin
is "2 opshift: the new weights and external data 'w.bin' of out/out.onnx are the same file, 'out/w.bin'; name another one" \
    "$status $err" "a file that the model reads"
run edit view.onnx -o out/new.onnx --external ../w.bin
is "opshift: view.onnx: external '../w.bin': must be a path below the directory of the new model" "$err" "a path outside"
run edit view.onnx -o out/new.onnx --external w.bin --align 1k
is "opshift: view.onnx: align '1k': must be a number of bytes" "$err" "no number"
run edit view.onnx -o - --external w.bin
is "opshift: <stdout>: weights cannot be put beside a stream; name a file" "$err" "beside a stream"
rm out/w.bin
run edit out/out.onnx -o out/new.onnx --internal
is "4 opshift: out/out.onnx: external data 'w.bin' is missing or too short; put the file beside the model" "$status $err" \
    "a file that is missing"

# ---- IR version 3 ----

edited "ir-inputs: 1 initializer is an input, too
verified: proved" "initializers as inputs" --ir-inputs add
run edit out.onnx -o back.onnx --ir-inputs remove
cmp -s net.onnx back.onnx
ok $? "and back: the same bytes"

# ---- the command ----

run edit net.onnx -o out.onnx
cmp -s net.onnx out.onnx
ok $? "no edit: the same bytes"
is "net.onnx: nothing changes
verified: proved" "$out" "and the report"
run edit net.onnx --dry-run --rename x=input -f json
like '"verdict": "proved"' "$out" "--dry-run: the report, as JSON"
run edit net.onnx --rename x=input
is "opshift: edit: option '--output' is required: -o OUT, or --dry-run to write nothing" "$err" "without an output"
run edit net.onnx -o - --rename x=input
like "^rename: 1 value" "$err" "to standard output, with the report on standard error"
run edit net.onnx -o out.onnx --report report.json --drop-output e --extract x:y
is "opshift: net.onnx: drop-output 'e': the model has no output 'e'" "$err" "the order is that of the documentation"
done_testing
