#!/bin/sh
# Commands over many models: the same tree, the same bytes as one by one, and a table at the end.
. "${srcdir:-.}/tests/cli/tap.sh"

assemble net <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[4, 6] x, int64[2] lengths) => (float[M, 6] a, float[N, 6] b) { a, b = Split<axis = 0>(x, lengths) }
MODEL
assemble refused <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (bfloat16[4, 6] x) => (bfloat16[4, 6] y) { y = Relu(x) }
MODEL
assemble relu <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[N] x) => (float[N] y) { y = Relu(x) }
MODEL
newline=$(printf 'a\nb.')
newline=${newline%.}
mkdir -p "models/with blank/deep" models/.hidden "models/$newline"
cp net.onnx models/a.onnx
cp relu.onnx "models/with blank/deep/b c.onnx"
cp relu.onnx "models/$newline/x.onnx"
cp relu.onnx models/.hidden/no.onnx
ln -s ../net.onnx models/link.onnx
ln -s . models/loop
echo text >models/none.txt

# ---- the same tree ----
run convert -r models --opset 18 -o out/
is 0 "$status" "convert -r: exit status 0"
is "done       4
refused    0
malformed  0
failed     0" "$out" "a table follows"
is "" "$err" "and nothing else"
is "$(cd models && find . -name '*.onnx' ! -path '*hidden*' | LC_ALL=C sort)" "$(cd out && find . -type f | LC_ALL=C sort)" \
    "the same tree is written"
for model in a.onnx "with blank/deep/b c.onnx" "$newline/x.onnx" link.onnx; do
    "$opshift" convert "models/$model" --opset 18 -o one.onnx >/dev/null
    cmp -s one.onnx "out/$model"
    ok $? "$(printf %s "$model" | tr '\n' '_'): the bytes are those of one model alone"
done
run convert -r models --opset 18 -o out1/ -j1
diff -r out out1 >/dev/null
ok $? "one job in this process writes the same"
run convert -r models --opset 18 -o out1/ --isolate -j1
diff -r out out1 >/dev/null
ok $? "one job in a process of its own, too"
is "done       4" "$(printf '%s\n' "$out" | head -n 1)" "over what is there"

# ---- refusals ----
cp refused.onnx models/r1.onnx
cp refused.onnx "models/with blank/r2.onnx"
echo garbage >models/broken.onnx
run convert -r models --opset 11 -o down/ -j2
is 3 "$status" "the gravest status counts"
like "^2 models: Relu at opset 1[12]: .* (first: r1.onnx)$" "$out" "refusals are grouped over all models"
is "refused    2" "$(printf '%s\n' "$out" | grep '^refused')" "and counted"
is "malformed  1" "$(printf '%s\n' "$out" | grep '^malformed')" "so is what is no model"
like "^opshift: models/broken.onnx: " "$err" "which is named"
[ ! -e down/r1.onnx ] && [ ! -e down/broken.onnx ]
ok $? "nothing is written for them"
rm models/r1.onnx "models/with blank/r2.onnx" models/broken.onnx

assemble unknown <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[4] x) => (float[4] z) { y = Det2(x) z = Det2(y) }
MODEL
mkdir whole
cp unknown.onnx whole/a.onnx
cp unknown.onnx whole/b.onnx
run export -r whole --to openvino -o refused/
is 1 "$status" "export of what has no counterpart: exit status 1"
like "^2 models: opshift has no counterpart of Det2 in OpenVINO's IR; .* (first: a.onnx)$" "$out" "its refusals are grouped, too"
is "" "$err" "and not told again"

# ---- files, lists, roots ----
run convert models/a.onnx "models/with blank/deep/b c.onnx" --opset 18 -o flat/
is "./a.onnx ./b c.onnx" "$(cd flat && find . -type f | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//')" \
    "files that are named go into the directory"
find models -name '*.onnx' ! -path '*hidden*' -print0 >list
run convert --files0-from list --opset 18 -o listed/
is "$(cd out && find . -type f | LC_ALL=C sort)" "$(cd listed/models && find . -type f | LC_ALL=C sort)" \
    "listed ones keep their paths"
run convert --files0-from list --root models --opset 18 -o rooted/
diff -r out rooted >/dev/null
ok $? "with --root they are relative to it"
run convert net.onnx --opset 18 -o single/
is net.onnx "$(ls single)" "one model goes into a directory, too"
mkdir -p other
cp relu.onnx other/a.onnx
fails 2 "models/a.onnx and other/a.onnx: two models have the name 'a.onnx'; give --root DIRECTORY, a directory that holds both" \
    "two of one name" convert models/a.onnx other/a.onnx --opset 18 -o clash/
[ ! -e clash ]
ok $? "nothing is written then"
fails 2 "convert: of many models '--output' is a directory; write -o two.onnx/" "an output that is no directory" \
    convert net.onnx relu.onnx --opset 18 -o two.onnx
mkdir linked
ln -s b.onnx linked/a.onnx
echo >linked/b.onnx
mkdir pair
cp net.onnx pair/a.onnx
cp relu.onnx pair/b.onnx
fails 2 "pair/a.onnx and pair/b.onnx: both would be written to one file, linked/a.onnx and linked/b.onnx; nothing is written" \
    "two outputs that are one file" convert -r pair --opset 18 -o linked/
rm linked/*
ln -s ../pair/b.onnx linked/a.onnx
fails 2 "pair/a.onnx: would be written to linked/a.onnx, which is another of the models, pair/b.onnx; nothing is written; name a directory outside of theirs" \
    "an output that is another model" convert -r pair --opset 18 -o linked/
fails 2 "convert: option '--report' is for one model; leave it out" "a report" \
    convert -r pair --opset 18 -o out2/ --report report.json
fails 2 "convert: models is a directory; add -r to convert the models in it" "a directory without -r" \
    convert models net.onnx --opset 18 -o out2/
fails 2 "convert: models is a directory; add -r to convert the models in it" "one directory without -r" \
    convert models --opset 18 -o out2
mkdir empty
fails 2 "convert: empty: no models found; models are files called *.onnx, any other file counts when it is named" \
    "no models" convert -r empty --opset 18 -o out2/
fails 2 "convert: option '--opset' is missing; write --opset N, with N from 1 to 28" "a missing option, told once" \
    convert -r models -o out2/
run convert -r pair --opset 18 -o pair/
cmp -s pair/a.onnx out/a.onnx
ok $? "a tree can be converted in place"

# ---- external data ----
if /usr/bin/python3 -c 'import onnx' 2>/dev/null; then
    mkdir -p data/one data/two
    /usr/bin/python3 - <<'PYTHON'
import numpy, onnx, onnx.numpy_helper, onnx.helper as h
for name, value in ("one", 1), ("two", 2):
    tensor = onnx.numpy_helper.from_array(numpy.full(64, value, "float32"), "w")
    graph = h.make_graph([h.make_node("Add", ["x", "w"], ["y"])], "g", [h.make_tensor_value_info("x", 1, [64])],
                         [h.make_tensor_value_info("y", 1, [64])], [tensor])
    model = h.make_model(graph, opset_imports=[h.make_opsetid("", 13)], ir_version=8)
    onnx.save_model(model, f"data/{name}/m.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
PYTHON
    run convert -r data --opset 18 -o data18/
    is 0 "$status" "external data: exit status 0"
    cmp -s data/one/w.bin data18/one/w.bin && cmp -s data/two/w.bin data18/two/w.bin
    ok $? "the files stand beside their models"
else
    skip "external data" "the Python package onnx is not here"
fi

# ---- the other commands ----
run infer -r models -o typed/
is 0 "$status" "infer -r: exit status 0"
is "$(cd out && find . -type f | LC_ALL=C sort)" "$(cd typed && find . -type f | LC_ALL=C sort)" "infer writes the same tree"
run edit -r models -o edited/ --unique-names
is 0 "$status" "edit -r: exit status 0"
is "$(cd out && find . -type f | LC_ALL=C sort)" "$(cd edited && find . -type f | LC_ALL=C sort)" "edit writes the same tree"
run show net.onnx relu.onnx -f json
is 0 "$status" "show of two: exit status 0"
is 2 "$(printf '%s' "$out" | perl -MJSON::PP -0777 -ne 'print scalar @{decode_json $_}')" "as one array of JSON"
run verify models out
is 0 "$status" "verify of two directories: exit status 0"
like "^done       4" "$out" "all pairs are the same"
cp net.onnx out/more.onnx
cp net.onnx models/alone.onnx
run verify -r models out
is 1 "$status" "a model without a counterpart: exit status 1"
like "^opshift: models/alone.onnx: has no counterpart: there is no out/alone.onnx$" "$err" "it is named"
like "^opshift: out/more.onnx: has no counterpart: there is no models/more.onnx$" "$err" "on either side"
rm models/alone.onnx out/more.onnx
run run -r "models/with blank" --random --shape N=3 -o ran/
is 0 "$status" "run -r: exit status 0"
is "ran/deep/b c/y.npy" "$(find ran -type f)" "each model's outputs are in a directory of its name"
run run relu.onnx "models/$newline/x.onnx" --random --shape N=2
is 0 "$status" "run of two: exit status 0"
is 2 "$(printf '%s\n' "$out" | grep -c '^y ')" "their outputs are printed"
run export -r models --to openvino -o xml/
is 0 "$status" "export -r: exit status 0"
is "$(cd out && find . -name '*.onnx' | sed 's/onnx$/xml/' | LC_ALL=C sort)" "$(cd xml && find . -name '*.xml' | LC_ALL=C sort)" \
    "with the endings of the dialect"

# ---- outputs below what is searched ----
mkdir -p inside/a
cp net.onnx inside/
cp relu.onnx inside/a/
(
    cd inside || exit
    for turn in first second; do
        "$opshift" convert -r . --opset 18 -o out/ --journal ../inside.jsonl >../said 2>&1
        echo "$turn $?"
    done
) >turns
is "first 0
second 0" "$(cat turns)" "outputs below the searched directory are not models of the next run"
like "^done       2$" "$(cat said)" "which has those of the first"
is "inside/out/a/relu.onnx
inside/out/net.onnx" "$(find inside/out -type f | LC_ALL=C sort)" "and writes nothing into them"
done_testing
