#!/bin/sh
# convert --ir-version: one field changes, or what needs a newer version is named.
. "${srcdir:-.}/tests/cli/tap.sh"

# model NAME IR OPSET: assembles standard input, below its header.
model() {
    { printf '<ir_version: %s, opset_import: ["" : %s, "d" : 1]>\n' "$2" "$3"; cat; } >"$1.txt"
    run assemble "$1.txt" -o "$1.onnx"
    is 0 "$status" "$1 is made"
}
# refused NAME VERSION WORDS [OPTION]...
refused() {
    name=$1 version=$2 words=$3
    shift 3
    rm -f out.onnx
    run convert "$name.onnx" --ir-version "$version" -o out.onnx "$@"
    is 1 "$status" "$name: IR version $version is refused"
    is "opshift: $name.onnx: IR version $version is not enough: $words" "$err" "$name: $version: and what needs more is named"
    ok "$([ ! -e out.onnx ]; echo $?)" "$name: $version: nothing is written"
}

model plain 8 13 <<'EOF'
g (float[2] x) => (float[2] y) <float[2] w = {1.0, 2.0}> { y = Add (x, w) }
EOF
run convert plain.onnx --ir-version 10 -o raised.onnx --verify
is 0 "$status" "an IR version alone"
like "^plain.onnx: IR version 8 to 10: nothing else changes$" "$out" "and the report has nothing else"
is 1 "$(cmp -l plain.onnx raised.onnx | wc -l | tr -d ' ')" "one byte differs"
run convert raised.onnx --ir-version 8 -o lowered.onnx
cmp plain.onnx lowered.onnx
ok $? "and back gives the same bytes"
run convert plain.onnx --ir-version 8 -o same.onnx
is "plain.onnx: is of IR version 8 already: nothing to do" "$out" "the version that it has"
cmp plain.onnx same.onnx
ok $? "gives the same bytes"
run convert plain.onnx --ir-version match -o match.onnx
is "plain.onnx: IR version 8 to 7: nothing else changes" "$out" "match: the version of the release of its opset"
run convert plain.onnx --ir-version 4 -o out.onnx
is "note: opset 13 came with IR version 7 (ONNX 1.8.0): a runtime that takes no IR version above 4 may not take this opset
plain.onnx: IR version 8 to 4: nothing else changes" "$out" "an IR version older than the opset is noted"
run convert plain.onnx --ir-version 4 -o out.onnx -f json
like '"ir_version_note": "opset 13 came with IR version 7' "$out" "in JSON, too"
for version in 2 15; do
    run convert plain.onnx --ir-version $version -o out.onnx
    is "2 opshift: plain.onnx: IR version $version is not known; give one of 3 to 14, or match" "$status $err" "IR version $version"
done

# A Split that is not valid is no obstacle: nothing else is looked at.
model invalid 8 13 <<'EOF'
g (float[5] x) => (float[2] y, float[3] z) { y, z = Split (x) }
EOF
run convert invalid.onnx --ir-version 7 -o out.onnx
is 0 "$status" "a Split with an error"
model future 8 99 <<'EOF'
g (float[2] x) => (float[2] y) { y = Neg (x) }
EOF
run convert future.onnx --ir-version 9 -o out.onnx
is "future.onnx: IR version 8 to 9: nothing else changes" "$out" "an opset that is not known"
run convert future.onnx --ir-version match -o out.onnx
is "1 opshift: future.onnx: opset 99 is of no known release of ONNX; give the IR version as a number" "$status $err" "which no release has"

run convert plain.onnx --ir-version 3 -o three.onnx --verify
is 0 "$status" "below IR version 4 an initializer"
like "^note: 1 initializer becomes an input, too, as IR version 3 requires; opset 13 came with IR version 7" "$out" "becomes an input, too, with a note"
like "no difference" "$out" "and verify finds no difference"
run show --text three.onnx
like "(float\\[2\\] x, float\\[2\\] w = {1.0, 2.0}) => (float\\[2\\] y)" "$out" "of its type"
run lint three.onnx
is 0 "$(printf "%s\n" "$out" | grep -c "GRF035")" "as lint wants it"
model input 8 13 <<'EOF'
g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1.0, 2.0}> { y = Add (x, w) }
EOF
refused input 3 "initializer 'w' is an input, too: callers may give another value, which needs IR version 4; add --freeze-initializers if they do not"
run convert input.onnx --ir-version 3 -o out.onnx --freeze-initializers
is 0 "$status" "--freeze-initializers: they do not"
model bfloat16 8 13 <<'EOF'
g (bfloat16[2] x) => (bfloat16[2] y) { y = Identity (x) }
EOF
refused bfloat16 3 "value 'x': the element type bfloat16 needs IR version 4; the least for this model is 4"
model function 8 13 <<'EOF'
g (float[2] x) => (float[2] y) { y = d.F (x) }
<domain: "d", opset_import: ["" : 13]> F (a) => (b) { b = Neg (a) }
EOF
refused function 7 "ModelProto.functions 'F' needs IR version 8; the least for this model is 8"
model optional 8 16 <<'EOF'
g (float[2] x) => (optional(float[2]) y) { y = Optional (x) }
EOF
refused optional 7 "value 'y': TypeProto.optional_type needs IR version 8; the least for this model is 8"
model cast 10 21 <<'EOF'
g (float[2] x) => (float[2] y) { [to4] q = Cast <to = 22> (x) y = Cast <to = 1> (q) }
EOF
refused cast 9 "node 'to4' (Cast): attribute 'to': the element type int4 needs IR version 10; the least for this model is 10"
model newest 13 25 <<'EOF'
g (float8e4m3fn[2] x, float[2] z) => (float8e4m3fn[2] y, float4e2m1[2] p, uint2[2] q)
{ y = Identity (x) p = Cast <to = 23> (z) q = Cast <to = 25> (z) }
EOF
refused newest 8 "value 'x': the element type float8e4m3fn needs IR version 9; the least for this model is 13"
refused newest 12 "value 'q': the element type uint2 needs IR version 13; the least for this model is 13"
model body 10 16 <<'EOF'
g (float[2] x, bool c) => (float[2] y)
{
  [if] y = If (c) <then_branch = t () => (float[2] p) { p = Neg (x) }, else_branch = e () => (float8e5m2[2] q) { q = Cast <to = 19> (x) }>
}
EOF
refused body 8 "node 'if' (If): else_branch: value 'q': the element type float8e5m2 needs IR version 9; the least for this model is 9"

# With --opset the same holds.
run convert newest.onnx --opset 26 --ir-version 8 -o out.onnx
is 1 "$status" "with --opset, too"
run convert plain.onnx --opset 18 --ir-version 9 -o out.onnx
like "^plain.onnx: opset 13 to 18, IR version 8 to 9: " "$out" "both"
run show out.onnx
like "^IR version *9$" "$out" "the version that was asked for comes out"
run convert plain.onnx --opset 27 --ir-version match -o out.onnx
like "^plain.onnx: opset 13 to 27, IR version 8 to 13: " "$out" "match: the version of the release of the target's opset"
done_testing
