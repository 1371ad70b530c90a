#!/bin/sh
# A runtime that crashes, hangs, exits or returns nothing; and models that refer to files that it must not read.
. "${srcdir:-.}/tests/cli/tap.sh"

runtime=$builddir/tests/fault/runtime.so
[ -e "$runtime" ] || skip_all "the library is not built on this system"
cat >net.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net (float[6] x) => (float[2] a, float[4] b) <int64[2] l = {2, 4}> { a, b = Split <axis = 0> (x, l) }
MODEL
run assemble net.txt -o net.onnx
export OPSHIFT_RUNTIME
# A crash must end the process, even if a sanitizer handles signals.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
export ASAN_OPTIONS

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
OPSHIFT_RUNTIME=print
fails 2 "net.onnx: $runtime is a library that gives no interface; name ONNX Runtime's" "what it prints is not shown" \
    run net.onnx --random --engine onnxruntime --ort "$runtime"
OPSHIFT_RUNTIME=files
fails 2 "net.onnx: $runtime is a library that gives no interface; name ONNX Runtime's" "it has no file of ours open" \
    run net.onnx --random --engine onnxruntime --ort "$runtime" 7</dev/null 9</dev/null
cat >echo.c <<'SOURCE'
int unrelated;
SOURCE
if ${CC:-cc} -shared -fPIC echo.c -o echo.so 2>/dev/null; then
    fails 2 "net.onnx: ./echo.so is a library, but not ONNX Runtime's: it has no OrtGetApiBase" "another library" \
        run net.onnx --random --engine onnxruntime --ort ./echo.so
fi

# ---- the helper program ----
OPSHIFT_ORT_HELPER=/absent
export OPSHIFT_ORT_HELPER
fails 4 "net.onnx: /absent: cannot be started: No such file or directory" "a helper that is not there" \
    run net.onnx --random --engine onnxruntime --ort "$runtime"
helper() {
    printf '#!/bin/sh\n%s\n' "$1" >helper
    chmod +x helper
    OPSHIFT_ORT_HELPER=./helper
}
helper 'printf 01234567 >&0; exec sleep 60'
fails 2 "net.onnx: ./helper is of another version than this library; install both together" "a helper of another version" \
    run net.onnx --random --engine onnxruntime --ort "$runtime"
helper 'exit 0'
fails 3 "net.onnx: ONNX Runtime ended without an answer" "a program that is no helper" \
    run net.onnx --random --engine onnxruntime --ort "$runtime"
# greeting NUMBER...: the version that the two must have in common, and then these.
greeting() {
    helper "exec perl -e 'open my \$out, q(>&=), 0; syswrite \$out, pack q(Q*), 0x6f70736800000001, @ARGV; sleep 60' $*"
}
greeting 9
fails 3 "net.onnx: ONNX Runtime gave an answer that does not read" "an answer of no known kind" \
    run net.onnx --random --engine onnxruntime --ort "$runtime"
greeting 1 9
fails 3 "net.onnx: ONNX Runtime gave an output that does not read" "an output that is none" \
    run net.onnx --random --engine onnxruntime --ort "$runtime"
greeting 1 1 1 1 18446744073709551615
fails 3 "net.onnx: ONNX Runtime's output 'a': it takes more memory than the limit; raise it with --max-memory" "an output of a size that is none" \
    run net.onnx --random --engine onnxruntime --ort "$runtime"
greeting 3 0 0
fails 3 "net.onnx: ONNX Runtime gave fewer outputs than the model has" "an answer without outputs" \
    run net.onnx --random --engine onnxruntime --ort "$runtime"
greeting 3 99 0
fails 3 "net.onnx: ONNX Runtime gave an answer that does not read" "an end that is none" \
    run net.onnx --random --engine onnxruntime --ort "$runtime"
unset OPSHIFT_ORT_HELPER
shim=$builddir/tests/fault/shim.so
# meets FAULT MESSAGE WHAT: a system call fails, or is short.
meets() {
    status=0
    err=$(LD_PRELOAD=$shim OPSHIFT_FAULT=$1 "$opshift" run net.onnx --random --engine onnxruntime --ort "$runtime" 2>&1) ||
        status=$?
    is "$2" "$status $err" "$3"
}
if ! grep -q fsanitize "$builddir/Makefile"; then
    meets "spawn 1 11" "4 opshift: net.onnx: $builddir/opshift-ort: cannot be started: Resource temporarily unavailable" \
        "no process"
    meets "pipe 1 24" "4 opshift: net.onnx: $builddir/opshift-ort: cannot be started: Too many open files" "no socket"
    silent="2 opshift: net.onnx: $runtime is a library that gives no interface; name ONNX Runtime's"
    for call in 3 4 5 6 7 8; do
        meets "read $call short" "$silent" "read $call is short"
        meets "write $call short" "$silent" "write $call is short"
    done
fi
case $opshift in
"$builddir/opshift")
    cp "$opshift" alone
    libexec=$(sed -n 's/^#define LIBEXEC_DIRECTORY "\(.*\)"$/\1/p' "$builddir/lib/base/libexec.h")
    out=$(./alone run net.onnx --random --engine onnxruntime --ort "$runtime" 2>&1)
    [ -e "$libexec/opshift-ort" ] || is "opshift: net.onnx: the program opshift-ort is missing: it is not beside this program nor \
in $libexec; install it, or name it in OPSHIFT_ORT_HELPER" "$out" "a command without its helper"
    mkdir -p up/bin up/libexec
    mv alone up/bin && cp "$builddir/opshift-ort" up/libexec
    out=$(up/bin/alone run net.onnx --random --engine onnxruntime --ort "$runtime" 2>&1)
    is "opshift: net.onnx: $runtime is a library that gives no interface; name ONNX Runtime's" "$out" \
        "a tree that was moved after its installation"
    out=$("$builddir/opshift-ort" 2>&1 </dev/null)
    is "2 opshift-ort: opshift and libopshift start this program; it is not for use by hand" "$? $out" "the helper by hand"
    ;;
esac

# gone PROCESS: within five seconds.
gone() {
    tries=0
    while kill -0 "$1" 2>/dev/null && [ $tries -lt 100 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    ! kill -0 "$1" 2>/dev/null
}
OPSHIFT_RUNTIME=hang
OPSHIFT_RUNTIME_FILE=$work/process
export OPSHIFT_RUNTIME_FILE
for signal in KILL TERM; do
    rm -f process
    "$opshift" run net.onnx --random --engine onnxruntime --ort "$runtime" >/dev/null 2>&1 &
    command=$!
    tries=0
    while [ ! -s process ] && [ $tries -lt 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    kill -$signal $command
    wait $command 2>/dev/null
    gone "$(cat process)"
    ok $? "SIG$signal: the helper ends with the command"
done
status=0
err=$("$opshift" run net.onnx --random --engine onnxruntime --ort "$runtime" --timeout 1 2>&1) || status=$?
is "4 opshift: not done after 1 seconds, the limit of '--timeout'; nothing was written" "$status $err" "--timeout ends it"
gone "$(cat process)"
ok $? "and the helper"
unset OPSHIFT_RUNTIME_FILE

# Its inputs are checked before: it is never called.
OPSHIFT_RUNTIME=crash
outside() {
    sed "s,int64\[2\] l = {2\, 4},int64[2] l = [\"location\": \"$1\"]," net.txt >outside.txt
    run assemble outside.txt -o outside.onnx
    fails "$2" "outside.onnx: $3" "$4" run outside.onnx --random --engine onnxruntime --ort "$runtime"
}
outside ../secret 3 "external data '../secret' is outside the model's directory; it is not read" "a step up"
outside /etc/hostname 3 "external data '/etc/hostname' is outside the model's directory; it is not read" "an absolute path"
ln -s /etc/hostname link
outside link 3 "external data 'link': a link leads out of the model's directory; it is not followed" "a link"
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
