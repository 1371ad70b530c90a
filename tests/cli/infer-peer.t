#!/bin/sh
# Everything that onnx.shape_inference infers in ONNX's backend models (strict, with data propagation) is inferred here,
# too.
. "${srcdir:-.}/tests/cli/tap.sh"

data=${OPSHIFT_TESTDATA:-/usr/share/libonnx-testdata/data}
[ -d "$data/node" ] || skip_all "Debian's libonnx-testdata is not installed"
for python in python3 /usr/bin/python3 ''; do
    "$python" -c 'import onnx.shape_inference' 2>/dev/null && break
done
[ -n "$python" ] || skip_all "Python's onnx is not installed"

# Training operators have no schema here. onnx is wrong in two models: a loop that puts tensors of rank 1 into a
# sequence of scalars, and one that turns an optional into a sequence.
find "$data" -name model.onnx | sort |
    grep -v 'test_ada\|test_momentum\|test_nesterov\|test_loop13_seq/\|test_loop16_seq_none/' >models
# shellcheck disable=SC2046
"$python" "$tests/cli/infer_peer.py" "$opshift" "$work" $(cat models) >differences 2>&1
is 0 $? "both infer all of $(wc -l <models) models"
is "" "$(sed '$d' differences)" "nothing is unknown here, and nothing contradicts"
count=$(sed -n '$s/ values$//p' differences)
ok "$((${count:-0} < 2600))" "at least 2600 values were compared (${count:-0})"
done_testing
