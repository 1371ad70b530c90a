#!/bin/sh
# A signal during a save: no files are left behind, and the exit status shows the signal.
. "${srcdir:-.}/tests/cli/tap.sh"

command -v mkfifo >/dev/null || skip_all "mkfifo is not here"
run assemble "$tests/models/sample.txt" -o sample.onnx
mkfifo waiting
echo old >kept.onnx

# The tests may run with ignored signals, as under nohup, and a shell cannot restore them.
heeding() {
    exec perl -e '$SIG{$_} = "DEFAULT" for qw(HUP INT TERM); exec @ARGV' "$@"
}

# The state letter of a process; empty when it has ended.
state() {
    sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null
}

# interrupt SIGNAL STATUS: the report goes to a pipe that is not read, so that the model still has its temporary
# name when the signal arrives.
interrupt() {
    heeding "$opshift" convert sample.onnx --opset 18 -o kept.onnx --report waiting >/dev/null 2>err &
    process=$!
    asleep=0
    while [ "$asleep" -lt 3 ] && kill -0 $process 2>/dev/null; do
        sleep 0.05
        asleep=$((asleep + 1))
        [ -n "$(find . -name '.kept.onnx.*')" ] && [ "$(state $process)" = S ] || asleep=0
    done
    kill "-$1" $process
    status=0
    wait $process 2>/dev/null || status=$?
    is "$2" "$status" "SIG$1: the exit status tells of it"
    is "" "$(find . -name '.*onnx*')" "no temporary file is left"
    is "old" "$(cat kept.onnx)" "what was there stays"
    is "" "$(cat err)" "and nothing is printed"
}

[ -r /proc/self/stat ] || skip_all "/proc is not here"
interrupt TERM 143
interrupt HUP 129

# While nodes are verified, and in a pipe: nothing is printed but the result.
{
    printf '<ir_version: 8, opset_import: ["" : 17]>\ng (float[64, 256] v0) => (float[64, 256] v3000) <float[256] w> {\n'
    i=0
    while [ $i -lt 3000 ]; do
        printf 'v%s = LayerNormalization (v%s, w)\n' $((i + 1)) $i
        i=$((i + 1))
    done
    printf '}\n'
} | sed 's/<float\[256\] w>/<float[256] w = {'"$(seq -s, 1 256)"'}>/' >long.txt
run assemble long.txt -o long.onnx
heeding "$opshift" convert long.onnx --opset 13 -o kept.onnx --verify >out 2>err &
process=$!
while [ -z "$(find . -name '.kept.onnx.*')" ] && kill -0 $process 2>/dev/null; do
    sleep 0.05
done
sleep 0.2
kill -INT $process
status=0
wait $process 2>/dev/null || status=$?
is 130 "$status" "SIGINT while nodes are verified: the exit status tells of it"
is "" "$(find . -name '.*onnx*')" "no temporary file is left"
is "old" "$(cat kept.onnx)" "what was there stays"
is "" "$(cat out err)" "and nothing is printed"

# --timeout expires during a save.
status=0
"$opshift" convert sample.onnx --opset 18 -o kept.onnx --report waiting --timeout 1 >/dev/null 2>err || status=$?
is 4 "$status" "--timeout: exit status 4"
is "opshift: not done after 1 seconds, the limit of '--timeout'; nothing was written" "$(cat err)" "--timeout: in words"
is "" "$(find . -name '.*onnx*')" "--timeout: no temporary file is left"
is "old" "$(cat kept.onnx)" "--timeout: what was there stays"

# Ignored signals stay ignored, as nohup expects.
(trap '' HUP && exec "$opshift" convert sample.onnx --opset 18 -o ignored.onnx --report waiting >/dev/null 2>err) &
process=$!
while [ -z "$(find . -name '.ignored.onnx.*')" ] && kill -0 $process 2>/dev/null; do
    sleep 0.05
done
kill -HUP $process
cat waiting >report.json
status=0
wait $process || status=$?
is 0 "$status" "SIGHUP that is ignored does nothing"
[ -s ignored.onnx ] && [ -s report.json ]
ok $? "and the files are whole"

done_testing
