#!/bin/sh
# --journal: the same command goes on after it was killed; nothing is done twice, nothing is lost.
. "${srcdir:-.}/tests/cli/tap.sh"

assemble relu <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[N] x) => (float[N] y) { y = Relu(x) }
MODEL
assemble refused <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (bfloat16[4, 6] x) => (bfloat16[4, 6] y) { y = Relu(x) }
MODEL
mkdir zoo
i=0
while [ $i -lt 20 ]; do
    cp relu.onnx "zoo/m $i.onnx"
    i=$((i + 1))
done
newline=$(printf 'new\nline.')
cp relu.onnx "zoo/${newline%.}.onnx"
cp relu.onnx "$(printf 'zoo/\377.onnx')"
cp refused.onnx zoo/refused.onnx
echo garbage >zoo/garbage.onnx

convert() {
    run convert -r zoo --opset 11 -o out/ --journal run.jsonl "$@"
}
ends() {
    grep -c '^{"end"' run.jsonl
}

convert -j2
is 3 "$status" "the gravest status counts"
is 24 "$(ends)" "each model has an end"
is 24 "$(grep -c '^{"begin"' run.jsonl)" "and a beginning"
like "^done       22$" "$out" "the table counts them"
perl -MJSON::PP -ne '
    my $line = decode_json $_;
    next unless $line->{end} && $line->{outcome} eq "done";
    die "no hash" unless $line->{hash} =~ /^[0-9a-f]{64}$/ && $line->{output_hash} =~ /^[0-9a-f]{64}$/;
    die "no seconds" unless $line->{seconds} > 0 && $line->{attempt} == 1 && $line->{memory} > 1e5;
    die "no run" unless $line->{run} =~ /^[0-9a-f]{16}$/;
    END { print "fine" }' run.jsonl >looked 2>&1
is fine "$(cat looked)" "an end has hashes, seconds, memory, attempt"
is "$(sha256sum "out/m 3.onnx" | cut -d' ' -f1)" \
    "$(perl -MJSON::PP -ne 'my $l = decode_json $_; print $l->{output_hash} if ($l->{end} // "") eq "m 3.onnx"' run.jsonl)" \
    "the output's hash is that of the file"

# ---- once more ----
find out -type f -exec touch -d 2001-01-01 {} +
convert
is 3 "$status" "again: the same status"
is 24 "$(ends)" "nothing is done again"
is 22 "$(find out -type f ! -newermt 2002-01-01 -print0 | tr -dc '\0' | wc -c | tr -d ' ')" "no file is written again"
like "^done       22$" "$out" "the table is that of all models"
like "^1 model: Relu at opset 1[12]: " "$out" "with the reasons of earlier refusals"
like "^opshift: 24 models were done before, as run.jsonl tells$" "$err" "it says so"
run convert -r zoo --opset 11 -o out/ --journal run.jsonl -v
is 24 "$(ends)" "what is printed decides nothing"
printf x >>"zoo/m 1.onnx"
cp refused.onnx "zoo/m 2.onnx"
convert
is 26 "$(ends)" "what changed is done anew"
like "^refused    2$" "$out" "and counted anew"
rm "out/m 3.onnx"
convert
is 27 "$(ends)" "a lost output, too"
[ -e "out/m 3.onnx" ]
ok $? "it is there again"
run convert -r zoo --opset 12 -o out/ --journal run.jsonl
is 51 "$(ends)" "with another option all is done anew"

mkdir runs
cp relu.onnx runs/a.onnx
cp relu.onnx runs/b.onnx
run run -r runs --random --shape N=2 -o ran/ --journal ran.jsonl
rm -r ran/a
run run -r runs --random --shape N=2 -o ran/ --journal ran.jsonl
is "2 1" "$(grep -c '"end":"a.onnx"' ran.jsonl) $(grep -c '"end":"b.onnx"' ran.jsonl)" "so is a lost directory of outputs"

# ---- torn lines ----
rm -rf run.jsonl out
convert
head -c -20 run.jsonl >torn && cp torn run.jsonl
convert
is 25 "$(perl -ne '$n++ if /^\{"end".*\}$/; END { print $n + 1 }' run.jsonl)" "a torn line loses that line alone"
run journal run.jsonl
like "^1 line cannot be read$" "$out" "it is counted"
convert
is "opshift: 24 models were done before, as run.jsonl tells" "$(printf '%s\n' "$err" | grep before)" "then all is done"
printf 'hello\nworld\n' >none.jsonl
fails 2 "none.jsonl: is not a journal; name another file" "a file that is no journal" \
    convert -r zoo --opset 11 -o out/ --journal none.jsonl
is "hello
world" "$(cat none.jsonl)" "it stays as it is"
fails 4 "zoo: the journal cannot be opened: Is a directory" "a directory" \
    convert -r zoo --opset 11 -o out/ --journal zoo
fails 2 "/dev/null: is no file, and a journal must be one" "a device" \
    convert -r zoo --opset 11 -o out/ --journal /dev/null
fails 2 "none.jsonl: is not a journal; a run with --journal FILE writes one" "journal of none" journal none.jsonl

# ---- two at once ----
mkfifo pipe
perl -MFcntl=:DEFAULT -e 'open my $f, ">>", "run.jsonl"; my $lock = pack("s s x4 q q i x4", F_WRLCK, 0, 0, 0, 0);
    fcntl($f, F_SETLK, $lock) or die; open my $p, ">", "pipe"; print $p "locked\n"; close $p; sleep 60' &
locker=$!
read -r _ <pipe
convert
is 2 "$status" "another process has the journal: exit status 2"
is "opshift: run.jsonl: another process, $locker, is writing this journal; wait for it, or give each run a journal of its own" \
    "$err" "the message names it"
kill $locker
wait $locker 2>/dev/null

# ---- a full disk ----
if [ -w /dev/full ]; then
    (ulimit -f 4; "$opshift" convert -r zoo --opset 11 -o full/ --journal full.jsonl >/dev/null 2>full.err)
    is 4 $? "a file that cannot grow: exit status 4"
    like "^opshift: full.jsonl: the journal cannot be written: " "$(cat full.err)" "the message tells of the journal"
    run convert -r zoo --opset 11 -o full/ --journal full.jsonl
    like "^done       20$" "$out" "the same command goes on when there is room"
    is "" "$(find full -name '.*')" "no temporary file is left"
fi

# ---- the summary ----
run journal run.jsonl
is 3 "$status" "journal: the gravest status"
like "^2 models: Relu at opset 1[12]: " "$out" "reasons are grouped"
like "^malformed: garbage.onnx: " "$out" "others are named"
for format in json csv junit sarif; do
    run journal run.jsonl -f $format
    is 3 "$status" "-f $format: the same status"
done
is 24 "$("$opshift" journal run.jsonl -f json | perl -MJSON::PP -0777 -ne 'print scalar @{decode_json($_)->{models}}')" \
    "JSON has each model"
is 4 "$("$opshift" journal run.jsonl -f sarif | perl -MJSON::PP -0777 -ne 'print scalar @{decode_json($_)->{runs}[0]{results}}')" \
    "SARIF has what is not done"
"$opshift" journal run.jsonl --expect . --expect zoo -f sarif >run.sarif
is "" "$(perl "$tests/lint/sarif.pl" run.sarif 2>&1)" "it is SARIF, with names of all kinds"
like '"uri": "zoo/new%0Aline.onnx"' "$(cat run.sarif)" "which are URIs"
"$opshift" journal run.jsonl --expect . -f junit >run.xml
sh "$tests/lint/xml.sh" run.xml
well=$?
if [ $well = 77 ]; then
    skip "JUnit is well-formed" "no strict XML parser is here"
else
    ok $well "JUnit is well-formed"
fi
is "" "$("$opshift" journal run.jsonl -f names)" "nothing is to be run again"
cp relu.onnx zoo/later.onnx
run journal run.jsonl --expect zoo
is 4 "$status" "a missing model: exit status 4"
like "^missing: later.onnx: in no journal$" "$out" "it is named"
is later.onnx "$("$opshift" journal run.jsonl --expect zoo -f names)" "and to be run again"
is 1 "$("$opshift" journal run.jsonl --expect zoo -f names -0 | tr -dc '\0' | wc -c | tr -d ' ')" "with a NUL"
fails 2 "no journal is of an array of Slurm; -f names prints the models to run again" "no array" \
    journal run.jsonl -f slurm
rm zoo/later.onnx

# ---- shards ----
for i in 1 2 3; do
    run convert -r zoo --opset 11 -o parts/ --shard $i/3 --journal part$i.jsonl
done
run journal part1.jsonl part2.jsonl part3.jsonl --expect zoo
diff -r out parts >/dev/null
ok $? "three shards write the same"
is "done       20" "$(printf '%s\n' "$out" | grep '^done')" "three journals are merged"
fails 2 "part1.jsonl: is the journal of shard 1/3, and this is shard 2/3; give the same --shard, or another journal" \
    "a journal of another shard" convert -r zoo --opset 11 -o parts/ --shard 2/3 --journal part1.jsonl

# ---- killed at random ----
rm -rf out
i=0
while [ $i -lt 12 ]; do
    "$opshift" convert -r zoo --opset 11 -o killed/ --journal killed.jsonl -j2 >/dev/null 2>&1 &
    process=$!
    perl -e 'select undef, undef, undef, rand(0.04)'
    kill -9 $process 2>/dev/null
    wait $process 2>/dev/null
    i=$((i + 1))
done
# Workers may still end; what they write is whole.
sleep 1
run convert -r zoo --opset 11 -o killed/ --journal killed.jsonl
like "^done       20$" "$out" "after twelve kills all is done"
diff -r parts killed >/dev/null
ok $? "with the same bytes, and nothing else"
run journal killed.jsonl --expect zoo -f csv
is 24 "$(printf '%s\n' "$out" | tail -n +2 | cut -d, -f1 | LC_ALL=C sort -u | wc -l | tr -d ' ')" "each model is once in the table"
is 3 "$status" "none is lost"
done_testing
