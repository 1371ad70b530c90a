#!/bin/sh
# opshift join: what is connected, names that clash, opsets, functions, metadata, external data, and exact refusals.
. "${srcdir:-.}/tests/cli/tap.sh"

assemble a <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "f" : 1], metadata_props: ["k": "a", "same": "s"] >
a (float[N, 4] x) => (float[N, 4] y, float[N, 4] aux) <float[4] w = {1, 2, 3, 4}> { [n] t = Add (x, w) y = f.F (t) aux = Neg (t) }
< domain: "f", opset_import: ["" : 13] >
F (x) => (y) { y = Relu (x) }
MODEL
assemble b <<'MODEL'
< ir_version: 9, opset_import: ["" : 13, "f" : 1], metadata_props: ["k": "b", "same": "s", "only": "b"] >
b (float[B, 4] y, float[N, 4] x, float[K, 4] e) => (float[B, 4] out, float[N, 4] aux)
  <float[4] w = {5, 6, 7, 8}> { [n] t = Mul (y, w) out = f.F (t) aux = Sub (x, e) }
< domain: "f", opset_import: ["" : 13] >
F (x) => (y) { y = Abs (x) }
MODEL
sed 's/"" : 13/"" : 11/' b.txt >old.txt
run assemble old.txt -o old.onnx

# joined WANTED WHAT ARGUMENT...: what is printed behind the first line.
joined() {
    wanted=$1 what=$2
    shift 2
    run join "$@"
    is "0 $wanted" "$status $(printf '%s\n' "$out" | sed 1d)$err" "$what"
}
joined "prefix: 7 names of the second model that clash begin with 'b_' now
connect: 'y' of the first model is 'y' of the second
verified: proved" "an output and an input of one name" a.onnx b.onnx -o out.onnx
text=$("$opshift" show --text out.onnx)
like '^a (float.N, 4. x, float.b_N, 4. b_x, float.K, 4. e) => (float.N, 4. aux, float.N, 4. out, float.b_N, 4. b_aux)' "$text" \
    "the other inputs and outputs stay; a connected dim is the first model's"
like '.b_n. b_t = Mul (y, b_w)' "$text" "names that clash"
like 'out = f.b_F (b_t)' "$text" "a function of the same name"
like 'metadata_props: ."k": "a", "same": "s", "b_k": "b", "only": "b".' "$text" "metadata of both"
like 'ir_version: 9' "$text" "the higher IR version"
like 'float.N, 4. y$' "$text" "the connected value keeps its type"
run lint out.onnx
is "1 file checked: 0 errors, 0 warnings, 0 notes" "$out" "the model is clean"
joined "convert: the second model to opset 13
prefix: 7 names of the second model that clash begin with 'second.' now
connect: 'y' of the first model is 'y' of the second
verified: tested, 3 runs" "opsets are brought together" a.onnx old.onnx -o out.onnx --prefix second.
joined "convert: the first model to opset 13
prefix: 6 names of the second model that clash begin with 'b_' now
connect: 'out' of the first model is 'x' of the second
verified: tested, 3 runs" "the first one's, too" old.onnx a.onnx -o out.onnx --connect out=x
joined "prefix: 5 names of the second model that clash begin with 'b_' now
connect: 't' of the first model is 'x' of the second
verified: proved" "a model with itself, from a value inside" a.onnx a.onnx -o out.onnx --connect t=x
is 1 "$("$opshift" show --text out.onnx | grep -c '^F (x)')" "the same function is there once"

# ---- external data ----

mkdir one two three
run edit a.onnx -o one/a.onnx --external w.bin --external-from 1
run edit b.onnx -o two/b.onnx --external w.bin --external-from 1
joined "external: the second model's external data is in 'b.onnx.data'
prefix: 7 names of the second model that clash begin with 'b_' now
connect: 'y' of the first model is 'y' of the second
verified: proved" "external data of both" one/a.onnx two/b.onnx -o three/out.onnx
is "b.onnx.data out.onnx w.bin" "$(echo $(ls three))" "lies beside the joined model"
run run three/out.onnx --random --dim N=2 --dim b_N=2 --dim K=2
is 0 "$status" "it runs"
run join one/a.onnx one/a.onnx -o one/out.onnx --connect y=x
is "a.onnx out.onnx w.bin" "$(echo $(ls one))" "of one directory it stays where it is"

# ---- refusals ----

assemble c <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
c (int64[N, 4] q, float[2] r) => (int64[N, 4] p) { p = Neg (q) }
MODEL
# refused WANTED WHAT ARGUMENT...
refused() {
    wanted=$1 what=$2
    shift 2
    rm -f out.onnx
    run join "$@" -o out.onnx
    is "2 opshift: $wanted" "$status $err" "$what"
    [ ! -e out.onnx ]
    ok $? "$what: nothing is written"
}
refused "connect 'z=y': the first model has no value 'z'" "no such value" a.onnx b.onnx --connect z=y
refused "connect 'y=z': the second model has no input 'z'" "no such input" a.onnx b.onnx --connect y=z
refused "connect 'y': must be written as OUT=IN" "half a connection" a.onnx b.onnx --connect y
refused "connect 'y=q': the input has another type or shape than the value" "another type" a.onnx c.onnx --connect y=q
refused "no output of the first model has the name of an input of the second; connect them with --connect OUT=IN" \
    "nothing to connect" a.onnx c.onnx
run join a.onnx b.onnx
is "2 opshift: join: option '--output' is required: -o OUT, or --dry-run to write nothing" "$status $err" "without an output"
run join a.onnx b.onnx --dry-run -f json
like '"verdict": "proved"' "$out" "--dry-run: the report, as JSON"
done_testing
