#!/bin/sh
# opshift lint with options, .opshift.yaml, a baseline, and suppressions in the model.
. "${srcdir:-.}/tests/cli/tap.sh"

# bad.onnx: a negative dim (PRT055, a warning) and two opsets (PRT045, an error).
cat >bad.txt <<'END'
<ir_version: 8, opset_import: ["" : 13, "my" : 1, "my" : 2]>
g (float[-1] x) => (float[N] y) { y = Neg (x) }
END
cat >good.txt <<'END'
<ir_version: 8, opset_import: ["" : 13]>
g (float[N] x) => (float[N] y) { y = Neg (x) }
END
"$opshift" assemble bad.txt -o bad.onnx
"$opshift" assemble good.txt -o good.onnx
mkdir -p .git sub/deep
cp bad.onnx sub/bad.onnx

# lint WANTED-STATUS WHAT ARGUMENT...: what it prints is in $out.
lint() {
    wanted=$1
    what=$2
    shift 2
    out=$("$opshift" lint "$@" 2>&1)
    is "$wanted" "$?" "$what: exit status"
}

ids() {
    printf '%s\n' "$out" | sed -n 's/.*\[\([A-Z]*[0-9]*\) [a-z0-9-]*\]$/\1/p' | sort | tr '\n' ' '
}

# options
lint 1 "no option" bad.onnx
is "PRT045 PRT055 " "$(ids)" "all is found"
lint 0 "--select" --select PRT055 bad.onnx
is "PRT055 " "$(ids)" "--select: an id"
lint 0 "--select with a slug" --select negative-dim-in-type,ext bad.onnx
is "PRT055 " "$(ids)" "--select: a slug, and how ids begin, in small letters"
lint 0 "--ignore" --ignore PRT045 bad.onnx
is "PRT055 " "$(ids)" "--ignore: an id"
lint 0 "--ignore wins" --select PRT --ignore PRT bad.onnx
is "" "$(ids)" "--ignore wins over --select"
lint 1 "--fail-level warning" --fail-level warning --select PRT055 bad.onnx
lint 0 "--fail-level never" --fail-level never bad.onnx
is "PRT045 PRT055 " "$(ids)" "--fail-level never: all is found"
lint 0 "--exit-zero" --exit-zero bad.onnx
lint 4 "--exit-zero and no file" --exit-zero bad.onnx nothing.onnx
lint 2 "an unknown id" --select PRT945 bad.onnx
like "select: there is no check 'PRT945'; did you mean 'PRT0*45'?" "$out" "the nearest is named"
lint 2 "a word like no id" --ignore qqqqqqqqqqqqqq bad.onnx
is "opshift: ignore: there is no check 'qqqqqqqqqqqqqq'; 'opshift lint --list-checks' lists them" "$out" "the way out"
lint 2 "--config and --no-config" --config x --no-config bad.onnx
is "opshift: lint: options '--no-config' and '--config' exclude each other; leave one of them out" "$out" "the contradiction"

# the file
cat >.opshift.yaml <<'END'
ignore: [PRT045]
severity: {PRT055: error}
END
lint 1 ".opshift.yaml" bad.onnx
like "error: value 'x': a dim is -1" "$out" "a severity is changed"
is "PRT055 " "$(ids)" "an id is ignored"
lint 1 "an option wins" --ignore PRT055 bad.onnx
is "PRT045 " "$(ids)" "--ignore wins over the file"
lint 1 "--no-config" --no-config bad.onnx
is "PRT045 PRT055 " "$(ids)" "--no-config: the file is not read"
(cd sub/deep && "$opshift" lint ../../bad.onnx >"$work/said" 2>&1)
is 1 $? "found from below: exit status"
out=$(cat said)
is "PRT055 " "$(ids)" "found from below"
mkdir -p sub/deep/.git
(cd sub/deep && "$opshift" lint ../../bad.onnx >"$work/said" 2>&1)
out=$(cat said)
is "PRT045 PRT055 " "$(ids)" "not beyond the root of a repository"
rm -r sub/deep/.git
printf 'per-file-ignores:\n  sub/*: [PRT]\n  good.onnx: PRT\n' >.opshift.yaml
lint 1 "per-file-ignores" bad.onnx sub/bad.onnx ./sub/../sub/bad.onnx
is "PRT045 PRT055 " "$(ids)" "a pattern is for some files"
(cd sub && "$opshift" lint bad.onnx >"$work/said" 2>&1)
is 0 $? "patterns are relative to the configuration"
printf 'fail-level: never\n' >.opshift.yaml
lint 0 "fail-level" bad.onnx
printf 'select: PRT055\nfail-level: warning\n' >other.yaml
lint 1 "--config" --config other.yaml bad.onnx
is "PRT055 " "$(ids)" "--config: another file"
printf 'limits: {nesting: 3}\n' >.opshift.yaml
lint 3 "limits" bad.onnx
is "LIM001 " "$(ids)" "limits: nesting"
printf 'limits: {value: 4000000000000}\n' >.opshift.yaml
lint 1 "what lint reports may be raised" bad.onnx

# errors in it
mistake() {
    printf '%b' "$1" >.opshift.yaml
    lint 2 "$3" bad.onnx
    is "opshift: $work/.opshift.yaml:$2" "$out" "$3"
}
work=$(pwd -P)
mistake 'limits: {nesting: 2000}\n' "1:19: nesting: a configuration may lower this limit and not raise it, and 2000 is more \
than its default, 100; where the models are to be trusted, give --limit nesting=2000" "a limit that is raised"
mistake 'selct: [PRT]\n' "1:1: there is no key 'selct'; did you mean 'select'?" "a key misspelt"
mistake 'zzzzzzzz: 1\n' "1:1: there is no key 'zzzzzzzz'; the keys here are baseline, fail-level, ignore, limits, \
per-file-ignores, select, severity, targets, to" "a key like none"
mistake 'select:\n  - PRT\n  - SPLT\n' "3:5: expected the id of a check, or how ids begin, found 'SPLT'; did you mean \
'SPL'?" "an id misspelt"
mistake 'fail-level: high\n' "1:13: fail-level: expected error, warning, note or never, found 'high'" "a level"
mistake 'severity: {PRT055: never}\n' "1:20: severity: expected error, warning or note, found 'never'" "a severity"
mistake 'severity: [PRT055]\n' "1:11: severity: expected a map, found a list" "a list for a map"
mistake 'select: {a: b}\n' "1:9: select: expected a list, found a map" "a map for a list"
mistake 'ignore: [[PRT]]\n' "1:10: ignore: expected a word, found a list" "a list in a list"
mistake 'to: 99\n' "1:5: to: expected a whole number from 1 to 28, found '99'" "an opset"
mistake 'limits: {memory: none}\n' "1:18: memory: expected a whole number from 1 to 9223372036854775807, found 'none'" \
    "a limit"
mistake 'baseline: []\n' "1:11: baseline: expected the name of a file, found a list" "no name"
# it is untrusted: it cannot name a file outside its directory, by path or by link
mkdir -p ../elsewhere.$$
outside=$(cd ../elsewhere.$$ && pwd -P)
printf 'root:$6$secret:19000:0:99999:7:::\n' >"$outside/shadow"
way="leads out of the directory of this file, or a link is on the way; name a file below it, or give --baseline"
ln -s "$outside" away
ln -s "$outside/shadow" known.link
ln -s nothing/there dangling
mkdir inner
ln -s ../known.link inner/link
for place in "$outside/shadow" "../elsewhere.$$/new" sub/../../known.json away/shadow away/new known.link dangling inner/link \
    inner/../../x; do
    mistake "baseline: $place\n" "1:11: baseline: '$place' $way" "a baseline at ${place##*/}"
    lint 2 "an updated baseline at ${place##*/}" --update-baseline bad.onnx
    is "opshift: $work/.opshift.yaml:1:11: baseline: '$place' $way" "$out" "an updated baseline at ${place##*/}"
done
is "shadow" "$(ls "$outside")" "nothing is written outside"
is 'root:$6$secret:19000:0:99999:7:::' "$(cat "$outside/shadow")" "nor over what is there"
printf 'baseline: inner/known.json\n' >.opshift.yaml
lint 0 "one below it" --update-baseline bad.onnx
[ -s inner/known.json ]
ok $? "is written"
lint 0 "and read" bad.onnx
cp "$outside/shadow" inner/known.json
lint 2 "what is none" bad.onnx
case $out in *secret* | *root*) ok 1 "is not quoted" ;; *) ok 0 "is not quoted" ;; esac
is "opshift: $work/inner/known.json:1:4: no JSON: '[' or '{' expected; write it anew with --update-baseline" "$out" "in these words"
rm -r .opshift.yaml inner
ln -s "$outside/shadow" .opshift.yaml
lint 2 "a configuration that is a link to elsewhere" bad.onnx
is "opshift: $work/.opshift.yaml: is a link that leads out of its directory, which is not followed; name the file with --config, or \
give --no-config" "$out" "in these words"
rm .opshift.yaml
printf 'ignore: PRT055\n' >own.yaml
ln -s own.yaml .opshift.yaml
lint 0 "one that leads to a file beside it" --select PRT055 bad.onnx
rm -r .opshift.yaml own.yaml away known.link dangling "$outside"
mkdir profiles
printf 'description: stolen\n' >stolen.yaml
printf 'targets: [../stolen]\n' >.opshift.yaml
lint 2 "a profile that is a path" --target-rules profiles bad.onnx
like "there is no target profile '../stolen'" "$out" "is none"
rm -r profiles stolen.yaml
mistake '- select\n' "1:1: expected a map with keys like select, found a list" "no map"
mistake 'select: !!str PRT\n' "1:9: tags (!) are not allowed; leave it out" "a tag"
rm .opshift.yaml

# the baseline
lint 2 "no baseline is named" --update-baseline bad.onnx
is "opshift: lint: option '--update-baseline': there is no baseline; add --baseline FILE" "$out" "the way out"
lint 4 "a baseline that is not there" --baseline known.json bad.onnx
lint 0 "--update-baseline" --baseline known.json --update-baseline bad.onnx sub/bad.onnx
is 4 "$(grep -c fingerprint known.json)" "a line a finding"
lint 0 "--baseline" --baseline known.json bad.onnx sub/bad.onnx
is "" "$(ids)" "what is known is not printed"
# A name's length must not matter: names of 1 to 40 letters are recorded as they are.
mkdir names
for length in $(seq 1 40); do
    name=$(printf "%${length}s" | tr ' ' n)
    cp bad.onnx "names/$name"
done
lint 0 "names of each length" --no-config --baseline names.json --update-baseline names/n*
is "40" "$(sed -n 's/.*"file":"names\/\(n*\)","id":"PRT055".*/\1/p' names.json | sort -u | wc -l)" "names of each length are recorded as they are"
lint 0 "the same by another name" --baseline known.json ./sub/../bad.onnx "$work/bad.onnx"
sed 's/y = Neg (x)/t = Abs (x) y = Neg (t)/; s/"my" : 1/"your" : 1, "my" : 1/' bad.txt >changed.txt
"$opshift" assemble changed.txt -o bad.onnx
lint 0 "other nodes came" --baseline known.json bad.onnx
sed 's/{ y = Neg (x) }/<float[2] w = {1, 2}> { y = Neg (x) }/; s/: 13,/: 0,/' bad.txt >changed.txt
"$opshift" assemble changed.txt -o bad.onnx
lint 1 "another fault" --baseline known.json bad.onnx
like PRT046 "$(ids)" "it is found"
cp good.onnx bad.onnx
lint 0 "a fault was fixed" --baseline known.json bad.onnx
is "CFG004 CFG004 " "$(ids)" "entries that match nothing are reported"
like "note: the baseline has PRT045 at model: 'opset 2 of my is imported" "$out" "with what they were for"
lint 0 "only what is asked for is stale" --baseline known.json --select PRT055,CFG bad.onnx
is "CFG004 " "$(ids)" "an entry of an id that is not looked for is not"
lint 0 "updated again" --baseline known.json --update-baseline bad.onnx
is 2 "$(grep -c sub/bad.onnx known.json)" "files that were not looked at keep their entries"
is 2 "$(grep -c fingerprint known.json)" "fixed ones go"
rm sub/bad.onnx
lint 0 "updated once more" --baseline known.json --update-baseline bad.onnx
is 0 "$(grep -c fingerprint known.json)" "files that are gone lose theirs"
# a name that is not UTF-8, or has control characters: JSON needs it escaped
odd=$(printf 'caf\351\033.onnx')
"$opshift" assemble bad.txt -o "$odd"
lint 0 "--update-baseline, a name that is no UTF-8" --baseline known.json --update-baseline "$odd"
is 2 "$(grep -c '"caf\\\\xe9\\\\x1b.onnx"' known.json)" "it is shown"
lint 0 "--baseline, a name that is no UTF-8" --baseline known.json "$odd"
is "" "$(ids)" "what is known of it is not printed"
lint 0 "updated for another file" --baseline known.json --update-baseline good.onnx
is 2 "$(grep -c '"caf\\\\xe9' known.json)" "its entries are kept"
rm "$odd"
lint 0 "updated after it went" --baseline known.json --update-baseline good.onnx
is 0 "$(grep -c fingerprint known.json)" "they go with it"
printf 'baseline: known.json\n' >.opshift.yaml
lint 0 "the file names it" --update-baseline bad.onnx
rm .opshift.yaml
for text in '{' '[]' '{"version": 9, "findings": []}' '{"version": 1, "findings": [{}]}'; do
    printf '%s' "$text" >known.json
    lint 2 "a baseline that is $text" --baseline known.json good.onnx
    like "known.json.*--update-baseline" "$out" "a baseline that is $text: the way out"
done

# a baseline written by another program, and expensive ones
rm known.json
printf '<ir_version: 8, opset_import: ["" : 13]>\ng (float[2] x, float[2] u) => (float[2] y) { v = Neg (u) y = Neg (x) }' >faulty.txt
"$opshift" assemble faulty.txt -o faulty.onnx
lint 0 "the baseline of before" --baseline known.json --update-baseline faulty.onnx
perl -MJSON::PP -e 'local $/; print JSON::PP->new->utf8->pretty->encode(decode_json(<STDIN>))' <known.json >pretty.json
lint 0 "a baseline written otherwise" --baseline pretty.json faulty.onnx
is "" "$(ids)" "which knows the findings"
printf '{"findings": [ ] , "version": 1}' >empty.json
lint 0 "one without an entry" --baseline empty.json faulty.onnx
like "GRF" "$(ids)" "knows none"
perl -e 'print "{\"version\": 1, \"findings\": [", join(",", ("{}") x 300000), "]}"' >many.json
# Sanitizers use memory of their own.
room=60000
grep -q 'fsanitize' "$builddir/Makefile" && room=unlimited
(ulimit -v $room 2>/dev/null; exec "$opshift" lint --baseline many.json bad.onnx) >.out 2>&1
is "opshift: many.json: entry 0 of findings has no text 'file'; write the baseline anew with --update-baseline" \
    "$(cat .out)" "300,000 entries take no memory"
perl -e 'print "{\"version\": 1, \"findings\": [], \"more\": [", join(",", ("{}") x 300000), "]}"' >many.json
lint 2 "values beside the entries" --baseline many.json bad.onnx
is "opshift: many.json: no baseline: what begins at byte 0 is longer than an entry may be; write it anew with \
--update-baseline" "$out" "are no baseline's"
printf '{"version": 1, "findings": [{"file": "a"},]}' >many.json
lint 2 "a comma too many" --baseline many.json bad.onnx
rm -f known.json pretty.json empty.json many.json .opshift.yaml

# the model itself
# suppress MODEL TEXT: model.onnx is MODEL.txt with TEXT as its metadata_props opshift.ignore (field 14).
suppress() {
    "$opshift" assemble "$1.txt" -o model.onnx
    printf "\\162\\$(printf %03o $((${#2} + 18)))\\012\\016opshift.ignore\\022\\$(printf %03o ${#2})%s" "$2" >>model.onnx
}
suppress bad 'PRT045: both are the same'
lint 0 "a suppression" model.onnx
is "PRT055 " "$(ids)" "what it names is not printed"
suppress bad 'PRT045: both are the same; negative-dim-in-type: an old exporter'
lint 0 "two suppressions" model.onnx
is "" "$(ids)" "with ; between them"
like "0 errors, 0 warnings, 0 notes; not counted: 0 known, 2 suppressed" "$out" "they are counted"
suppress bad 'PRT045'
lint 1 "no reason" model.onnx
is "CFG001 PRT045 PRT055 " "$(ids)" "no reason: it has no effect"
like "opshift.ignore: no reason is given for PRT045; write 'PRT045: reason'" "$out" "no reason: message"
"$opshift" assemble bad.txt -o model.onnx
printf '\162\044\012\007opshift\022\031PRT045: both are the same' >>model.onnx
lint 1 "an entry of another key" model.onnx
is "PRT045 PRT055 " "$(ids)" "an entry of another key: it suppresses nothing"
# A function with a value that has the entry.
"$opshift" assemble bad.txt -o model.onnx
perl -e 'sub part { my ($tag, $bytes) = @_; return $tag . chr(length $bytes) . $bytes }
    my $entry = part("\x0a", "opshift.ignore") . part("\x12", "PRT055: an old exporter");
    print part("\xca\x01", part("\x0a", "F") . part("\x52", "f") . part("\x62", part("\x0a", "v") . part("\x22", $entry)))' >>model.onnx
lint 1 "an entry of a value" model.onnx
is "" "$(ids | grep -o 'CFG[0-9]*')" "an entry of a value: it suppresses nothing in the graph, and is not missed there"
suppress bad 'PRT945: why'
lint 1 "an unknown id in the model" model.onnx
is "CFG002 PRT045 PRT055 " "$(ids)" "an unknown id: a finding"
suppress good 'PRT045: both are the same'
lint 0 "a suppression of nothing" model.onnx
is "CFG003 " "$(ids)" "it is reported"
like "opshift.ignore: PRT045 is not found here any more; take 'PRT045: both are the same' out" "$out" "with its words"
lint 0 "a suppression of what is not looked for" --ignore PRT model.onnx
is "" "$(ids)" "it is not"

done_testing
