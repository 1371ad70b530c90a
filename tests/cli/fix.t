#!/bin/sh
# lint --fix and --diff: output, unchanged files, exit statuses.
. "${srcdir:-.}/tests/cli/tap.sh"

model() {
    printf '<ir_version: 8, opset_import: ["" : 18]>\n%s\n' "$2" >model.txt
    "$opshift" assemble model.txt -o "$1"
}
bad='g (float[9] x) => (float[] a, float[] b) <float[1] w = {1.0}> { a, b = Split <num_outputs = 2> (x) }'
good='g (float[9] x) => (float[] a, float[] b) <int64[2] a_split = {5, 4}> { a, b = Split (x, a_split) }'
model bad.onnx "$bad"
model good.onnx "$good"
cp bad.onnx net.onnx
chmod 640 net.onnx

# ---- --diff ----
run lint --diff net.onnx
is 1 "$status" "something would change: exit status 1"
is "--- net.onnx
+++ net.onnx
@@ node 0 (Split): SPL025 split-short-last: num_outputs = 2 does not divide 9: the parts are 5 long and the last one 4; write explicit lengths @@
-a, b = Split <num_outputs = 2> (x)
+a, b = Split (x, a_split)
+int64[2] a_split = {5, 4}
@@ GRF013 unused-initializer: initializer 'w' is not used; remove it @@
-float[1] w = {1.0}" "$out" "what would change, line by line"
cmp -s bad.onnx net.onnx
ok $? "nothing is written"
run lint --diff good.onnx
is "0 " "$status $out" "nothing would change: exit status 0, and silence"
run lint --diff net.onnx --ignore SPL,GRF
is "0 " "$status $out" "what is ignored is not fixed"
head -c 20 bad.onnx >cut.onnx
run lint --diff cut.onnx good.onnx
is 3 "$status" "a model that does not read: exit status 3"
like '^opshift: cut.onnx: ' "$err" "and why"

# ---- an attribute that became an input ----
model axes.onnx 'g (float[2, 3, 4] x) => (float[2, 1, 4] a, float[2, 1, 4] b) { [rm] a = ReduceMean <axes = [1], keepdims = 1> (x) [rs] b = ReduceSum <axes = [1]> (x) }'
run lint axes.onnx
is "axes.onnx: node 'rm' (ReduceMean): error: ReduceMean has 'axes' as input 1 from opset 18 on, not as an attribute, and opset 18 is imported; give it as that input [OPS007 unknown-attribute]
axes.onnx: node 'rs' (ReduceSum): error: ReduceSum has 'axes' as input 1 from opset 13 on, not as an attribute, and opset 18 is imported; give it as that input [OPS007 unknown-attribute]
1 file checked: 2 errors, 0 warnings, 0 notes" "$out" "axes as an attribute: an error for each node"
run infer axes.onnx -o shapes.onnx
like '; value infos: 0 added, 0 completed, 0 replaced, 2 kept$' "$out" "and the declared shapes stay"
run lint --fix axes.onnx
is "0 1 file checked: 0 errors, 0 warnings, 0 notes; 2 fixed" "$status $out" "fixed"
model wanted.onnx 'g (float[2, 3, 4] x) => (float[2, 1, 4] a, float[2, 1, 4] b) <int64[1] rm_axes = {1}, int64[1] rs_axes = {1}> { [rm] a = ReduceMean <keepdims = 1> (x, rm_axes) [rs] b = ReduceSum (x, rs_axes) }'
is "$("$opshift" show --text wanted.onnx)" "$("$opshift" show --text axes.onnx)" "axes are input 1"

# ---- --fix ----
run lint --fix net.onnx
is "0 1 file checked: 0 errors, 0 warnings, 0 notes; 2 fixed" "$status $out" "fixed"
is "-rw-r-----" "$(ls -l net.onnx | cut -c 1-10)" "permissions are kept"
is "$("$opshift" show --text good.onnx)" "$("$opshift" show --text net.onnx)" "it is what it is to be"
"$opshift" verify --nothing-else bad.onnx net.onnx 2>said | grep -q '^node 0 (Split)  proved'
ok $? "the Split computes the same"
is "" "$(ls -A | grep opshift)" "no temporary file is left"
cp -p net.onnx same.onnx
touch -d '2001-01-01' net.onnx
run lint --fix net.onnx
is "2001" "$(date -r net.onnx +%Y)" "where nothing changes nothing is written"
run lint --fix bad.onnx -o out.onnx
cmp -s out.onnx same.onnx
ok $? "-o: another file is written"
status=0
"$opshift" lint --fix - <bad.onnx >piped.onnx 2>said || status=$?
is "0 1 file checked: 0 errors, 0 warnings, 0 notes; 2 fixed" "$status $(cat said)" "standard input: what is found goes to standard error"
cmp -s piped.onnx same.onnx
ok $? "and the model to standard output"
cp bad.onnx one.onnx
run lint --fix cut.onnx one.onnx
is 3 "$status" "a model that does not read does not keep others from being fixed"
cmp -s one.onnx same.onnx
ok $? "they are"

# What stands in an input is an initializer, also where the model has no IR version.
printf '<opset_import: ["" : 18]>\ng (float[2, 3, 4] x) => (float[2, 1, 4] a) { a = ReduceMean <axes = [1]> (x) }\n' | assemble axes
run lint --fix axes.onnx -o out.onnx
like 'int64\[1\] a_axes = {1}' "$("$opshift" show --text out.onnx)" "axes become an initializer"

# ---- contradicting options ----
fails 2 "lint: options '--fix' and '--diff' exclude each other: one writes, the other only shows; leave one of them out" \
    "both" lint --fix --diff bad.onnx
fails 2 "lint: option '--output' needs --fix; add it" "-o alone" lint bad.onnx -o x
fails 2 "lint: option '--output' takes one model, and 2 are named; without it each model is fixed in place" \
    "-o for two" lint --fix bad.onnx good.onnx -o x
fails 2 "lint: options '--diff' and '--format' exclude each other: it prints no findings; leave one of them out" "--diff -f" lint --diff bad.onnx -f json
fails 2 "lint: option '--format': standard output is for the fixed model; write json=FILE" "--fix - -f json" \
    lint --fix - -f json
done_testing
