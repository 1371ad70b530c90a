#!/bin/sh
# Limits of a model: each has a name, an option and a message; memory is proportional to the file size.
. "${srcdir:-.}/tests/cli/tap.sh"

cat >net.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "f" : 1] >
net (float[6] x) => (float[2] a, float[2] b, float[2] c)
{
    y = f.Outer (x)
    a, b, c = Split <axis = 0> (y)
}
< domain: "f", opset_import: ["" : 13, "f" : 1] > Outer (x) => (y) { y = f.Inner (x) }
< domain: "f", opset_import: ["" : 13] > Inner (x) => (y) { y = Neg (x) }
MODEL
run assemble net.txt -o net.onnx
run convert net.onnx --opset 18 -o out.onnx
is 0 "$status" "within the limits"

# beyond NAME=VALUE WHAT: the message names the limit, the exit status is 3.
beyond() {
    run convert net.onnx --opset 18 -o beyond.onnx --limit "$1"
    is 3 "$status" "--limit $1: exit status 3"
    like "$2; if the file is to be trusted, raise the limit '${1%%=*}'\$" "$err" "--limit $1: in these words"
    [ ! -e beyond.onnx ]
    ok $? "--limit $1: nothing is written"
}
beyond nodes=3 "more than 3 nodes"
beyond functions=1 "more than 1 functions"
beyond outputs=2 "more than 2 outputs"
beyond calls=1 "function 'Outer' is more than 1 calls deep"
beyond memory=64 "the index takes more than 64 bytes"
beyond nesting=2 "messages are nested deeper than 2 levels"


# A node's name is read on demand, but a name above the limit is refused before.
perl -e '
    sub varint { my ($n) = @_; my $s = ""; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
    sub field { chr($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }
    my $node = field(1, "x") . field(2, "y") . field(3, "n" x 100000) . field(4, "Split");
    print "\x08\x08", field(7, field(1, $node)), "\x42\x04\x0a\x00\x10\x0b";
' >named.onnx
for command in "convert --opset 13 -o beyond.onnx" show "verify named.onnx"; do
    fails 3 "named.onnx: node 0: the index takes more than 92160 bytes; if the file is to be trusted, raise the limit 'memory'" \
        "${command%% *}: a node's name longer than the limit" $command named.onnx --limit memory=90K
done
[ ! -e beyond.onnx ]
ok $? "and nothing is written"
for limit in 90K 256K; do
    run lint named.onnx --limit memory=$limit
    case $limit in
    90K) like "node 0: the index takes more than 92160 bytes; .* \[LIM002 index-memory\]$" "$out" "lint: it is a finding" ;;
    *) like "node 'nnn*' (Split): error: input 'x'" "$out" "lint: within the limit the name is told" ;;
    esac
done

printf '< ir_version: 8, opset_import: ["" : 11] > g (float[6] x) => (float[2] a, float[4] b) { a, b = Split <axis = 0, split = [2, 4]> (x) }' >attributes.txt
run assemble attributes.txt -o net.onnx
beyond attributes=1 "more than 1 attributes"
printf '< ir_version: 8, opset_import: ["" : 13] > g (float[6] x) => (float[2] a, float[4] b) < int64[2] l = {2, 4} > { a, b = Split <axis = 0> (x, l) }' >constant.txt
run assemble constant.txt -o net.onnx
for limit in elements=1 decode=8; do
    run convert net.onnx --opset 11 -o beyond.onnx --limit $limit
    [ "$status" != 0 ] && [ ! -e beyond.onnx ]
    ok $? "--limit $limit: refused"
    like "if the file is to be trusted, raise the limit '${limit%%=*}'" "$out$err" "--limit $limit: in these words"
done

fails 2 "option '--limit': 'nodes' is not NAME=N; write --limit nodes=1000000" "no value" show net.onnx --limit nodes
fails 2 "option '--limit': 'nodes=-1' is not NAME=N; write --limit nodes=1000000" "a negative one" \
    show net.onnx --limit nodes=-1
fails 2 "there is no limit 'noodles'" "no such limit" show net.onnx --limit noodles=1
fails 2 "limit 'nesting' is 2048; it may be 1 to 2000" "too much of it" show net.onnx --limit nesting=2K
for command in show lint "convert --dry-run --opset 14"; do
    run $command net.onnx --limit nodes=1M --limit memory=1G
    is 0 "$status" "${command%% *} takes them"
done
run lint net.onnx --limit memory=64
is 3 "$status" "lint: beyond a limit"
like "\[LIM002 index-memory\]" "$out" "lint: it is a finding"
printf 'limits: {outputs: 1}\n' >limits.yaml
run lint net.onnx --config limits.yaml
like "\[LIM011 too-many-parts\]" "$out" "limits in the configuration have the same names"

# A finding about two bytes of the file takes many more bytes.
printf '< ir_version: 8, opset_import: ["" : 13] > g (float[6] x) => (float[6] y) < int64[1] a = {1}, int64[1] b = {1}, int64[1] c = {1} > { y = Relu (x) }' >unused.txt
run assemble unused.txt -o net.onnx
run lint net.onnx --limit findings=1
found=$(printf '%s\n' "$out" | grep -c '\]$')
is 3 "$status" "--limit findings=1: exit status 3"
is 2 "$found" "--limit findings=1: one finding, and why that is all"
like "more than 1 findings; if the file is to be trusted, raise the limit 'findings' \[LIM011 too-many-parts\]" "$out" \
    "--limit findings=1: in these words"

# Nodes without name and type, each with an unnamed attribute.
perl -e 'my $nodes = "\x0a\x02\x2a\x00" x 50; print "\x08\x08\x3a", chr(200), "\x01", $nodes, "\x42\x02\x10\x0d"' >empty.onnx
run lint empty.onnx --limit findings=3
is 3 "$status" "--limit findings=3: exit status 3"
is 4 "$(printf '%s\n' "$out" | grep -c '\]$')" "nor are more kept of what is wrong with messages"

run convert empty.onnx --opset 18 -o beyond.onnx --limit findings=3
is 1 "$status" "what is in the way of a conversion: exit status 1"
is 3 "$(printf '%s\n' "$out$err" | grep -c '^blocked: ')" "nor is more of that listed"
like "empty.onnx: cannot be converted to opset 18: 50 nodes in the way, of which the last 3 are named; nothing is written" \
    "$out$err" "but counted"

# Nesting: 33 Ifs with an empty innermost branch are 100 levels, the limit of protobuf's parsers.
nested() {
    awk -v n="$1" 'BEGIN {
        print "< ir_version: 8, opset_import: [\"\" : 13] >\ng (bool c) => () {"
        for (i = 0; i < n; i++) print "y = If (c) <then_branch = t () => () {"
        for (i = 0; i < n; i++) print "}>"
        print "}"
    }'
}
nested 33 >33.txt
run assemble 33.txt -o 33.onnx
run convert 33.onnx --opset 18 -o out.onnx
is 0 "$status" "33 nested Ifs are read"
# The text parser has the same limit; the file is made by adding one If around.
perl -e '
    local $/; open F, "<:raw", "33.onnx"; $_ = <F>;
    sub varint { my ($n) = @_; my $s = ""; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
    sub field { chr($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }
    my $at = 0; my ($graph, $rest) = ("", "");
    sub read_varint { my ($n, $shift) = (0, 0); while (1) { my $b = ord substr $_, $at++, 1; $n |= ($b & 127) << $shift; $shift += 7; return $n if $b < 128 } }
    while ($at < length) {
        my $start = $at; my $tag = read_varint(); my $size = read_varint();
        if (($tag & 7) == 2) { $at += $size; if ($tag >> 3 == 7) { $graph = substr $_, $at - $size, $size; next } }
        $rest .= substr $_, $start, $at - $start;
    }
    my $attribute = field(1, "then_branch") . field(6, $graph) . "\xa0\x01\x05";
    my $node = field(1, "c") . field(2, "y") . field(4, "If") . field(5, $attribute);
    open F, ">:raw", "34.onnx"; print F $rest . field(7, field(1, $node));
'
run show 34.onnx
is 3 "$status" "34 are refused"
like "messages are nested deeper than 100 levels" "$err" "in these words"

# Ifs in both branches: twice the nodes at each level in no file of this size, so the work is that of the file.
run show 34.onnx --limit nesting=200
is 0 "$status" "and read where the user says so"

# Limits that no option raises.
if truncate -s 1099511627776 hole.onnx 2>/dev/null; then
    fails 3 "hole.onnx: is larger than 1 TiB; move its weights to external data" "more than 1 TiB" show hole.onnx
    truncate -s 1099511627775 hole.onnx
    run show hole.onnx
    is "3 opshift: hole.onnx: byte 0: field number 0 does not exist; the file is damaged or cut short; fetch it again" \
        "$status $err" "a byte less is read"
    rm hole.onnx
else
    skip "more than 1 TiB" "no file of that size can be made here"
    skip "a byte less is read" "no file of that size can be made here"
fi
perl -e 'my $import = "\x42\x04\x0a\x00\x10\x0d"; print "\x08\x08\x3a\x00", $import x $_ for $ARGV[0]' 1000 >imports.onnx
run show imports.onnx
is 0 "$status" "1000 opset imports are read"
perl -e 'my $import = "\x42\x04\x0a\x00\x10\x0d"; print "\x08\x08\x3a\x00", $import x $_ for $ARGV[0]' 1001 >imports.onnx
fails 3 "imports.onnx: more than 1000 opset imports" "1001 are refused" show imports.onnx

# An attribute of 11 MB with a string in each two bytes: counted before it is decoded.
perl -e '
    sub varint { my ($n) = @_; my $s = ""; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
    sub field { chr($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }
    my $attribute = field(1, "split") . "\x4a\x00" x 5600000 . "\xa0\x01\x08";
    my $node = field(1, "x") . field(2, "y") . field(4, "Split") . field(5, $attribute);
    print "\x08\x08", field(7, field(1, $node)), "\x42\x04\x0a\x00\x10\x0b";
' >parts.onnx
fails 3 "parts.onnx: node 0 (Split): byte 25: a message of too many parts; it would take more than 512 MiB" \
    "a message of too many parts" convert parts.onnx --opset 18 -o beyond.onnx
rm parts.onnx

# ---- limits that are none of the file's: never told as a lack of memory
# folded NAME OPERATOR: six constants of 15 MiB, more than are folded in all; each gives the lengths of a Split.
folded() {
    {
        printf '< ir_version: 8, opset_import: ["" : 13] >\nnet (float[4] x) => (float[2] y0, float[2] y5)\n'
        printf '< int64[1] s = {1900000}, int64[2] at = {0, 1}, int64[1] two = {2} >\n{\n'
        for i in 0 1 2 3 4 5; do
            printf '  c%s = %s\n  l%s = Gather <axis = 0> (c%s, at)\n  y%s, z%s = Split <axis = 0> (x, l%s)\n' \
                "$i" "$2" "$i" "$i" "$i" "$i" "$i"
        done
        echo '}'
    } | assemble "$1"
}
folded many 'ConstantOfShape <value = int64[1] {2}> (s)'
folded expanded 'Expand (two, s)'
for command in lint show "infer -o inferred.onnx" "convert --opset 11 --verify -o many11.onnx" \
    "convert --opset 18 --verify -o many18.onnx" "run --random -o outputs"; do
    run ${command} many.onnx
    is 0 "$status" "more constants than are folded: ${command%% *}"
done
answers 0 "more constants than are folded, by value" many.onnx expanded.onnx
answers 1 "more constants than are folded" many.onnx expanded.onnx --nothing-else
like "^node 15 (ConstantOfShape)  *not shown  " "$out" "the constants beyond the limit are not shown"
like "not shown to be the same; .*, 0 differs, .*, 0 other differences" "$out" "and differ in nothing"

perl -e 'print "< ir_version: 8, opset_import: [\"\" : 11] >\nnet (float[400000] x) => (float[1] y0) { ",
    join(", ", map { "y$_" } 0 .. 399999), " = Split <axis = 0> (x) }"' | assemble wide
run convert wide.onnx --opset 13 --verify -o wide13.onnx
is 0 "$status" "a Split into 400,000 outputs: exit status 0"
like "^node 0 (Split)  *proved  *the same number of parts" "$out" "it is proved"

# Time.
mkfifo waiting
exec 3<>waiting
"$opshift" lint waiting --timeout 1 >out 2>err
is 4 "$?" "--timeout: exit status 4"
is "opshift: not done after 1 seconds, the limit of '--timeout'; nothing was written" "$(cat err)" "--timeout: the word"
exec 3>&-
fails 2 "show: option '--timeout': '0' is not an integer from 1 to 1000000" "no time" show net.onnx --timeout 0
done_testing
