#!/bin/sh
# Functions that no graph calls: lint names and removes them, and they are in no conversion's way.
. "${srcdir:-.}/tests/cli/tap.sh"

main='<ir_version: 8, opset_import: ["" : 18, "p" : 1]>
g (float[2, 6] x) => (float[2, 3] y) { a, b = p.Halves (x) y = Add (a, b) }
<domain: "p", opset_import: ["" : 18]>
Halves (x) => (a, b) { a, b = Split <axis = 1, num_outputs = 2> (x) }
'
# No opset below 18 has these: of a type that is not known, and with an attribute that the standard does not have.
printf '%s<domain: "p", opset_import: ["" : 18, "p" : 1]>\nOuter (x) => (y) { y = p.Inner (x) }\n<domain: "p", opset_import: ["" : 18]>\nInner (x) => (y) { y = Split <num_outputs = 2, bogus = 1> (x) }\n' "$main" | assemble unused
run lint unused.onnx
like "^unused.onnx: function 'Outer': note: no graph calls the function; remove it \\[GRF044 unused-function\\]" "$out" "lint names a function that no graph calls"
like "function 'Inner': note: no graph calls the function" "$out" "also one that only such a one calls"
is 0 "$(printf "%s\n" "$out" | grep -c "function .Halves.*GRF044")" "not one that is called"

run convert unused.onnx --opset 13 -o out.onnx --verify
is 0 "$status" "convert: such a function is in nobody's way"
like "^assumed: function 'Inner': node 0 (Split): functions that no graph calls are removed, as this node cannot be converted: " "$out$err" "functions that no graph calls are removed, with the reason"
like "no difference" "$out" "and verify agrees"
run show --text out.onnx
is "2 1 0" "$(printf '%s\n' "$out" | grep -c 'opset_import.*"" : 13') $(printf '%s\n' "$out" | grep -c '^Halves') $(printf '%s\n' "$out" | grep -c 'Outer\|Inner')" \
    "the model and the function that is called are converted"
run lint out.onnx
like "0 errors, 0 warnings, 0 notes" "$out" "lint finds nothing in the result"
run verify unused.onnx out.onnx
is 0 "$status" "verify on its own says so, too"
run convert unused.onnx --opset 13 -o strict.onnx --strict
is 1 "$status" "with --strict it is in the way"

run lint --fix -o fixed.onnx unused.onnx
like "0 errors, 0 warnings, 0 notes; 2 fixed" "$out" "lint --fix removes both"
run show --text fixed.onnx
is "0 1" "$(printf '%s\n' "$out" | grep -c 'Outer\|Inner') $(printf '%s\n' "$out" | grep -c '^Halves')" "and nothing else"
run convert fixed.onnx --opset 13 -o strict.onnx --strict --verify
is 0 "$status" "what is left converts"

# Beside a function that is written once for each case.
cat <<'MODEL' | assemble cases
<ir_version: 8, opset_import: ["" : 18, "p" : 1]>
g (float[2] x, double[2] z, float lo) => (float[2] y, double[2] w) { y = p.C (x, lo) w = p.C (z) }
<domain: "p", opset_import: ["" : 18]>
Inner (x) => (y) { y = Split <num_outputs = 2, bogus = 1> (x) }
<domain: "p", opset_import: ["" : 18]>
C (x, lo) => (y) { y = Clip (x, lo) }
MODEL
run convert cases.onnx --opset 10 -o out.onnx --verify
is 0 "$status" "functions that no graph calls are removed beside one that is written for each case"
run show --text out.onnx
is "2 0" "$(printf '%s\n' "$out" | grep -c '^C') $(printf '%s\n' "$out" | grep -c '^Inner')" "which is there twice"
run verify cases.onnx out.onnx
is 0 "$status" "and verify finds its plan"

# A function that calls itself blocks all, called or not.
printf '%s<domain: "p", opset_import: ["" : 18, "p" : 1]>\nLoop (x) => (y) { y = p.Loop (x) }\n' "$main" | assemble circle
run lint --fix -o fixed.onnx circle.onnx
run convert fixed.onnx --opset 13 -o out.onnx --verify
is 0 "$status" "nor is one that calls itself, once it is removed"

done_testing
