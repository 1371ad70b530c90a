#!/bin/sh
# Files whose keys collided in each table before its hash had a seed: a table fails if an item is not
# found within TABLE_PROBES_MOST probes (lib/base/table.c).
. "${srcdir:-.}/tests/cli/tap.sh"

# takes KIND STATUS COMMAND ARGUMENT...: exit status of a command with a file of that kind.
takes() {
    kind=$1 wanted_status=$2
    shift 2
    run "$@"
    is "$wanted_status" "$status" "$kind: $1"
    case $err in *ssert*) echo "# $err" ;; esac
}

for kind in constants names scopes entries operators; do
    count=1024 known=0
    [ $kind != constants ] || count=700 # these are slow to make
    perl "$tests/cli/collide.pl" $kind $count >$kind.onnx
    [ $kind != operators ] || known=1
    takes $kind 0 show $kind.onnx
    takes $kind $known lint $kind.onnx
    takes $kind $known convert $kind.onnx --opset 13 -o out.onnx
    [ $kind = operators ] || takes $kind 0 verify $kind.onnx out.onnx
    takes $kind $known verify $kind.onnx $kind.onnx
done
done_testing
