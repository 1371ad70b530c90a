# Finds ONNX Runtime's library for a test that needs it, or skips the test: OPSHIFT_ORT, else beside the package for node
# that OPSHIFT_ORT_NODE names. Sourced after tap.sh.
if [ -z "${OPSHIFT_ORT:-}" ] && [ -n "${OPSHIFT_ORT_NODE:-}" ]; then
    case $(uname -s)-$(uname -m) in
    Linux-x86_64) part=linux/x64/libonnxruntime.so.1 ;;
    Linux-aarch64) part=linux/arm64/libonnxruntime.so.1 ;;
    *) part=none ;;
    esac
    for file in "$OPSHIFT_ORT_NODE"/bin/napi-v*/$part; do
        [ -e "$file" ] && OPSHIFT_ORT=$file
    done
fi
export OPSHIFT_ORT="${OPSHIFT_ORT:-}"
# A crash of it must end the process by its signal, even if a sanitizer handles signals.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0"
printf '< ir_version: 8, opset_import: ["" : 13] >\ng (float x) => (float y) { y = Neg (x) }\n' >probe.txt
"$opshift" assemble probe.txt -o probe.onnx
"$opshift" run probe.onnx --random --engine onnxruntime >/dev/null 2>&1 ||
    skip_all "ONNX Runtime is not here; OPSHIFT_ORT can name its library"
