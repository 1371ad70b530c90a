#!/bin/sh
# Pipes and devices instead of files: endless ones and pipes without a writer are refused, pipes with a writer are read.
. "${srcdir:-.}/tests/cli/tap.sh"
command -v mkfifo >/dev/null || skip_all "mkfifo is not here"
command -v timeout >/dev/null || skip_all "timeout is not here"
printf '#!/bin/sh\nexec timeout 60 "%s" "$@"\n' "$opshift" >limited && chmod +x limited
opshift=$work/limited

cat >net.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net (float[2] x) => (float[2] y) { y = Relu (x) }
MODEL
run assemble net.txt -o net.onnx
mkdir -p rules/opset-14 profiles
mkfifo pipe pipe.npy rules/opset-14/pipe.yaml profiles/own.yaml

nobody="is a pipe without a writer; start the writer first, or name a file"
device="is a device; name a file"
fails 4 "pipe: $nobody" "a model" show pipe
fails 4 "pipe: $nobody" "a text" assemble pipe -o new.onnx
fails 4 "pipe: $nobody" "--config" lint net.onnx --config pipe
fails 4 "pipe: $nobody" "--baseline" lint net.onnx --baseline pipe
fails 4 "pipe: $nobody" "--files0-from" lint --files0-from pipe
fails 4 "pipe: $nobody" "--replay" verify net.onnx net.onnx --replay pipe
fails 4 "pipe.npy: $nobody" "--input" run net.onnx --input x=pipe.npy
fails 4 "rules/opset-14/pipe.yaml: $nobody" "--rules" convert net.onnx --opset 14 -o new.onnx --rules rules
fails 4 "rules/opset-14/pipe.yaml: $nobody" "rules check" rules check rules/opset-14/pipe.yaml
fails 4 "profiles/own.yaml: $nobody" "--target-rules" lint net.onnx --target own --target-rules profiles

if [ -c /dev/zero ]; then
    fails 4 "/dev/zero: $device" "a model that never ends" show /dev/zero
    fails 4 "/dev/zero: $device" "a text that never ends" assemble /dev/zero -o new.onnx
    fails 4 "/dev/zero: $device" "a configuration that never ends" lint net.onnx --config /dev/zero
    fails 4 "/dev/zero: $device" "a baseline that never ends" lint net.onnx --baseline /dev/zero
    fails 4 "/dev/zero: $device" "a list that never ends" lint --files0-from /dev/zero
    fails 4 "/dev/zero: $device" "a certificate that never ends" verify net.onnx net.onnx --replay /dev/zero
fi
[ ! -e new.onnx ]
ok $? "nothing is written"

# The writer may have started, start later, or have ended.
(exec 3>pipe && cat net.onnx >&3) &
run show pipe
is 0 "$status" "a pipe that somebody writes to is read"
wait
exec 3<>pipe
printf 'select: [SPL]\n' >&3
(exec 4>pipe 3>&- && sleep 1 && printf 'fail-level: never\n' >&4) &
(exec 3>&- && "$opshift" lint net.onnx --config pipe >out 2>err; echo $? >status) &
exec 3>&-
wait
is 0 "$(cat status)" "also one that is slow"
cat net.txt | "$opshift" assemble /dev/stdin -o again.onnx
is 0 $? "standard input by its name"
cmp -s net.onnx again.onnx
ok $? "is read whole"
: | "$opshift" assemble /dev/stdin -o new.onnx 2>err
is "opshift: /dev/stdin:1:1: expected a graph's name, found the end" "$(cat err)" "an empty one is empty"
done_testing
