#!/bin/sh
# Lint in CI: formats, directories, lists, many files at once, exit statuses.
. "${srcdir:-.}/tests/cli/tap.sh"

head='<ir_version: 8, opset_import: ["" : 13]>'
model() {
    printf '%s\n%s\n' "$head" "$2" >model.txt
    "$opshift" assemble model.txt -o "$1"
}
good='g (float[2] x) => (float[2] y) { y = Neg (x) }'
bad='g (float[2] x) => (float[2] y) { y = Neg (x) y = Abs (x) }'
said="output 'y' is defined already by node 0 (Neg); give one of them another name [GRF001 duplicate-output]"
model good.onnx "$good"
model bad.onnx "$bad"
head -c 20 good.onnx >cut.onnx

# ---- one file ----
run lint good.onnx
is 0 "$status" "a model without findings: exit status 0"
is "1 file checked: 0 errors, 0 warnings, 0 notes" "$out" "the last line counts"
run lint bad.onnx
is 1 "$status" "an error: exit status 1"
is "bad.onnx: node 1 (Abs): error: $said
1 file checked: 1 error, 0 warnings, 0 notes" "$out" "a line a finding, then the counts"
status=0
out=$("$opshift" lint - <bad.onnx) || status=$?
is 1 "$status" "standard input is linted"
like "^<stdin>: node 1 (Abs): error: " "$out" "and has a name"

# ---- formats ----
xml() {
    sh "$tests/lint/xml.sh" "$1"
    case $? in
    0) ok 0 "$2" ;;
    77) skip "$2" "no strict XML parser is here" ;;
    *) ok 1 "$2" ;;
    esac
}
json() {
    perl -MJSON::PP -e 'for my $text (<STDIN>) { JSON::PP->new->utf8->decode($text) }'
}
run lint good.onnx bad.onnx cut.onnx gone.onnx -f text -f json=out.json -f ndjson=out.ndjson -f sarif=out.sarif \
    -f github=out.github -f junit=out.xml
is 4 "$status" "all formats at once: the gravest exit status"
is "4 files checked, 2 of them could not be read: 3 errors, 0 warnings, 0 notes" "$(printf '%s\n' "$out" | tail -n 1)" \
    "text goes to standard output"
tr -d '\n' <out.json | json
ok $? "json is one document"
json <out.ndjson
ok $? "ndjson is a document a line"
is "run file finding file finding file finding file summary" \
    "$(sed 's/^{"kind":"\([a-z]*\)".*/\1/' out.ndjson | sed 's/^finding.*/finding/' | tr '\n' ' ' | sed 's/ $//')" \
    "a run, findings before their file, files in order, a summary"
perl "$tests/lint/sarif.pl" out.sarif | sed 's/^/# /'
is "" "$(perl "$tests/lint/sarif.pl" out.sarif)" "sarif is SARIF"
xml out.xml "junit is XML"
is "::error file=bad.onnx,title=GRF001 duplicate-output::node 1 (Abs): ${said% \[*}" "$(sed -n 1p out.github)" \
    "github is workflow commands"
for format in json ndjson sarif github junit; do
    file=out.$format
    [ -e "$file" ] || file=out.xml
    run lint good.onnx bad.onnx cut.onnx gone.onnx -f $format
    is "$(cat "$file")" "$out" "$format: standard output is what the file is"
    run lint good.onnx bad.onnx cut.onnx gone.onnx -f $format -j 1
    is "$(cat "$file")" "$out" "$format: the same with one thread"
done
for golden in "$tests"/lint/golden/*.sarif; do
    is "" "$(perl "$tests/lint/sarif.pl" "$golden")" "what is expected of sarif is SARIF: $(basename "$golden")"
done
for golden in "$tests"/lint/golden/*.xml; do
    xml "$golden" "what is expected of junit is XML: $(basename "$golden")"
done
tr -d '\n' <"$tests/lint/golden/lint.json" | json
ok $? "what is expected of json is JSON"
json <"$tests/lint/golden/lint.ndjson"
ok $? "what is expected of ndjson is NDJSON"

# The validator must find errors, or its silence means nothing.
for change in 's/"ruleIndex":0/"ruleIndex":1/' 's/"version":"2.1.0"/"version":"2.0.0"/' 's/"level":"error"/"level":"fatal"/' \
    's/"startLine":1/"startLine":0/' 's/"executionSuccessful":false,//' 's/"uriBaseId":"%SRCROOT%"/"uriBaseId":"HOME"/' \
    's/"ruleId":"GRF001",/&"colour":"red",/' 's/"message":{"text"/"message":{"txt"/' 's/bad.onnx","uriBaseId/b d.onnx","uriBaseId/'; do
    sed "$change" out.sarif >wrong.sarif
    perl "$tests/lint/sarif.pl" wrong.sarif >/dev/null
    is 1 $? "the SARIF validator sees $change"
done

# A file appears complete or not at all, and is unchanged after a usage error.
echo old >kept.json
fails 2 "lint: option '--format': there is no format 'yaml'; give text, json, ndjson, sarif, github or junit" "no such format" \
    lint good.onnx -f json=kept.json -f yaml
fails 2 "lint: option '--format text' and option '--format json' both go to standard output; name a file for one" "two on one output" \
    lint good.onnx -f text -f json
fails 2 "lint: option '--format json' and option '--format sarif' are the same file, 'kept.json'; name another one" "two in one file" \
    lint good.onnx -f json=kept.json -f sarif=kept.json
fails 2 "lint: option '--format': 'json=' has no file name; write json=FILE" "no file" lint good.onnx -f json=
is old "$(cat kept.json)" "a wrong command line changes no file"
run lint good.onnx -f json=nowhere/out.json
is 4 "$status" "an output that cannot be made: exit status 4"
is "opshift: nowhere/out.json: there is no such directory; make it first" "$err" "in these words"
is "" "$(find . -name 'out.json.*')" "nothing half written is left"

# ---- directories ----
mkdir -p models/b models/.hidden models/a models/z.onnx
model models/b/2.onnx "$good"
model models/a/10.onnx "$bad"
model models/a/9.ONNX "$good"
cp models/b/2.onnx models/.hidden/no.onnx
cp models/b/2.onnx models/.no.onnx
echo text >models/readme.txt
ln -s .. models/a/loop
ln -s ../.. models/a/loop.onnx
ln -s ../good.onnx models/link.onnx
run lint -r models -f ndjson
is "models/a/10.onnx models/a/9.ONNX models/b/2.onnx models/link.onnx" \
    "$(printf '%s\n' "$out" | sed -n 's/^{"kind":"file","file":"\([^"]*\)".*/\1/p' | tr '\n' ' ' | sed 's/ $//')" \
    "-r: sorted; no hidden ones, no other files, no loops; links to models count"
run lint -r models ./models/../models/b/2.onnx models/b good.onnx good.onnx
is "5 files checked: 1 error, 0 warnings, 0 notes" "$(printf '%s\n' "$out" | tail -n 1)" "a model that is named again counts once"
fails 2 "lint: models is a directory; add -r to lint the models in it" "a directory without -r" lint good.onnx models
mkdir empty
fails 2 "lint: empty: no models found; models are files called *.onnx, any other file is linted when it is named" \
    "a directory without models" lint -r empty
cp good.onnx empty/model.bin
run lint empty/model.bin
is 0 "$status" "a file is linted whatever it is called"
if [ "$(id -u)" != 0 ]; then
    mkdir -p half/closed
    cp good.onnx half
    chmod 0 half/closed
    run lint -r half
    is 4 "$status" "a directory that cannot be read: exit status 4"
    is "opshift: half/closed: the directory cannot be read: Permission denied" "$err" "in these words"
    is "1 file checked: 0 errors, 0 warnings, 0 notes" "$out" "and the others are linted"
    run lint -r half/closed
    is 4 "$status" "that directory alone: exit status 4"
    chmod 700 half/closed
fi
deep=deep/$(perl -e 'print "d/" x 257')
mkdir -p "$deep"
cp good.onnx deep/d
cp good.onnx "$deep"
run lint -r deep
is 4 "$status" "directories that are too deep: exit status 4"
like "^opshift: deep/d/.*d/d: is more than 256 directories deep; name a directory nearer to it$" "$err" "in these words"
is "1 file checked: 0 errors, 0 warnings, 0 notes" "$out" "and the others are linted"
run lint -r deep -f json --exit-zero
is 4 "$status" "with --exit-zero too"
fails 2 "lint: no model is named; usage: opshift lint MODEL... [OPTION]..." "no argument" lint

# ---- lists ----
printf 'good.onnx\0models/a/10.onnx\0' >list
run lint --files0-from list
is "models/a/10.onnx: node 1 (Abs): error: $said
2 files checked: 1 error, 0 warnings, 0 notes" "$out" "--files0-from names the models"
out=$(printf 'good.onnx\0bad.onnx' | "$opshift" lint --files0-from - cut.onnx | tail -n 1)
is "3 files checked, 1 of them could not be read: 2 errors, 0 warnings, 0 notes" "$out" \
    "a list on standard input, the last NUL missing, and an argument"
: >none
fails 2 "lint: none: the list is empty; there is nothing to lint" "an empty list" lint --files0-from none
printf 'good.onnx\0\0' >hole
fails 2 "hole: name 2 is empty; write each name once, followed by a NUL" "an empty name" lint --files0-from hole
fails 4 "nolist: there is no such file; check its name" "no list" lint --files0-from nolist
printf 'good.onnx\0-\0' | "$opshift" lint --files0-from - 2>message
is 2 $? "standard input cannot be both the list and a model"
is "opshift: -: name 2 is '-', and standard input is the list itself; write ./- for a file of that name" "$(cat message)" "and says so"

# ---- many ----
mkdir many
for i in $(seq 1 60); do
    case $((i % 3)) in
    0) cp bad.onnx "many/$i.onnx" ;;
    1) cp good.onnx "many/$i.onnx" ;;
    2) cp cut.onnx "many/$i.onnx" ;;
    esac
done
run lint -r many -j 1 -f ndjson
is 3 "$status" "a file that cannot be read is graver than an error"
one=$out
for jobs in 2 3 16; do
    run lint -r many -j $jobs -f ndjson
    is "$one" "$out" "$jobs threads print the same as one"
done
is '{"kind":"summary","files":60,"unreadable":20,"errors":40,"warnings":0,"notes":0,"known":0,"suppressed":0}' \
    "$(printf '%s\n' "$one" | tail -n 1)" "no bad model hides another"

# ---- hostile names ----
ugly=$(printf 'a\033[31m%%\n::error::x,y:z<&">\377.onnx')
cp bad.onnx "$ugly"
run lint "$ugly" -f text -f json=ugly.json -f sarif=ugly.sarif -f junit=ugly.xml -f github=ugly.github
like '^a\\x1b\[31m%\\x0a::error::x,y:z<&">\\xff.onnx: node 1' "$out" "a name cannot steer the terminal, nor end its line"
tr -d '\n' <ugly.json | json
ok $? "nor break json"
is "" "$(perl "$tests/lint/sarif.pl" ugly.sarif)" "nor sarif"
like '"uri":"a%1B%5B31m%25%0A%3A%3Aerror%3A%3Ax%2Cy%3Az%3C%26%22%3E%FF.onnx"' "$(cat ugly.sarif)" "whose URI has its bytes"
xml ugly.xml "nor junit"
like '^::error file=a\\x1b\[31m%25\\x0a%3A%3Aerror%3A%3Ax%2Cy%3Az<&">\\xff.onnx,title=GRF001 duplicate-output::' "$(cat ugly.github)" \
    "nor add a workflow command"

# ---- colours ----
if script -qec true /dev/null >/dev/null 2>&1; then
    colored() {
        env "$@" script -qec "'$opshift' lint bad.onnx" /dev/null | tr -d '\r' | grep -c "$(printf '\033\\[1;31merror')"
    }
    is 1 "$(colored TERM=xterm)" "on a terminal the severity has a colour"
    is 0 "$(colored TERM=xterm NO_COLOR=1)" "not with NO_COLOR"
    is 0 "$(colored TERM=dumb)" "nor on a terminal that knows none"
else
    skip "colours" "script(1) cannot make a terminal here"
fi

# ---- a NUL in an operator's name: no operator has such a name, although C strings end there
perl -e '
    sub field { chr($_[0] << 3 | 2) . chr(length $_[1]) . $_[1] }
    my $type = field(2, field(1, "\x08\x01" . field(2, field(1, "\x08\x04"))));
    my $node = field(1, "x") . field(1, "axes") . field(2, "y") . field(4, "Unsqueeze\0");
    my $axes = "\x08\x01\x10\x07" . field(8, "axes") . field(9, "\x05" . "\0" x 7);
    print "\x08\x08", field(7, field(1, $node) . field(2, "g") . field(5, $axes) . field(11, field(1, "x") . $type)
        . field(12, field(1, "y") . $type)), "\x42\x04\x0a\x00\x10\x0d";
' >cut.onnx
run lint cut.onnx
is 1 "$status" "an operator's name with a NUL: exit status 1"
like "^cut.onnx: node 0 (Unsqueeze): error: the operator's name or its domain contains a NUL character; remove it \[OPS003 unknown-operator\]$" \
    "$out" "it is no operator"
like "warning: NodeProto.op_type contains a NUL character" "$out" "and told as the text that it is"
run convert cut.onnx --opset 11 -o cut11.onnx
is 1 "$status" "nor is it converted as the operator that it begins with"
like "^blocked: node 0 (Unsqueeze): opset 13 to 11: the operator is not known at the model's opset$" "$out$err" "in these words"

# ---- and in an attribute's name
perl -e '
    sub field { chr($_[0] << 3 | 2) . chr(length $_[1]) . $_[1] }
    my $type = sub { field(2, field(1, "\x08\x01" . field(2, field(1, chr(8) . chr($_[0]))))) };
    my $node = field(1, "x") . field(2, "y") . field(2, "z") . field(4, "Split") . field(5, field(1, "axis\0") . "\x18\x00\xa0\x01\x02");
    print "\x08\x08", field(7, field(1, $node) . field(2, "g") . field(11, field(1, "x") . $type->(4))
        . field(12, field(1, "y") . $type->(2))), "\x42\x02\x10\x0b";
' >cut.onnx
run lint cut.onnx
is 1 "$status" "an attribute's name with a NUL: exit status 1"
words="the name of attribute 'axis' contains a NUL character"
like "^cut.onnx: node 0 (Split): error: $words; remove it \[OPS007 unknown-attribute\]$" "$out" \
    "it is no attribute of the operator"
run convert cut.onnx --opset 13 -o cut13.onnx
is 1 "$status" "nor is it converted as the attribute that it begins with"
like "^blocked: node 0 (Split): opset 11 to 13: OPS007 unknown-attribute: $words$" "$out$err" "in these words"

done_testing
