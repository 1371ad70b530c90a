#!/bin/sh
# Rules that are wrong at an edge alone (a dim of 0 or 1, the width or the limits of a type, ties, NaN, what one call of a
# function gives): convert --verify refuses what they make. The rules are in tests/models/wrong-rules.
. "${srcdir:-.}/tests/cli/tap.sh"
wrong=$tests/models/wrong-rules

# edge WHAT OPSET DIFFERENCE: the model of standard input is refused, for this difference; the shipped rules make one
# that is not.
edge() {
    cat >edge.txt
    "$opshift" assemble edge.txt -o edge.onnx
    run convert edge.onnx --opset "$2" --rules "$wrong" --verify -o edge.out.onnx
    is 1 "$status" "$1: exit status 1"
    like "^node 0 .*  differs  *\($3\)" "$err" "$1: the difference"
    [ ! -e edge.out.onnx ]
    ok $? "$1: nothing is written"
    run convert edge.onnx --opset "$2" --verify -o edge.right.onnx
    is 0 "$status" "$1: by the shipped rules"
    rm -f edge.right.onnx
}

for operator in Softmax LogSoftmax; do
    edge "$operator of a dim of 0" 13 "output 'y' cannot be computed any more: Reshape: " <<MODEL
<ir_version: 8, opset_import: ["" : 12]>
g (float[a, b, c] x) => (float[a, b, c] y) { y = $operator <axis = 1> (x) }
MODEL
done
edge "DepthToSpace of a dim of 0" 10 "output 'y' cannot be computed any more: Reshape: " <<'MODEL'
<ir_version: 8, opset_import: ["" : 11]>
g (float[n, 4, h, w] x) => (float[] y) { y = DepthToSpace <blocksize = 2, mode = "CRD"> (x) }
MODEL
edge "RotaryEmbedding of a dim of 0" 22 "output 'y' cannot be computed any more: Reshape: " <<'MODEL'
<ir_version: 10, opset_import: ["" : 23]>
g (float[b, s, d] x, float[b, s, h] c, float[b, s, h] n) => (float[b, s, d] y) { y = RotaryEmbedding <num_heads = 2> (x, c, n) }
MODEL
edge "TopK of no elements" 9 "output 'y' cannot be computed any more: TopK: k is 0, must be positive below opset 10" <<'MODEL'
<ir_version: 8, opset_import: ["" : 11]>
g (float[n, 4] x) => (float[n, k] y, int64[n, k] i) <int64[1] k = {0}> { y, i = TopK <axis = 1> (x, k) }
MODEL
edge "HardSwish of a dim of 1" 13 "output 'y' was of shape \[[0-9]*,1\] and is of shape \[[0-9]*,0\]\|output 'y' cannot be computed any more: Expand" <<'MODEL'
<ir_version: 8, opset_import: ["" : 14]>
g (float[n, m] x) => (float[n, m] y) { y = HardSwish (x) }
MODEL
edge "BitShift by the width" 10 "output 'y' is not known to be computed any more: Cast: element .* is beyond uint32" <<'MODEL'
<ir_version: 8, opset_import: ["" : 11]>
g (uint32[n] x, uint32[n] s) => (uint32[n] y) { y = BitShift <direction = "RIGHT"> (x, s) }
MODEL
for type in int32 int64; do
    edge "Mod of the least $type" 9 "output 'y' cannot be computed any more: Div: the least integer divided by -1" <<MODEL
<ir_version: 8, opset_import: ["" : 10]>
g ($type[2] x, $type[2] s) => ($type[2] y) { y = Mod <fmod = 1> (x, s) }
MODEL
done
edge "Pow of int64 through double" 11 "output 'y' differs first at element .*: 4611686014132420608 was 4611686014132420609" <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (int64[n] x) => (int64[n] y) <int64 e = {2}> { y = Pow (x, e) }
MODEL
edge "Resize at ties" 10 "output 'y' differs first at element .*" <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[1, 1, 14, 1] x) => (float[1, 1, 19, 1] y) <int64[4] s = {1, 1, 19, 1}> { y = Resize <mode = "nearest"> (x, "", "", s) }
MODEL
edge "Einsum of a label of size 1" 11 "output 'y' cannot be computed any more: MatMul: " <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[a, b] p, float[c, d] q) => (float[] y) { y = Einsum <equation = "ij,jk->ik"> (p, q) }
MODEL
edge "Round at ties" 10 "output 'y' differs first at element .*" <<'MODEL'
<ir_version: 8, opset_import: ["" : 11]>
g (float[3] x) => (float[3] y) { y = Round (x) }
MODEL
edge "GreaterOrEqual of NaN" 11 "output 'y' differs first at element .*" <<'MODEL'
<ir_version: 8, opset_import: ["" : 12]>
g (float[2] a, float[2] b) => (bool[2] y) { y = GreaterOrEqual (a, b) }
MODEL
edge "a node that is kept and must not be" 13 "output 'y' differs first at element .*" <<'MODEL'
<ir_version: 8, opset_import: ["" : 12]>
g (float[n, 3, 4] x) => (float[n, 3, 4] y) { y = Hardmax (x) }
MODEL

# ---- the calls of a function
# calls BODY OPSET INPUTS CALLS: a model whose function F (a, b) has this body.
calls() {
    printf '<ir_version: 8, opset_import: ["" : %s, "f" : 1]>\ng %s\n{ %s }\n' "$2" "$3" "$4"
    printf '<domain: "f", opset_import: ["" : %s]> F (a, b) => (y) { %s }\n' "$2" "$1"
}
# wrong_call WHAT BODY BEFORE AFTER INPUTS CALLS DIFFERENCE: the body does not do at opset AFTER what it does at BEFORE.
wrong_call() {
    calls "$2" "$3" "$5" "$6" | assemble before
    calls "$2" "$4" "$5" "$6" | assemble after
    answers 1 "$1" before.onnx after.onnx
    like "^node 1 (F)  *differs  *$7" "$out" "$1: the second call is named"
}
wrong_call "a type that one call gives" "y = Add (a, b)" 14 13 "(float[2] p, int8[2] q) => (float[2] v, int8[2] w)" \
    "v = f.F (p, p) w = f.F (q, q)" \
    "output 'w' cannot be computed any more: function 'F': node 0 (Add): input 0 is int8, which Add-13 does not take"
wrong_call "an input that one call leaves out" "y = Gemm (a, a, b)" 13 10 "(float[2, 2] p, float[2] q) => (float[2, 2] v, float[2, 2] w)" \
    "v = f.F (p, q) w = f.F (p)" "output 'w' cannot be computed any more: function 'F': node 0 (Gemm): input 2 is required and absent"

# ---- alike nodes are run once
chain() {
    awk -v nodes="$1" 'BEGIN {
        printf "<ir_version: 8, opset_import: [\"\" : 11]>\ng (uint32[n] x0, uint32[n] s) => (uint32[n] x%d) {\n", nodes
        for (i = 0; i < nodes; i++)
            printf " x%d = BitShift <direction = \"RIGHT\"> (x%d, s)\n", i + 1, i
        print "}" }' | assemble chain
}
chain 3
run convert chain.onnx --opset 10 --rules "$wrong" --verify -o chain.out.onnx
is 3 "$(printf "%s\n" "$err" | grep -c '  differs  ')" "a difference is told of each alike node"
done_testing
