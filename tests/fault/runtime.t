#!/bin/sh
# A runtime that crashes, hangs, ends or gives nothing; and models that would have it read what is none of theirs.
. "${srcdir:-.}/tests/cli/tap.sh"

runtime=$builddir/tests/fault/runtime.so
[ -e "$runtime" ] || skip_all "the library is not built on this system"
cat >net.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net (float[6] x) => (float[2] a, float[4] b) <int64[2] l = {2, 4}> { a, b = Split <axis = 0> (x, l) }
MODEL
run assemble net.txt -o net.onnx
export OPSHIFT_RUNTIME

OPSHIFT_RUNTIME=crash
fails 3 "net.onnx: ONNX Runtime crashed: signal 11 (Segmentation fault)" "a crash" \
    run net.onnx --random --engine onnxruntime --ort "$runtime"
OPSHIFT_RUNTIME=abort
fails 3 "net.onnx: ONNX Runtime crashed: signal 6 (Aborted)" "an abort" \
    run net.onnx --random --engine onnxruntime --ort "$runtime"
OPSHIFT_RUNTIME=hang
fails 3 "net.onnx: ONNX Runtime took longer than 1 seconds and was stopped" "a hang" \
    run net.onnx --random --engine onnxruntime --ort "$runtime" --max-seconds 1
OPSHIFT_RUNTIME=end
fails 3 "net.onnx: ONNX Runtime ended without an answer" "an end without a word" \
    run net.onnx --random --engine onnxruntime --ort "$runtime"
OPSHIFT_RUNTIME=
fails 2 "net.onnx: $runtime is a library that gives no interface; name ONNX Runtime's" "a library that gives nothing" \
    run net.onnx --random --engine onnxruntime --ort "$runtime"

# Everything it is given was looked at before: it is never asked.
OPSHIFT_RUNTIME=crash
outside() {
    sed "s,int64\[2\] l = {2\, 4},int64[2] l = [\"location\": \"$1\"]," net.txt >outside.txt
    run assemble outside.txt -o outside.onnx
    fails "$2" "outside.onnx: $3" "$4" run outside.onnx --random --engine onnxruntime --ort "$runtime"
}
outside ../secret 3 "external data '../secret' is outside the model's folder; it is not read" "a step up"
outside /etc/hostname 3 "external data '/etc/hostname' is outside the model's folder; it is not read" "an absolute path"
ln -s /etc/hostname link
outside link 3 "external data 'link': a link is on the way, which is not followed; put the file itself there, or choose the \
external policy 'inside'" "a link"
mkfifo pipe
outside pipe 3 "external data 'pipe' is no regular file; it is not read" "a pipe"
printf '\002\000\000\000\000\000\000\000\004\000\000\000\000\000\000\000' >l.bin
sed 's,int64\[2\] l = {2\, 4},int64[2] l = ["location": "l.bin"],' net.txt >inside.txt
run assemble inside.txt -o inside.onnx
fails 3 "inside.onnx: external data, which the external policy 'none' does not allow to be read" "the policy 'none'" \
    run inside.onnx --random --engine onnxruntime --ort "$runtime" --external-policy none
fails 3 "inside.onnx: ONNX Runtime crashed: signal 11 (Segmentation fault)" "what may be read is given to it" \
    run inside.onnx --random --engine onnxruntime --ort "$runtime"
is "" "$(find . -name '.*.opshift')" "nothing is left behind"
done_testing
