#!/bin/sh
# A tree of 60 models with blanks and newlines in their names, links and broken ones: the bytes are those of one by one, in shards, and when
# killed and resumed; each model is once in the table.
. "${srcdir:-.}/tests/cli/tap.sh"

assemble relu <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[N] x) => (float[N] y) { y = Relu(x) }
MODEL
assemble split <<'MODEL'
<ir_version: 7, opset_import: ["" : 12]>
g (float[4] x) => (float[2] a, float[2] b) { a, b = Split<axis = 0>(x) }
MODEL
assemble refused <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (bfloat16[4, 6] x) => (bfloat16[4, 6] y) { y = Relu(x) }
MODEL
perl -MFile::Path=make_path -MFile::Copy=copy -e '
    my @directories = ("plain", "with blank", "new\nline", "-dash", "quo\x27te\"", "\xff", "deep/er/*", "\$HOME");
    make_path(map { "zoo/$_" } @directories, ".hidden");
    for my $i (0 .. 59) {
        my $path = "zoo/$directories[$i % @directories]/" . ("m$i", "m $i", "m\n$i")[$i % 3] . ".onnx";
        if ($i % 10 == 3) { symlink "../$directories[0]/m0.onnx", $path or die; next }
        if ($i % 20 == 7) { symlink "nowhere", $path or die; next }
        copy(($i % 10 == 9 ? "refused" : $i % 2 ? "relu" : "split") . ".onnx", $path) or die;
        truncate $path, 50 if $i % 10 == 5;
    }
    symlink "..", "zoo/loop";'
printf x >zoo/.hidden/h.onnx

# written DIRECTORY: the files in it and their hashes
written() {
    (cd "$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
}
(cd zoo && find . -name '*.onnx' ! -path './.hidden/*' -print0) >names
is 60 "$(tr -dc '\0' <names | wc -c | tr -d ' ')" "60 models"
opshift=$opshift perl -0 -ne 'chomp; my ($path, $output) = ("zoo/$_", "one/$_");
    system "mkdir", "-p", "--", $output =~ s,/[^/]*$,,r;
    open STDOUT, ">/dev/null"; system { $ENV{opshift} } "opshift", "convert", $path, "--opset", 11, "-o", $output; $n{$? >> 8}++;
    END { print STDERR "table ", join(" ", map { "$_:$n{$_}" } sort keys %n), "\n" }' <names 2>statuses
table="done       $(sed -n 's/^table .*\b0:\([0-9]*\).*/\1/p' statuses)
refused    $(sed -n 's/^table .*\b1:\([0-9]*\).*/\1/p' statuses)
malformed  $(sed -n 's/^table .*\b3:\([0-9]*\).*/\1/p' statuses)
failed     $(sed -n 's/^table .*\b4:\([0-9]*\).*/\1/p' statuses)"
written one >wanted
like "^refused    [1-9]" "$table" "some are refused"
like "^malformed  [1-9]" "$table" "some are no models"
like "^failed     [1-9]" "$table" "some cannot be read"

# same DIRECTORY WHAT: it has the same bytes as one by one
same() {
    written "$1" >seen
    cmp -s wanted seen
    ok $? "$2: the bytes are those of one by one"
}
# once JOURNAL...: each model is once in the table
once() {
    run journal "$@" --expect zoo -f json
    is "60 60" "$(printf '%s' "$out" | perl -MJSON::PP -0777 -ne 'my @names = map { $_->{name} } @{decode_json($_)->{models}};
        my %once = map { $_ => 1 } @names; print scalar @names, " ", scalar keys %once')" "each model is once in the table"
    run journal "$@" --expect zoo
    is "$table" "$(printf '%s\n' "$out" | tail -n 4)" "with what became of it"
}
run convert -r zoo --opset 11 -o all/ -j2
is 4 "$status" "all of them: the gravest status"
is "$table" "$(printf '%s\n' "$out" | tail -n 4)" "the same table"
same all "all of them"

for i in 1 2 3; do
    run convert -r zoo --opset 11 -o parts/ -j2 --shard $i/3 --journal part$i.jsonl
done
same parts "three shards"
once part1.jsonl part2.jsonl part3.jsonl

# ---- killed at random, and its workers ----
for i in 1 2 3 4 5; do
    "$opshift" convert -r zoo --opset 11 -o killed/ --journal killed.jsonl -j2 >/dev/null 2>&1 &
    process=$!
    perl -e 'select undef, undef, undef, rand(0.05)'
    worker=$(children_of $process | head -n 1)
    [ $((i % 2)) = 1 ] || kill -9 $worker 2>/dev/null
    kill -9 $process 2>/dev/null
    wait $process 2>/dev/null
done
sleep 1
run convert -r zoo --opset 11 -o killed/ --journal killed.jsonl
is 4 "$status" "killed five times, and resumed: the same status"
is "$table" "$(printf '%s\n' "$out" | tail -n 4)" "the same table"
same killed "killed five times"
once killed.jsonl

# ---- what a killed process left of a model and its external data ----
assemble left/m <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[4] x) => (float[4] y) <float[4] w = ["location" : "w.bin"]> { y = Add(x, w) }
MODEL
head -c 16 /dev/zero >left/w.bin
run convert -r left --opset 18 -o lefts/ --journal left.jsonl
is 0 "$status" "external data: exit status 0"
sed -i '$d' left.jsonl
touch lefts/.w.bin.abcdef.opshift lefts/.m.onnx.ABC_-9.opshift lefts/.other.bin.abcdef.opshift
run convert -r left --opset 18 -o lefts/ --journal left.jsonl
is ". .. .other.bin.abcdef.opshift m.onnx w.bin" "$(ls -a lefts | tr '\n' ' ' | sed 's/ $//')" \
    "begun and not ended: what was left is removed, and nothing else"

# ---- a disk that is full while models are written ----
cp -r zoo/plain large
for i in 1 2 3; do
    printf '<ir_version: 7, opset_import: ["" : 12]> g (float[4] x) => (float[4] y) <float[100000] w = {' >large.txt
    perl -e 'print join ",", map { $_ % 7 } 1 .. 100000' >>large.txt
    printf '}> { y = Relu(x) }\n' >>large.txt
    "$opshift" assemble large.txt -o large/l$i.onnx
done
(
    ulimit -f 64
    "$opshift" convert -r large --opset 11 -o full/ --journal full.jsonl -j2 >full.txt 2>full.err
)
is 4 $? "files that cannot grow: exit status 4"
like "^failed     3$" "$(cat full.txt)" "each costs itself"
like "large/l1.onnx: .*File too large" "$(cat full.err)" "it is named"
is "" "$(find full -name '.*' -type f)" "no temporary file is left"
is 3 "$("$opshift" journal full.jsonl -f names | wc -l | tr -d ' ')" "they are to be run again"
run convert -r large --opset 11 -o full/ --journal full.jsonl -j2
like "^failed     0$" "$out" "and done when there is room"
done_testing
