#!/bin/sh
# OpenCV as a consumer: what convert --target opencv writes is loaded by its dnn module, and gives the outputs that the
# source model has with ONNX Runtime (OPSHIFT_ORT_NODE), or with the built-in kernels where that is absent.
. "${srcdir:-.}/tests/cli/tap.sh"
grep -q fsanitize "$builddir/Makefile" && skip_all "slow under sanitizers, which find nothing here that others do not"

python=
for name in "${PYTHON:-}" python3 /usr/bin/python3; do
    [ -n "$name" ] && "$name" -c 'import cv2, numpy; cv2.dnn.readNetFromONNX' 2>/dev/null && python=$name && break
done
[ -n "$python" ] || skip_all "OpenCV is not here; install python3-opencv"
engine=builtin
if (. "$tests/cli/ort.sh") >/dev/null 2>&1 && ort=$(. "$tests/cli/ort.sh" && echo "$OPSHIFT_ORT") && [ -n "$ort" ]; then
    engine=onnxruntime OPSHIFT_ORT=$ort
    export OPSHIFT_ORT
fi
version=$("$python" -c 'import cv2; print(".".join(cv2.__version__.split(".")[:2]))')
case $version in 4.[67]) target=opencv@4.6 ;; *) target=opencv ;; esac
echo "# OpenCV $version as $target, against $engine"

# try NAME MODEL: converts it, and computes what is wanted from the source.
try() {
    mkdir -p "cases/$1"
    cp "$2" "cases/$1/source.onnx"
    if ! "$opshift" convert "$2" --target "$target" -o "cases/$1/model.onnx" >"cases/$1/said" 2>&1; then
        ok 1 "$1: converted"
        sed 's/^/# /' "cases/$1/said"
        rm -r "cases/$1"
        return
    fi
    "$python" "$tests/cli/opencv.py" inputs "cases/$1" "$("$opshift" show --text "$2" | tr '\n' ' ' | sed 's/^[^(]*(\([^)]*\)).*/\1/')"
    set -- "$1" "$2" $(for file in "cases/$1"/in/*.npy; do echo "--input $(basename "$file" .npy)=$file"; done)
    name=$1 model=$2 judge=$engine
    [ "$name" != surplus ] || judge=builtin # ONNX Runtime cuts by the number of outputs instead
    shift 2
    "$opshift" run "$model" "$@" --engine $judge -o "cases/$name/want" >"cases/$name/said" 2>&1 ||
        "$opshift" run "$model" "$@" -o "cases/$name/want" >"cases/$name/said" 2>&1 || {
        ok 1 "$name: computed"
        sed 's/^/# /' "cases/$name/said"
        rm -r "cases/$name"
    }
}

# model NAME OPSET: a model from standard input, below its header.
model() {
    { printf '<ir_version: 8, opset_import: ["" : %s]>\n' "$2"; cat; } >"$1.txt"
    "$opshift" assemble "$1.txt" -o "$1.onnx" && try "$1" "$1.onnx"
}
model lengths 13 <<'EOF'
g (float[1, 6, 4, 4] x) => (float[1, 2, 4, 4] a, float[1, 4, 4, 4] b) <int64[2] l = {2, 4}>
{ p, q = Split <axis = 1> (x, l) a = Relu (p) b = Sigmoid (q) }
EOF
model lengths-at-18 18 <<'EOF'
g (float[1, 6, 4, 4] x) => (float[1, 6, 1, 4] a, float[1, 6, 3, 4] b) <int64[2] l = {1, 3}>
{ p, q = Split <axis = 2> (x, l) a = Relu (p) b = Sigmoid (q) }
EOF
model constant-node 13 <<'EOF'
g (float[1, 6] x) => (float[1, 4] a, float[1, 2] b)
{ l = Constant <value_ints = [4, 2]> () p, q = Split <axis = 1> (x, l) a = Relu (p) b = Sigmoid (q) }
EOF
model num-outputs 18 <<'EOF'
g (float[1, 6, 4, 2] x) => (float[1, 3, 4, 2] a, float[1, 3, 4, 2] b) { p, q = Split <axis = 1, num_outputs = 2> (x) a = Relu (p) b = Sigmoid (q) }
EOF
model uneven 18 <<'EOF'
g (float[1, 7, 4, 2] x) => (float[1, 3, 4, 2] a, float[1, 3, 4, 2] b, float[1, 1, 4, 2] c)
{ p, q, r = Split <axis = 1, num_outputs = 3> (x) a = Relu (p) b = Sigmoid (q) c = Tanh (r) }
EOF
model equal 13 <<'EOF'
g (float[2, 6] x) => (float[2, 3] a, float[2, 3] b) { p, q = Split <axis = 1> (x) a = Relu (p) b = Sigmoid (q) }
EOF
model oldest 2 <<'EOF'
g (float[2, 6] x) => (float[2, 3] a, float[2, 3] b) { p, q = Split <axis = 1> (x) a = Neg (p) b = Sigmoid (q) }
EOF
model attribute 11 <<'EOF'
g (float[2, 6] x) => (float[2, 1] a, float[2, 5] b) { p, q = Split <axis = -1, split = [1, 5]> (x) a = Relu (p) b = Sigmoid (q) }
EOF
model negative-axis 13 <<'EOF'
g (float[1, 6, 4, 4] x) => (float[1, 2, 4, 4] a, float[1, 4, 4, 4] b) <int64[2] l = {2, 4}>
{ p, q = Split <axis = -3> (x, l) a = Relu (p) b = Sigmoid (q) }
EOF
model unnamed 13 <<'EOF'
g (float[1, 6, 4, 2] x) => (float[1, 1, 4, 2] a) <int64[3] l = {2, 3, 1}> { "", q, p = Split <axis = 1> (x, l) a = Relu (p) }
EOF
model surplus 18 <<'EOF'
g (float[1, 6, 4, 2] x) => (float[1, 2, 4, 2] a, float[1, 2, 4, 2] b) { p, q = Split <axis = 1, num_outputs = 3> (x) a = Relu (p) b = Sigmoid (q) }
EOF
model single 13 <<'EOF'
g (float[1, 6, 4, 2] x) => (float[1, 6, 4, 2] a) <int64[1] l = {6}> { p = Split <axis = 1> (x, l) a = Relu (p) }
EOF
model folded 13 <<'EOF'
g (float[1, 6, 4, 2] x) => (float[1, 2, 4, 2] a, float[1, 4, 4, 2] b) <int64[2] one = {1, 2}>
{ l = Add (one, one) p, q = Split <axis = 1> (x, l) a = Relu (p) b = Sigmoid (q) }
EOF
model sequence 13 <<'EOF'
g (float[1, 6, 4, 2] x) => (float[1, 4, 4, 2] a, float[1, 2, 4, 2] b) <int64 c = {4}, int64 z = {0}, int64 o = {1}>
{ s = SplitToSequence <axis = 1> (x, c) p = SequenceAt (s, z) q = SequenceAt (s, o) a = Relu (p) b = Sigmoid (q) }
EOF
model chain 17 <<'EOF'
g (float[1, 8, 2, 2] x) => (float[1, 8, 2, 2] y) <int64[3] l = {1, 3, 4}>
{ a, b, c = Split <axis = 1> (x, l) d, e = Split <axis = 1> (c) f = Sigmoid (d) h = Mul (e, f) i = Relu (b) y0 = Concat <axis = 1> (h, i, a, f) y = Relu (y0) }
EOF

# Models of Debian's package of test data, and models made here, in the manner of real networks.
data=/usr/share/libonnx-testdata/data
for directory in "$data"/node/test_split_equal_parts_2d* "$data"/pytorch-operator/test_operator_chunk; do
    [ -e "$directory/model.onnx" ] && try "$(basename "$directory")" "$directory/model.onnx"
done
"$python" "$tests/cli/opencv.py" networks . "$opshift" >networks
while read -r name; do try "$name" "$name.onnx"; done <networks

"$python" "$tests/cli/opencv.py" compare cases >verdicts
while read -r status name words; do
    ok "$status" "$name: OpenCV gives the same outputs"
    [ "$status" = 0 ] || echo "# $words"
done <verdicts
ok "$([ "$(wc -l <verdicts)" -ge 20 ]; echo $?)" "$(wc -l <verdicts) models were run"
# The test can fail: OpenCV 4.6 takes lengths at opset 13 for equal parts.
if [ "$target" = opencv@4.6 ]; then
    ok "$("$python" "$tests/cli/opencv.py" source cases/lengths >/dev/null 2>&1; [ $? -ne 0 ]; echo $?)" \
        "lengths: the source gives other outputs there, or is refused"
fi
done_testing
