#!/bin/sh
# A part of what the profiles of ONNX Runtime state, measured again (rules/targets/measure): each version and combination of types of some
# operators is told as the runtime itself answers. Skipped where Node, ONNX Runtime's package or onnx for Python is not.
. "${srcdir:-.}/tests/cli/tap.sh"
grep -q fsanitize "$builddir/Makefile" && skip_all "slow under sanitizers, which find nothing here that others do not"
. "$tests/cli/ort.sh"

python=
for name in "${PYTHON:-}" python3 /usr/bin/python3; do
    [ -n "$name" ] && "$name" -c 'import onnx' 2>/dev/null && python=$name && break
done
[ -n "$python" ] || skip_all "onnx for Python is not here (python3-onnx)"
command -v node >/dev/null || skip_all "node is not here"
[ -n "${OPSHIFT_ORT_NODE:-}" ] || skip_all "OPSHIFT_ORT_NODE does not name the directory of onnxruntime-node"
version=$(sed -n 's/^ *"version": "\([^"]*\)".*/\1/p' "$OPSHIFT_ORT_NODE/package.json")
case $version in
1.30.*) ;;
*) skip_all "onnxruntime-node is $version, and 1.30 was measured" ;;
esac
measure=$(cd "${srcdir:-.}/rules/targets/measure" && pwd)

# measured RUNTIME OPERATOR...
measured() {
    runtime=$1
    shift
    out=$(PYTHONDONTWRITEBYTECODE=1 "$python" "$measure/check.py" "$runtime" "$opshift" "$runtime" "$@" 2>&1)
    is 0 $? "$runtime: $*"
    like '^[1-9][0-9]* told rightly, 0 wrongly$' "$out" "$runtime: none is told otherwise"
}
measured onnxruntime-cpu Abs Acos BatchNormalization EyeLike GRU LeakyRelu Resize Round Trilu Upsample
web=${OPSHIFT_ORT_WEB:-${OPSHIFT_ORT_NODE%/*}/onnxruntime-web}
if [ -d "$web" ]; then
    OPSHIFT_ORT_WEB=$web
    export OPSHIFT_ORT_WEB
    measured onnxruntime-web AveragePool BitShift Erf Max Resize
else
    skip "onnxruntime-web: what its profile says" "onnxruntime-web is not here"
fi
done_testing
