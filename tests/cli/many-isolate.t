#!/bin/sh
# --isolate: one bad model harms no other; limits for each; what is begun when a signal comes.
. "${srcdir:-.}/tests/cli/tap.sh"

[ -r /proc/self/stat ] || skip_all "/proc is not here"
assemble relu <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[N] x) => (float[N] y) { y = Relu(x) }
MODEL
# A loop that never ends soon.
assemble slow <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[N] x) => (float[N] y) {
    n = Constant<value = int64 {1000000000000}>()
    t = Constant<value = bool {1}>()
    y = Loop(n, t, x) <body = b (int64 i, bool c, float[N] v) => (bool d, float[N] w) { d = Identity(c) w = Neg(v) }>
}
MODEL
mkdir zoo
for i in 1 2 3 4 5 6; do cp relu.onnx zoo/m$i.onnx; done
cp slow.onnx zoo/m3s.onnx

run run -r zoo --random --shape N=3 --max-steps 1000000000000000 --timeout-each 1 -j2 -o ran/ --journal run.jsonl
is 4 "$status" "a model that takes too long: exit status 4"
is "opshift: zoo/m3s.onnx: took longer than 1 seconds and was stopped" "$err" "the message names it"
is "done       6
refused    0
malformed  0
failed     0
killed     1" "$out" "the others are done"
like '"end":"m3s.onnx".*"outcome":"killed"' "$(cat run.jsonl)" "the journal tells of it"
run journal run.jsonl
is 4 "$status" "journal: exit status 4"
like "^killed: m3s.onnx: took longer than 1 seconds and was stopped$" "$out" "its kind is named"
is m3s.onnx "$("$opshift" journal run.jsonl -f names)" "it is to be run again"
run run -r zoo --random --shape N=3 --max-steps 1000000000000000 --timeout-each 1 -o ran/ --journal run.jsonl --retries 2
is 4 "$(grep -c '^{"end":"m3s.onnx"' run.jsonl)" "it is tried again, and --retries 2 tries twice more"
is 10 "$(grep -c '^{"end"' run.jsonl)" "the others are not"

# A worker that dies: the one that has the slow model, which lasts, when all others are done.
"$opshift" run -r zoo --random --shape N=3 --max-steps 1000000000000000 --timeout-each 100 -j2 --isolate --journal die.jsonl >out.txt 2>err.txt &
process=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    sleep 0.3
    [ "$(grep -c '^{"end"' die.jsonl 2>/dev/null)" = 6 ] && break
done
worker=
for child in $(children_of $process); do
    case $(sed 's/.*) \(.\).*/\1/' /proc/$child/stat 2>/dev/null) in R) worker=$child ;; esac
done
kill -ABRT "$worker" 2>/dev/null
status=0
wait $process || status=$?
is 4 "$status" "a worker that dies: exit status 4"
like "^opshift: zoo/m3s.onnx: the worker process crashed: signal 6 (Aborted)$" "$(cat err.txt)" "the message names model and signal"
like "^done       6$" "$(cat out.txt)" "the others are done"

# Memory.
if grep -q 'fsanitize' "$builddir/Makefile"; then
    skip "a limit of memory that suffices" "sanitizers reserve more"
else
    run convert -r zoo --opset 18 -o out/ --max-memory-each 256 -j2
    is 0 "$status" "a limit of memory that suffices"
fi

# ---- signals ----
heeding() {
    exec perl -e '$SIG{$_} = "DEFAULT" for qw(HUP INT TERM); exec @ARGV' "$@"
}
heeding "$opshift" run -r zoo --random --shape N=3 --max-steps 1000000000000000 -j2 --journal int.jsonl >out.txt 2>err.txt &
process=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
    sleep 0.2
    [ "$(grep -c '^{"end"' int.jsonl 2>/dev/null)" = 6 ] && break
done
start=$(date +%s)
kill -INT $process
status=0
wait $process || status=$?
is 130 "$status" "SIGINT: the exit status tells of it"
[ $(($(date +%s) - start)) -le 4 ]
ok $? "within seconds"
is "opshift: stopped after 3 of 7 models; the same command goes on" "$(sed 's/after . of/after 3 of/' err.txt)" "how to go on is printed"
is 0 "$(children_of $process | wc -l | tr -d ' ')" "no process is left"

heeding "$opshift" run -r zoo --random --shape N=3 --max-steps 1000000000000000 -j2 --isolate >out.txt 2>err.txt &
process=$!
sleep 0.5
kill -INT $process
ended=$(perl -MTime::HiRes=time,sleep -e 'sleep 0.2; my $start = time; kill INT => $ARGV[0];
    while (time() - $start < 3) { open my $f, "<", "/proc/$ARGV[0]/stat" or last; last if <$f> =~ /\) Z/; sleep 0.01 }
    print time() - $start < 0.5 ? "at once" : "late"' $process)
status=0
wait $process || status=$?
is 130 "$status" "a second SIGINT: the exit status tells of it"
is "at once" "$ended" "it ends at once"
is "" "$(cat err.txt)" "nothing more is said"
sleep 0.2
is 0 "$(children_of $process | wc -l | tr -d ' ')" "no process is left"

# ---- progress ----
if command -v script >/dev/null; then
    cp relu.onnx zoo/z.onnx
    echo garbage >zoo/a.onnx
    script -qec "'$opshift' run -r zoo --random --shape N=3 --max-steps 1000000000000000 --timeout-each 2 -j1 -o ran/" /dev/null </dev/null >bar.txt
    like "run \[=*  *\] 4 of 9 models, 1[0-9]* B, [0-9.]*/s, 0:0[0-9]:[0-5][0-9] left, 1 not done, last a" "$(tr '\r' '\n' <bar.txt)" \
        "on a terminal a bar with models, bytes, rate, time left and the last failure"
    like "^.\[K.*opshift:.* zoo/m3s.onnx: took longer than 2 seconds and was stopped$" "$(tr '\r' '\n' <bar.txt)" "a message takes its place"
    rm zoo/z.onnx zoo/a.onnx
else
    skip "on a terminal a bar" "script is not here"
fi
rm zoo/m3s.onnx
run run -r zoo --random --shape N=3 --max-steps 1000000000000000 -j2 --journal int.jsonl
like "^opshift: 6 models were done before" "$err" "the same command goes on"

# ---- lint ----
echo garbage >zoo/garbage.onnx
run lint -r zoo -f json
plain=$out
plain_status=$status
run lint -r zoo -f json --isolate -j2
is "$plain_status" "$status" "lint --isolate: the same status"
is "$plain" "$out" "the same findings"
run lint -r zoo --journal lint.jsonl
is 3 "$status" "lint --journal: exit status 3"
run lint -r zoo --journal lint.jsonl
is 3 "$status" "again: the same status"
like "^opshift: 7 of the models were linted before; their findings are not printed again$" "$err" "it says so"

run lint -r zoo --journal lint.jsonl -f json=first.json
run lint -r zoo --journal lint.jsonl -f json=second.json
is "" "$(printf "%s\n" "$err" | grep before)" "a document needs all findings"
cmp -s first.json second.json
ok $? "so it is the same again"

# A model whose process was stopped is in each format.
mkfifo zoo/pipe.onnx
exec 9<>zoo/pipe.onnx
why="zoo/pipe.onnx: took longer than 1 seconds and was stopped"
run lint -r zoo --timeout-each 1 -j2 -f sarif=lint.sarif -f json=lint.json -f junit=lint.xml
exec 9>&-
rm zoo/pipe.onnx
is 4 "$status" "a model whose process was stopped: exit status 4"
like "^opshift: $why$" "$err" "the message names it"
like "^{\"level\":\"error\",\"message\":{\"text\":\"$why\"}" "$(cat lint.sarif)" "SARIF has it, as a notification"
like "\"file\":\"zoo/pipe.onnx\",\"outcome\":\"unreadable\",\"failure\":\"$why\"" "$(cat lint.json)" "so has JSON"
like '<testcase classname="zoo/pipe.onnx" name="PRT001 unreadable-file"><failure ' "$(cat lint.xml)" "so has JUnit"
like '"file":"zoo/m6.onnx","outcome":"passed"' "$(cat lint.json)" "the others are checked"

# ---- test ----
cases=/usr/share/libonnx-testdata/data/simple
if [ -d "$cases" ]; then
    "$opshift" test -r "$cases" | grep -v '^#' >one.tap
    "$opshift" test -r "$cases" -j2 | grep -v '^#' >two.tap
    is "$(cat one.tap)" "$(cat two.tap)" "test -j2 prints the same"
fi
done_testing
