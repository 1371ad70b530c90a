#!/bin/sh
# The certificate: valid for its schema, repeatable, and readable as a page.
. "${srcdir:-.}/tests/cli/tap.sh"

schema() {
    perl "$tests/cli/schema.pl" "$srcdir/docs/certificate.schema.json" "$@" >faults
    ok $? "$what: it is what the schema says"
    sed 's/^/# /' faults
}

"$opshift" assemble "$tests/models/sample.txt" -o a.onnx
"$opshift" convert a.onnx --opset 18 -o b.onnx --verify --engine builtin --report convert.json >/dev/null
what="convert --verify"
schema convert.json verify

run verify a.onnx b.onnx --seed 7 --report c.json
is 0 "$status" "verify --report: exit status 0"
what="verify"
schema c.json
perl -MJSON::PP -e 'local $/; open my $f, "<", "c.json"; my $c = decode_json(<$f>); my ($p) = @{$c->{pieces}};
    exit(!($c->{before}{sha256} eq $ARGV[0] && $c->{seed} eq "7" && $p->{node} eq "node \x27halves\x27 (Split)"
    && $p->{rules} =~ m{rules/opset-13/split.yaml} && $p->{nodes}{before}[0]{operator} eq "Split"
    && $p->{nodes}{after}[0]{outputs}[0] eq $p->{nodes}{before}[0]{outputs}[0]))' "$(sha256sum a.onnx | cut -d' ' -f1)"
ok $? "it has the file's hash, the seed, the node's rules and nodes"
perl -MJSON::PP -e 'local $/; open my $f, "<", "c.json"; my $c = decode_json(<$f>); $c->{pieces}[0]{verdict} = "sure";
    open my $g, ">", "wrong.json"; print $g encode_json($c)'
perl "$tests/cli/schema.pl" "$srcdir/docs/certificate.schema.json" wrong.json >faults
is "certificate.pieces[0].verdict: is 'sure', none of proved, tested, by rule, assumed, differs, not shown, rounding" "$(cat faults)" \
    "the schema refuses a verdict that is none"

run verify a.onnx b.onnx --replay c.json
is 0 "$status" "verify --replay: exit status 0"
is "the certificate holds: 4 verdicts" "$out" "it says so"
run verify a.onnx b.onnx --replay convert.json
is 0 "$status" "also the one that convert wrote, with its engine"

# A certificate with unknown members, and a changed file.
sed 's/"verdict": "proved"/"verdict": "tested"/' c.json >claims.json
run verify a.onnx b.onnx --replay claims.json
is 1 "$status" "another verdict: exit status 1"
like "^node 'halves' (Split): was tested, is proved$" "$out" "it is named"
is "opshift: the certificate does not hold in 4 places; the report shows where" "$err" "the message"
"$opshift" convert a.onnx --opset 13 -o other.onnx >/dev/null
run verify a.onnx other.onnx --replay c.json
is 1 "$status" "another file: exit status 1"
like "^file after: was $(sha256sum b.onnx | cut -d' ' -f1), is $(sha256sum other.onnx | cut -d' ' -f1)$" "$out" "with both hashes"

printf '{"kind": "show"}' >no.json
fails 3 "no.json: it is JSON, but no certificate: write one with verify --report FILE" "another report" \
    verify a.onnx b.onnx --replay no.json
printf 'nothing' >no.json
run verify a.onnx b.onnx --replay no.json
is 3 "$status" "no JSON at all: exit status 3"
fails 2 "verify: options '--replay' and '--report' exclude each other: one reads a certificate, the other writes one; leave one of them out" \
    "both at once" verify a.onnx b.onnx --replay c.json --report d.json

# An engine with foreign code is chosen by the caller, not by the certificate.
run verify a.onnx b.onnx --engine builtin --report builtin.json
is 0 "$status" "a certificate of the built-in engine"
run verify a.onnx b.onnx --replay builtin.json
is 0 "$status" "which is replayed without --engine"
sed 's/"engine": "builtin"/"engine": "onnxruntime"/' builtin.json >foreign.json
fails 2 "foreign.json: the models were run by engine 'onnxruntime', which a certificate cannot choose; add --engine onnxruntime" \
    "a certificate that chooses an engine" verify a.onnx b.onnx --replay foreign.json
OPSHIFT_ORT=$work/none.so
export OPSHIFT_ORT
fails 2 "foreign.json: the models were run by engine 'onnxruntime', which a certificate cannot choose; add --engine onnxruntime" \
    "with a library at hand" verify a.onnx b.onnx --replay foreign.json --engine builtin
unset OPSHIFT_ORT

# External data: each file once.
perl -e '
    sub field { my ($n, $b) = @_; return chr($n << 3 | 2) . chr(length $b) . $b }
    sub entry { return field(13, field(1, $_[0]) . field(2, $_[1])) }
    my $t = "\x08\x04\x10\x02" . field(8, "w") . entry("location", "w.bin") . "\x70\x01";
    open my $f, ">", "out.onnx" or die; binmode $f;
    print $f "\x08\x08" . field(7, field(5, $t)) . field(8, "\x10\x0d");
    open $f, ">", "w.bin" or die; print $f "\1\2\3\4";'
run verify out.onnx out.onnx --report e.json
what="external data"
schema e.json
like "\"sha256\": \"$(sha256sum w.bin | cut -d' ' -f1)\"" "$(cat e.json)" "the hash of the file with the weights"
run verify out.onnx out.onnx --replay e.json
is 0 "$status" "it holds"
printf '\1\2\3\5' >w.bin
run verify out.onnx out.onnx --replay e.json
is 1 "$status" "after the weights changed it does not"
like "^external data 'w.bin' before: was " "$out" "and says which file"

# As a page.
run verify a.onnx b.onnx --report page.html
is 0 "$status" "a page: exit status 0"
like '<svg viewBox=' "$(cat page.html)" "the pieces are drawn"
is 8 "$(grep -o '<svg ' page.html | wc -l)" "each before and after"
! grep -qE '<script|src=|href=|url\(' page.html
ok $? "it needs nothing from elsewhere"
if command -v xmllint >/dev/null; then
    xmllint --html --noout page.html 2>lint || :
    is "" "$(grep -v 'Tag \(section\|figure\|figcaption\|svg\|path\|g\|rect\|text\) invalid' lint | grep error)" "it is well-formed"
fi

cat >hostile.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 11] >
g (float[N,6] x) => (float[N,K] "</svg><script>alert(1)</script>", float[N,L] b) {
  ["<img src=x onerror=alert(1)>"] "</svg><script>alert(1)</script>", b = Split <axis = 1, split = [2, 4]> (x) }
MODEL
"$opshift" assemble hostile.txt -o hostile.onnx
"$opshift" convert hostile.onnx --opset 13 -o hostile13.onnx --verify --report hostile.html >/dev/null
! grep -qE '<script|<img' hostile.html
ok $? "names that mean harm are text"
grep -q '&lt;img src=x onerror=alert(1)&gt;' hostile.html
ok $? "and shown"
cat >kinds.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 18]>
g (float[2, 4] x, float[4] w) => (y, z, v) { y = LayerNormalization (x, w) z = Trilu (x) v = Mish (x) }
MODEL
run assemble kinds.txt -o kinds.onnx
run convert kinds.onnx --opset 13 -o kinds13.onnx --verify --report kinds.html
like '^kinds.onnx: opset 18 to 13: 3 nodes rewritten (3 replaced: 1 exact, 2 definition)' "$out" "the last line counts the replaced nodes by kind"
is 2 "$(grep -o '<span class="kind definition">replaced: definition</span>' kinds.html | wc -l)" "the page marks each by its kind"
like 'Replaced by other operators</th><td>1 <span class="kind exact">exact</span>, 2 <span class="kind definition">definition</span>' "$(cat kinds.html)" "and counts them"
run convert kinds.onnx --opset 13 -n -f json
like '"definition": 2,\{0,1\}$' "$out" "so does the report"
fails 2 "convert: option '--report' names a page, 'p.html', which needs --verify; add it" \
    "a page without verification" convert a.onnx --opset 13 -o c.onnx --report p.html

done_testing
