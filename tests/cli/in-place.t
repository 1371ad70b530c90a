#!/bin/sh
# A conversion that is written into the model itself, and models too large for an int or 32 bits.
. "${srcdir:-.}/tests/cli/tap.sh"

weights() {
    perl "$tests/cli/weights.pl" "$@"
}

# The bytes at both ends, and how many there are in all.
ends() {
    head -c 4096 "$1" | cksum
    tail -c 4096 "$1" | cksum
    wc -c <"$1"
}

if ! weights model.onnx 4000000 11 2>/dev/null; then
    skip_all "no files with holes can be made here"
fi
cp model.onnx was.onnx

# ---- where there is room ----
run convert model.onnx --opset 13 --in-place --dry-run
is 0 "$status" "a plan of what fits"
like "node 0" "$out" "names the nodes"
is "$(ends was.onnx)" "$(ends model.onnx)" "and changes nothing"
run convert model.onnx --opset 13 -o new.onnx
inode=$(ls -i model.onnx)
run convert model.onnx --opset 13 --in-place
is 0 "$status" "what fits is written into the model"
is "model.onnx: opset 11 to 13: 1 node rewritten, 1 constant added" "$out" "and told as ever"
is "$inode" "$(ls -i model.onnx)" "it is the same file"
is "" "$(ls -A | grep '\.opshift$')" "no other file is made"
run verify was.onnx model.onnx
is 0 "$status" "it does the same as before"
run diff new.onnx model.onnx
is "nodes
  + node 0 (Split): unknown field 19999: 1 of them, 2 bytes
new.onnx and model.onnx: they differ, 1 added" "$out" \
    "beside a new file it has filler and nothing else"
run lint model.onnx
is 0 "$status" "lint takes filler for what it is"
is "" "$(printf '%s\n' "$out" | grep PRT)" "and says nothing of it"
cp model.onnx before.onnx
run convert model.onnx --opset 18 --in-place --verify --sync
is 0 "$status" "what changes no size"
is "$(wc -c <before.onnx)" "$(wc -c <model.onnx)" "needs none"
run convert model.onnx --opset 18 --in-place
is 0 "$status" "what changes nothing"
run show model.onnx
like "ai.onnx 18" "$out" "is still what it was"

# One to three bytes are taken up by the length of a record.
for letters in 1 2 3 4 5 6 7; do
    name=$(printf 'abcdefgh' | cut -c 1-$letters)
    weights pad.onnx 4000000 11 "$name"
    cp pad.onnx pad-was.onnx
    run convert pad.onnx --opset 13 --in-place
    is 0 "$status" "an output's name of $letters letters: it fits"
    run verify pad-was.onnx pad.onnx
    is 0 "$status" "an output's name of $letters letters: and is the same"
done

# ---- where there is none ----
weights long.onnx 4000000 11 a_name_that_takes_more_than_the_attribute_gives
cp long.onnx was.onnx
fails 3 "long.onnx: cannot be changed in place: what changes between bytes 0 and 88 needs 39 bytes more than are \
there, and what follows would have to move; write a new file" "what does not fit" convert long.onnx --opset 13 --in-place
is "$(cksum <was.onnx)" "$(cksum <long.onnx)" "and nothing is changed"
fails 3 "long.onnx: cannot be changed in place: what changes between bytes 0 and 88 needs 39 bytes more than are \
there, and what follows would have to move; write a new file" "a plan tells it" \
    convert long.onnx --opset 13 --in-place --dry-run
weights small.onnx 4000 11 a_name_that_takes_more_than_the_attribute_gives
cp small.onnx was.onnx
run convert small.onnx --opset 13 --in-place
is 0 "$status" "a small model is moved"
run convert was.onnx --opset 13 -o new.onnx
is "$(cksum <new.onnx)" "$(cksum <small.onnx)" "and becomes what a new file would be"
run convert small.onnx --opset 11 --in-place
is "$(cksum <was.onnx)" "$(cksum <small.onnx)" "and what it was, when it is shorter again"

# ---- what it excludes ----
for option in "--output new.onnx" "--reflink" "--external-data keep"; do
    fails 2 "convert: options '--in-place' and '${option%% *}' exclude each other: there is no new file; leave one \
of them out" "${option%% *}" convert small.onnx --opset 13 --in-place $option
done
fails 2 "convert: option '--in-place' changes a file, and MODEL is standard input; name a file, or write -o OUT" \
    "standard input" convert - --opset 13 --in-place
if [ "$(id -u)" != 0 ]; then
    chmod a-w small.onnx
    fails 4 "small.onnx: cannot be changed in place: Permission denied; check its permissions, or write a new file" \
        "a file that may not be written" convert small.onnx --opset 13 --in-place
else
    skip "a file that may not be written" "root may write everything"
fi

# ---- beyond 2 and 4 GiB ----
for size in 2147483648 5368709120; do
    if ! weights large.onnx $size 11; then
        skip "$size bytes" "the file system has no files of that size"
        continue
    fi
    run convert large.onnx --opset 13 -o new.onnx
    is 0 "$status" "$size bytes: to a new file"
    is 1 "$(($(du -k new.onnx | cut -f 1) < 1024))" "$size bytes: the hole stays one"
    is "$((size + 155))" "$(wc -c <new.onnx)" "$size bytes: it is as long as it should be"
    run show new.onnx
    like "(Split)  13 *initializer" "$out" "$size bytes: and reads"
    run convert new.onnx --opset 11 -o back.onnx
    is "$(ends large.onnx)" "$(ends back.onnx)" "$size bytes: and back is what it was"
    run convert large.onnx --opset 13 --in-place
    is 0 "$status" "$size bytes: in place"
    run convert large.onnx --opset 11 --in-place
    is 3 "$status" "$size bytes: the attribute has no room, now that filler has it"
    rm -f large.onnx new.onnx back.onnx
done
done_testing
