#!/bin/sh
# The differences between two files, as printed.
. "${srcdir:-.}/tests/cli/tap.sh"

run assemble "$tests/models/sample.txt" -o a.onnx
cp a.onnx copy.onnx

run diff a.onnx copy.onnx
is 0 "$status" "a copy: exit status 0"
is "a.onnx and copy.onnx: no difference" "$out" "it says so"
is "" "$err" "nothing on standard error"

"$opshift" convert a.onnx --opset 13 -o b.onnx >/dev/null
run diff a.onnx b.onnx
is 1 "$status" "a converted model: exit status 1"
like "^  ~ opset import 'ai.onnx': version: 11 -> 13$" "$out" "its opset"
like "^  - node 'choose' (If): attribute 'then_branch': node 'head' (Split): attribute 'split': \[2, 4\]$" "$out" "what a node lost"
like "^a.onnx and b.onnx: they differ, " "$out" "the count at the end"
is "" "$err" "nothing on standard error"

run diff a.onnx b.onnx -f json
is 1 "$status" "as JSON: exit status 1"
printf '%s' "$out" | perl -MJSON::PP -e 'local $/; my $r = decode_json(<STDIN>);
    exit(!($r->{kind} eq "diff" && !$r->{same} && $r->{before}{opset} == 11 && @{$r->{differences}} ==
    $r->{counts}{added} + $r->{counts}{removed} + $r->{counts}{changed} + $r->{counts}{moved}))'
ok $? "it is JSON, and the counts are those of the list"

"$opshift" diff - b.onnx <b.onnx >out
is 0 $? "standard input as the first model"

fails 2 "diff: option '--ignore': 'colour' is none of doc, metadata, names, producer, value-infos, order" \
    "an unknown kind" diff a.onnx b.onnx --ignore colour
fails 2 "diff: only one of the two models can be standard input; give the other as a file" "two inputs" diff - -
fails 4 "absent.onnx: there is no such file; check its name" "an absent file" diff a.onnx absent.onnx

# External weights are compared; a missing file is an error, not a difference.
perl -e '
    sub field { my ($n, $b) = @_; return chr($n << 3 | 2) . chr(length $b) . $b }
    sub entry { return field(13, field(1, $_[0]) . field(2, $_[1])) }
    sub model { my ($data) = @_; my $t = "\x08\x04\x10\x02" . field(8, "w") . $data;
                return "\x08\x08" . field(7, field(5, $t)) . field(8, "\x10\x0d") }
    sub put { open my $f, ">", $_[0] or die; binmode $f; print $f $_[1] }
    mkdir "one"; mkdir "two";
    put("one/w.bin", "\1\2\3\4"); put("two/w.bin", "\1\2\3\5");
    my $outside = model(entry("location", "w.bin") . "\x70\x01");
    put("one/m.onnx", $outside); put("two/m.onnx", $outside);
    put("raw.onnx", model(field(9, "\1\2\3\4")));'
run diff one/m.onnx raw.onnx
is 0 "$status" "the same weights, in another file: exit status 0"
like "^note: initializer 'w': the same value, in another file before and in raw_data after$" "$out" "with a note"
run diff one/m.onnx two/m.onnx
is 1 "$status" "the same bytes, but other files beside them: exit status 1"
like "^  ~ initializer 'w': value: 4 -> 5; 1 of 4 differ, first \[3\]; at most 1 apart$" "$out" "the element"
rm two/w.bin
fails 4 "two/m.onnx: external data 'w.bin': No such file or directory; put the file beside the model" \
    "weights that are not there" diff one/m.onnx two/m.onnx


# Nodes of one name and operator are one node, though another has its output now.
for outputs in "p q" "q p"; do
    set -- $outputs
    printf '<ir_version: 8, opset_import: ["" : 13]>\ng (float[2] x) => (float[2] p, float[2] q) { [a] %s = Neg (x) [b] %s = Abs (x) }\n' "$1" "$2" | assemble "named$1"
done
run diff namedp.onnx namedq.onnx
like "node 'a' (Neg): output: \['p'\] -> \['q'\]" "$out" "nodes are paired by their names before their outputs"

done_testing
