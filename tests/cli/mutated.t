#!/bin/sh
# What ONNX Runtime refuses at load, lint finds: in valid models that are changed in one place each, from a fixed seed.
# Needs Python's onnx and numpy, node, and onnxruntime-node in node's path or in OPSHIFT_ORT_NODE.
. "${srcdir:-.}/tests/cli/tap.sh"

command -v node >/dev/null || skip_all "node is not here"
node -e 'require(process.env.OPSHIFT_ORT_NODE || "onnxruntime-node")' 2>/dev/null ||
    skip_all "onnxruntime-node is not here; OPSHIFT_ORT_NODE can name its directory"
data=${OPSHIFT_TESTDATA:-/usr/share/libonnx-testdata/data}
[ -d "$data/node" ] || skip_all "Debian's libonnx-testdata is not installed"
for python in python3 /usr/bin/python3 ''; do
    "$python" -c 'import onnx' 2>/dev/null && break
done
[ -n "$python" ] || skip_all "Python's onnx is not installed"

find "$data" -name model.onnx | sort >models
tr "\n" "\0" <models >models0
"$opshift" lint --files0-from models0 >valid 2>&1
is 0 $? "no valid model has an error"

# shellcheck disable=SC2046
mkdir mutated
"$python" "$tests/lint/mutate_models.py" "$opshift" mutated 1500 20 $(cat models) >compared
is 0 $? "models are changed and compared"
found=$(sed -n '$s/ of .*//p' compared)
refused=$(sed -n '$s/.* of \([0-9]*\) found/\1/p' compared)
grep '^missed' compared | sed 's/^/# /'
ok "$((${refused:-0} < 500))" "ONNX Runtime refuses many of them (${refused:-0})"
ok "$((100 * ${found:-0} < 98 * ${refused:-1}))" "lint finds 98 of 100 of those (${found:-0})"
done_testing
