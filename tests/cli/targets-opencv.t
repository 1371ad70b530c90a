#!/bin/sh
# What the profile opencv states about 4.6, measured: what it takes loads and gives the outputs of the built-in kernels, what it refuses
# fails or gives others. Skipped where OpenCV 4.6 for Python is not.
. "${srcdir:-.}/tests/cli/tap.sh"

python=
for name in "${PYTHON:-}" python3 /usr/bin/python3; do
    case $([ -n "$name" ] && "$name" -c 'import cv2, numpy; print(cv2.__version__)' 2>/dev/null) in
    4.6.*) python=$name && break ;;
    esac
done
[ -n "$python" ] || skip_all "OpenCV 4.6 is not here (python3-opencv of Debian 12)"

# Of each line of cases (number, wanted outcome, shape of x, outputs, what): "runs" with the outputs of the built-in kernels, "differs"
# or "fails". One process for all, as loading OpenCV takes half a second.
cat >cases.py <<'WAY'
import subprocess, sys, cv2, numpy

def outcome(number, shape, outputs):
    dims = [int(dim) for dim in shape.split("x")]
    x = numpy.arange(1, 1 + numpy.prod(dims), dtype=numpy.float32).reshape(dims)
    numpy.save("x.npy", x)
    subprocess.run([sys.argv[1], "run", number + ".onnx", "--input", "x=x.npy", "-o", number], check=True)
    try:
        net = cv2.dnn.readNetFromONNX(number + ".onnx")
        net.setInput(x, "x")
        found = net.forward(outputs)
    except cv2.error:
        return "fails"
    for name, out in zip(outputs, found):
        wanted = numpy.load(number + "/" + name + ".npy")
        if out.size != wanted.size or not numpy.allclose(out.reshape(-1), wanted.reshape(-1)):
            return "differs"
    return "runs"

for line in open("cases"):
    number, wanted, shape, outputs, what = line.rstrip("\n").split("|")
    print(number, outcome(number, shape, outputs.split()), sep="|")
WAY
number=0

# model OPSET GRAPH
model() {
    number=$((number + 1))
    printf '<ir_version: 8, opset_import: ["" : %s]>\n%s\n' "$1" "$2" >m.txt
    "$opshift" assemble m.txt -o "$number.onnx"
}

# takes WHAT OPSET SHAPE OUTPUTS GRAPH: the profile has nothing against it, and it runs.
takes() {
    model "$2" "$5"
    run lint "$number.onnx" --target opencv@4.6 --select TGT
    is 0 "$status" "$1: no finding"
    echo "$number|runs|$3|$4|$1" >>cases
}

# lacks OUTCOME KEY OPSET SHAPE OUTPUTS GRAPH: the profile reports the key, and this is what happens.
lacks() {
    model "$3" "$6"
    run lint "$number.onnx" --target opencv@4.6 --select TGT
    like "opencv 4.6$2" "$out" "$2: a finding"
    echo "$number|$1|$4|$5|$2" >>cases
}

two='(float[1,2] a, float[1,4] b)'
takes equal 13 1x6 "a b" 'g (float[1,6] x) => (float[1,3] a, float[1,3] b) { a, b = Split <axis = 1> (x) }'
takes "attribute and uneven" 11 1x6 "a b" "g (float[1,6] x) => $two { a, b = Split <axis = 1, split = [2, 4]> (x) }"
takes negative-axis 11 1x6 "a b" "g (float[1,6] x) => $two { a, b = Split <axis = -1, split = [2, 4]> (x) }"
takes num_outputs 18 1x6 "a b" 'g (float[1,6] x) => (float[1,3] a, float[1,3] b) { a, b = Split <axis = 1, num_outputs = 2> (x) }'
takes unnamed-output 11 1x6 "a b" \
    'g (float[1,6] x) => (float[1,2] a, float[1,2] b) { a, "", b = Split <axis = 1, split = [2, 2, 2]> (x) }'
takes "unknown-dim and dynamic-shape" 11 2x6 "a b" \
    'g (float[2,N] x) => (float[2,M] a, float[2,M] b) { a, b = Split <axis = 1> (x) }'
takes "a newer opset" 26 1x6 "y" 'g (float[1,6] x) => (float[1,6] y) { y = Relu (x) }'

lacks differs ", lengths: " 13 1x6 "a b" "g (float[1,6] x) => $two <int64[2] n = {2, 4}> { a, b = Split <axis = 1> (x, n) }"
lacks fails ", uneven-num_outputs: " 18 1x7 "a b" \
    'g (float[1,7] x) => (float[1,4] a, float[1,3] b) { a, b = Split <axis = 1, num_outputs = 2> (x) }'
lacks differs ", surplus: " 18 1x6 "a b" \
    'g (float[1,6] x) => (float[1,2] a, float[1,2] b) { a, b = Split <axis = 1, num_outputs = 3> (x) }'
lacks fails ", empty-part: " 11 1x6 "a b" \
    'g (float[1,6] x) => (float[1,0] a, float[1,6] b) { a, b = Split <axis = 1, split = [0, 6]> (x) }'
lacks fails ", single-output: " 11 1x6 a 'g (float[1,6] x) => (float[1,6] a) { a = Split <axis = 1, split = [6]> (x) }'
lacks fails ", sequences: " 11 1x6 a 'g (float[1,6] x) => (float[1,3] a)
<int64 n = {3}, int64 i = {0}>
{ s = SplitToSequence <axis = 1> (x, n) a = SequenceAt (s, i) }'
lacks fails ", subgraphs: " 11 1x6 a 'g (float[1,6] x) => (float[1,6] a)
<bool c = {1}>
{ a = If (c) <then_branch = t () => (float[1,6] p) { p = Neg (x) }, else_branch = e () => (float[1,6] q) { q = Abs (x) }> }'
lacks fails ", squeeze-attribute-axes: " 13 2x1x3 y 'g (float[2,1,3] x) => (float[2,3] y) <int64[1] n = {1}> { y = Squeeze (x, n) }'
lacks fails ", reducesum-input-1: " 13 2x3 y 'g (float[2,3] x) => (float[2,1] y) <int64[1] n = {1}> { y = ReduceSum (x, n) }'
lacks fails ", clip-input-1-2: " 13 2x3 y 'g (float[2,3] x) => (float[2,3] y) <float n = {1}> { y = Clip (x, n) }'
lacks fails ", pow-variable: " 13 2x3 y 'g (float[2,3] x) => (float[2,3] y) { y = Pow (x, x) }'
lacks fails ", gemm-input-1: " 13 3x3 y 'g (float[3,3] x) => (float[3,3] y) { y = Gemm (x, x) }'
lacks fails " has no Tile: " 13 2x3 y 'g (float[2,3] x) => (float[2,6] y) <int64[2] n = {1, 2}> { y = Tile (x, n) }'
lacks fails " has no TopK: " 13 2x3 "y i" \
    'g (float[2,3] x) => (float[2,1] y, int64[2,1] i) <int64[1] n = {1}> { y, i = TopK (x, n) }'

# What a conversion for it writes is taken.
model 18 'g (float[1,7] x) => (float[1,4] a, float[1,3] b) { a, b = Split <axis = -1, num_outputs = 2> (x) }'
run convert "$number.onnx" --target opencv@4.6 -o converted.onnx
is 0 "$status" "a model is converted for it"
mv converted.onnx "$number.onnx"
echo "$number|runs|1x7|a b|the converted model" >>cases

"$python" cases.py "$opshift" >outcomes 2>python.err || sed 's/^/# /' python.err
while IFS='|' read -r at wanted shape outputs what; do
    is "$wanted" "$(sed -n "s/^$at|//p" outcomes)" "$what of $shape, $outputs: it $wanted"
done <cases
done_testing
