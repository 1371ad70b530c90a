#!/bin/sh
# Blocks shared with the model: where the file system can, and how a file system that cannot is copied from.
. "${srcdir:-.}/tests/cli/tap.sh"

perl "$tests/cli/weights.pl" model.onnx 4000000 11 2>/dev/null || skip_all "no files with holes can be made here"
run convert model.onnx --opset 13 -o plain.onnx

run convert model.onnx --opset 13 -o - --reflink
is 0 "$status" "a pipe shares nothing"
"$opshift" convert - --opset 13 -o piped.onnx --reflink <model.onnx >/dev/null 2>&1
is 0 "$?" "standard input may"
run verify model.onnx piped.onnx
is 0 "$status" "and is converted"
run convert model.onnx --opset 13 -o same.onnx --reflink
is 0 "$status" "on whatever this is"
run verify model.onnx same.onnx
is 0 "$status" "it does the same as before"

# A file system that shares blocks, in a file of its own. Only for who asks for it: it takes a mount.
mounted() {
    [ -n "${OPSHIFT_TEST_MOUNT:-}" ] && truncate -s 320M "$1.image" && "mkfs.$1" -q "$1.image" && mkdir "$1" &&
        mount -o loop "$1.image" "$1"
}
trap 'umount "$work/xfs" "$work/btrfs" 2>/dev/null; rm -rf "$work"' EXIT
for kind in xfs btrfs; do
    if ! mounted $kind >/dev/null 2>&1; then
        skip "$kind" "set OPSHIFT_TEST_MOUNT=1 where it can be made and mounted"
        continue
    fi
    cat model.onnx >$kind/model.onnx # without holes, so that there is something to share
    sync
    run convert $kind/model.onnx --opset 13 -o $kind/new.onnx --reflink
    is 0 "$status" "$kind: it is converted"
    run verify $kind/model.onnx $kind/new.onnx
    is 0 "$status" "$kind: it does the same as before"
    run diff plain.onnx $kind/new.onnx
    like "unknown field 19999: 1 of them" "$out" "$kind: filler"
    like "they differ, 1 added" "$out" "$kind: and nothing else"
    like shared "$(filefrag -v $kind/new.onnx)" "$kind: blocks are shared"
    run convert $kind/new.onnx --opset 18 -o $kind/newer.onnx --reflink
    run convert plain.onnx --opset 18 -o newer.onnx
    run verify newer.onnx $kind/newer.onnx
    is 0 "$status" "$kind: what is shared once is shared again"
    run convert $kind/model.onnx --opset 13 -o away.onnx --reflink
    is "$(cksum <plain.onnx)" "$(cksum <away.onnx)" "$kind: to another file system it is copied, without filler"
    umount $kind
done
done_testing
