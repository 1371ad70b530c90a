#!/bin/sh
# Memory and work are proportional to the file size, with the factors in SECURITY.md, for any content.
. "${srcdir:-.}/tests/cli/tap.sh"
grep -q 'fsanitize' "$builddir/Makefile" && skip_all "the sanitizers take memory of their own"
[ -z "${OPSHIFT:-}" ] || skip_all "valgrind takes memory of its own"

# shape NAME PERL: a model of 1 MiB, of graph records that the expression gives repeatedly.
shape() {
    perl -e '
        sub varint { my ($n) = @_; my $s = ""; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
        sub field { varint($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }
        my ($records, $i) = ("", 0);
        $records .= eval $ARGV[0] and $i++ while length $records < 1 << 20;
        print "\x08\x08" . field(7, $records) . field(8, "\x10\x0d");
    ' "$2" >"$1.onnx"
}
shape nodes 'field(1, "")'
shape 'nodes with names' 'field(1, field(2, sprintf "%x", $i))'
shape 'inputs of nodes' 'field(1, field(1, "") x 9000)'
shape attributes 'field(1, field(5, "") x 9000)'
shape initializers 'field(5, "")'
shape dims 'field(5, field(1, "\x01" x 9000))'
shape 'graph inputs' 'field(11, "")'
shape 'value infos' 'field(13, "")'
shape 'graphs in nodes' 'field(1, field(5, field(6, "") . "\xa0\x01\x05"))'
shape 'unknown fields' '"\xf8\x07\x01"'

# within FACTOR ARGUMENT...: opshift may use FACTOR times the file size, plus 32 MiB for code and libraries.
within() {
    room=$((32768 + $1 * 1024))
    shift
    status=0
    (ulimit -v $room && exec "$opshift" "$@") >.out 2>.err || status=$?
}
for file in *.onnx; do
    name=${file%.onnx}
    within 64 show "$file"
    is 0 "$status" "show: $name: 64 times the file are enough"
    within 64 convert "$file" --opset 18 -o out --limit findings=1000
    # The reason of each blocker takes more than two bytes.
    case $status in 0 | 1) ok 0 "convert: $name: so they are" ;; *) ok 1 "convert: $name: so they are" ;; esac
    grep 'out of memory' .err | sed 's/^/# /'
done

# Types of 64 dims, two of them for 13 bytes.
perl -e '
    sub varint { my ($n) = @_; my $s = ""; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
    sub field { chr($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }
    sub lengths { field(5, field(1, "split") . field(8, join "", map { varint($_) } @_) . "\xa0\x01\x07") }
    my $total = 20000 * 20001 / 2;
    my $shape = join "", map { field(1, "\x08" . varint($_ ? 1 : $total)) } 0 .. 63;
    my $split = field(1, "x") . join("", map { field(2, sprintf "%x", $_) } 1 .. 20000) . field(4, "Split") . lengths(1 .. 20000);
    my $graph = field(1, $split) . field(1, field(1, "1") . field(2, "y") . field(4, "Split"))
        . field(11, field(1, "x") . field(2, field(1, "\x08\x01" . field(2, $shape))));
    print "\x08\x08" . field(7, $graph) . field(8, "\x10\x0b");
' >types.onnx
for command in show "convert --opset 13 -o out"; do
    within $((300 * $(wc -c <types.onnx) / 1048576)) $command types.onnx
    is 0 "$status" "${command%% *}: types of many dims: 300 times the file are enough"
done
run convert types.onnx --opset 13 -o types13.onnx --limit memory=4M
is "3 opshift: types.onnx: node 1 (Split): the types of values take more than 4194304 bytes; if the file is to be trusted, raise the limit 'memory'" \
    "$status $err" "and the limit counts them"

# ---- 100,000 nodes, a fifth of them rewritten, and a type for each value: 28 MiB for the whole process ----
perl -e '
    sub field { chr($_[0] << 3 | 2) . chr(length $_[1]) . $_[1] }
    sub varint { my ($n) = @_; my $s = ""; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
    my $type = field(2, field(1, "\x08\x01" . field(2, field(1, "\x08\x02"))));
    my $split = field(4, "Split") . field(5, field(1, "split") . "\x40\x02\x40\x04\xa0\x01\x07");
    my $graph = field(11, field(1, "x") . field(2, field(1, "\x08\x01" . field(2, field(1, "\x08\x06")))));
    for my $i (0 .. 99999) {
        my $node = $i % 5 ? field(2, "value$i") . field(4, "Relu") : field(2, "value$i") . field(2, "rest$i") . $split;
        $graph .= field(1, field(1, "x") . $node) . field(13, field(1, "value$i") . ($i % 5 ? "" : $type));
    }
    print "\x08\x08\x3a" . varint(length $graph) . $graph . "\x42\x02\x10\x0b";
' >many.onnx
within -4 convert many.onnx --opset 13 -o out.onnx
is 0 "$status" "100,000 nodes up"
within -4 convert out.onnx --opset 11 -o back.onnx
is 0 "$status" "and down"
is 20000 "$(sed -n 's/.*: \([0-9]*\) nodes rewritten.*/\1/p' .err .out)" "each Split was rewritten"

# As from exporters: named nodes, long names, lengths for each Split: 30 MiB.
perl -e '
    sub varint { my ($n) = @_; my $s = ""; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
    sub field { chr($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }
    my ($axis, $last, $graph, $lengths) = (field(5, field(1, "axis") . "\x18\x01\xa0\x01\x02"), "input", "", "");
    for my $i (0 .. 19999) {
        my $layer = "/layers.$i/";
        my $node = sub {
            my ($type, $inputs, $outputs) = @_;
            my @names = ((map { field(1, $_) } @$inputs), map { field(2, "$layer${type}_output_$_") } @$outputs);
            $graph .= field(1, join("", @names) . field(3, "$layer$type") . field(4, $type) . ($type eq "Split" ? $axis : ""));
            return "$layer${type}_output_0";
        };
        my $part = $node->("Split", [$last, "${layer}split_sizes"], [0, 1]);
        $last = $node->("Neg", [$node->("Abs", [$node->("Exp", [$node->("Relu", [$part], [0])], [0])], [0])], [0]);
        $lengths .= field(5, "\x08\x02\x10\x07\x3a\x02\x04\x04" . field(8, "${layer}split_sizes"));
    }
    $graph .= $lengths . field(11, field(1, "input") . field(2, field(1, "\x08\x01"))) . field(12, field(1, $last));
    print "\x08\x08\x3a" . varint(length $graph) . $graph . "\x42\x02\x10\x0d";
' >named.onnx
within -2 convert named.onnx --opset 11 -o out.onnx
is 0 "$status" "100,000 nodes with names down"
is "20000 nodes rewritten, 20000 unread values removed" "$(sed 's/.*: //' .err .out)" "each with its lengths"
within -4 convert out.onnx --opset 13 -o back.onnx
is 0 "$status" "and up"
# Its second thread has a stack of 8 MiB; the libraries of Debian 13 take more addresses than those of 12.
within 44 convert named.onnx --opset 11 -o out.onnx --verify
is 0 "$status" "with --verify 76 MiB"
within 8 show named.onnx
is 0 "$status" "show 40 MiB"
is 20000 "$(grep -c '^node ' .out)" "with a row of each Split"
within 32 show --nodes named.onnx
is 0 "$status" "show --nodes 64 MiB"

# ---- findings: 2 KiB for each, in any format ----
perl -e 'print "< ir_version: 8, opset_import: [\"\" : 13] >\nnet (float[2] x) => (float[2] y)\n<", join(", ", ("float[2] z") x 20000),
    ">\n{ y = Relu (x) }\n"' >twice.txt
"$opshift" assemble twice.txt -o twice.onnx
"$opshift" lint twice.onnx >.out
is "1 file checked: 0 errors, 19999 warnings, 20000 notes" "$(tail -n 1 .out)" "lint: a file with many faults"
room=$((64 * $(wc -c <twice.onnx) / 1048576 + 2 * 39999 / 1024 + 1))
for format in text json ndjson sarif github junit baseline; do
    within $room lint twice.onnx -f $format
    is 0 "$status" "lint -f $format: 2 KiB are enough for each of them"
done

# Nested Ifs: twice the nodes at each level, but work proportional to the bytes.
if ! command -v valgrind >/dev/null; then
    skip "nested Ifs" "valgrind is not here"
    done_testing
    exit
fi
tree() {
    perl -e '
        sub varint { my ($n) = @_; my $s = ""; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
        sub field { varint($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }
        sub graph {
            my ($depth, $at) = @_;
            return field(1, field(1, "c") . field(2, "y$at") . field(4, "Not")) . field(12, field(1, "y$at")) if $depth == 0;
            my $node = field(1, "c") . field(2, "y$at") . field(4, "If");
            $node .= field(5, field(1, "${_}_branch") . field(6, graph($depth - 1, "$at" . substr $_, 0, 1)) . "\xa0\x01\x05") for "then", "else";
            return field(1, $node) . field(12, field(1, "y$at"));
        }
        print "\x08\x08" . field(7, graph($ARGV[0], "") . field(11, field(1, "c"))) . field(8, "\x10\x0d");
    ' "$1" >tree.onnx
}
# instructions of a command
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$opshift" "$@" >.out 2>.err
    sed -n 's/^==[0-9]*== Collected : //p' .err | grep . || echo 999999999999
}
# the same per byte, above a constant
cost() {
    echo $((($(count "$@") - start) / $(wc -c <"$measured")))
}
measured=tree.onnx
for command in show "convert --opset 18 -o out" lint; do
    tree 0
    start=$(count $command tree.onnx)
    tree 6
    few=$(cost $command tree.onnx)
    tree 9
    many=$(cost $command tree.onnx)
    echo "# $few instructions a byte with 64 innermost graphs, $many with 512"
    [ "$many" -le $((few * 2)) ]
    ok $? "${command%% *}: nested Ifs cost as much for each byte, however many"
done

# A Split with many outputs, which are all run before and after.
split() {
    perl -e 'my $names = join ", ", map { "y$_" } 1 .. $ARGV[0];
        print "< ir_version: 8, opset_import: [\"\" : 13] >\nnet (float[N, M] x) => (float[N, K] y1) { $names = Split <axis = 1> (x) }\n"' "$1" >split.txt
    "$opshift" assemble split.txt -o split.onnx
}
measured=split.onnx
split 1
start=$(count convert --opset 11 -o out --verify split.onnx)
split 1000
few=$(cost convert --opset 11 -o out --verify split.onnx)
split 8000
many=$(cost convert --opset 11 -o out --verify split.onnx)
echo "# $few instructions a byte with 1000 outputs, $many with 8000"
[ "$many" -le $((few * 2)) ]
ok $? "convert --verify: outputs of a Split cost as much for each byte, however many"
done_testing
