#!/bin/sh
# examples/fleet: what the engines that are here make of them, and the command lines of those that are not. Slurm is in fleet-slurm.t.
. "${srcdir:-.}/tests/cli/tap.sh"
examples=$srcdir/examples/fleet

assemble relu <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[N] x) => (float[N] y) { y = Relu(x) }
MODEL
mkdir -p "models/with blank" models/other bin
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    cp relu.onnx "models/with blank/m $i.onnx"
    cp relu.onnx models/other/$i.onnx
done
echo garbage >models/broken.onnx
ln -s "$opshift" bin/opshift
PATH=$work/bin:$PATH
export PATH
run convert -r models --opset 18 -o wanted/
is 3 "$status" "one of 31 is no model"
table="done       30
refused    0
malformed  1
failed     0"
has() {
    command -v "$1" >/dev/null
}

# engine NAME: makes a directory with the models, and works in it
engine() {
    mkdir "$1" && cd "$1" && ln -s ../models models && cp "$examples"/* .
}
# whole WHAT STATUS: the status, and what was written in this directory
whole() {
    is "$2" "$status" "$1: exit status $2"
    diff -r ../wanted converted >diff.txt
    ok $? "$1: the same tree is written"
    is "$table" "$(opshift journal run-*.jsonl --expect models | tail -n 4)" "$1: each model is once in the journals"
    cd ..
}
ends() {
    cat run-*.jsonl | grep -c '^{"end"'
}

if has parallel; then
    engine parallel
    status=0
    sh parallel.sh >out.txt 2>err.txt || status=$?
    is "$table" "$(tail -n 4 out.txt)" "GNU parallel: the table"
    whole "GNU parallel" 3
    cd parallel || exit
    status=0
    sh parallel.sh >out.txt 2>err.txt || status=$?
    is 31 "$(ends)" "GNU parallel: the same command does nothing again"
    whole "GNU parallel, again" 3
else
    skip "GNU parallel" "parallel is not here"
fi

if has make; then
    engine make
    unset MAKEFLAGS MAKELEVEL MFLAGS
    rm models
    cp -r ../models models
    mv models/other/1.onnx kept.onnx && ln -s nowhere models/other/1.onnx
    make -s -f fleet.mk -j2 >out.txt 2>err.txt && status=0 || status=$?
    is 2 "$status" "make: stops where a model cannot be read"
    mv kept.onnx models/other/1.onnx
    sed 's/	opshift journal.*/&; test $$? = 3/' fleet.mk >status.mk
    make -s -f status.mk -j2 >out.txt 2>err.txt && status=0 || status=$?
    is "$table" "$(tail -n 4 out.txt)" "make: goes on, and prints the table"
    whole make 0
else
    skip "make" "make is not here"
fi

if has snakemake; then
    engine snakemake
    HOME=$work XDG_CACHE_HOME=$work/cache snakemake -q all -j2 >out.txt 2>err.txt && status=0 || status=$?
    [ "$status" = 0 ] || sed 's/^/# /' out.txt err.txt
    is "$table" "$(tail -n 4 table.txt)" "Snakemake: the table"
    whole Snakemake 0
else
    skip "Snakemake" "snakemake is not here"
fi

# ---- Dask ----
python=/usr/bin/python3
if [ ! -e "$builddir/.libs/libopshift.so" ]; then
    skip "Dask" "built without a shared library"
elif ! $python -c 'import dask.distributed' 2>/dev/null; then
    skip "Dask" "python3-distributed is not here"
else
    mkdir -p package/opshift
    cp "$srcdir"/python/opshift/*.py package/opshift
    cp -L "$builddir/.libs/libopshift.so" package/opshift
    PYTHONPATH=$srcdir/python PYTHONDONTWRITEBYTECODE=1 $python -c 'import mirror; print(mirror.write(mirror.HEADER.read_text()))' \
        >package/opshift/_library.py
    engine dask
    PYTHONPATH=$work/package HOME=$work $python cluster.py >out.txt 2>err.txt && status=0 || status=$?
    [ "$status" = 0 ] || sed 's/^/# /' err.txt
    is 0 "$status" "Dask: exit status 0"
    is 30 "$(grep -c '\.onnx done $' out.txt)" "Dask: 30 are done"
    like "^models/broken.onnx Malformed " "$(cat out.txt)" "Dask: one is no model"
    diff -r ../wanted converted >diff.txt
    ok $? "Dask: the same tree is written"
    cd ..
fi

# ---- Kubernetes and AWS Batch: the command lines of their manifests ----
# command FILE: that of a manifest, with the paths of this test; as a JSON list
command_of() {
    perl -MJSON::PP -0777 -ne 'my ($list) = /"?command"?: (\[.*?\])\n/ or die; my @command = @{decode_json $list};
        s,/(models|out)\b,$ENV{PWD}/$1,g for @command; open STDIN, "<", "/dev/null"; exec @command' "$1"
}
engine kubernetes
mkdir out
odd=
for index in 0 1 2 3 4 5 6 7; do
    JOB_COMPLETION_INDEX=$index JOB_COMPLETIONS=$(sed -n '/name: JOB_COMPLETIONS/{n;s/.*"\(.*\)"/\1/p}' kubernetes.yaml) \
        command_of kubernetes.yaml >>out.txt 2>>err.txt
    code=$?
    case $code in 0 | 3) ;; *) odd=$code ;; esac
done
is "" "$odd" "Kubernetes: each index does its share"
is "$(sed -n 's/^ *completions: //p' kubernetes.yaml)" "$(find out -name 'run-*.jsonl' | grep -c .)" "Kubernetes: each has a journal"
mv out/* . && status=0
whole Kubernetes 0

engine aws
mkdir out
odd=
for index in 0 1 2 3 4 5 6 7; do
    AWS_BATCH_JOB_ARRAY_INDEX=$index command_of aws-batch.json >>out.txt 2>>err.txt
    code=$?
    case $code in 0 | 3) ;; *) odd=$code ;; esac
done
is "" "$odd" "AWS Batch: each index does its share"
is "$(sed -n 's/.*"size": \([0-9]*\).*/\1/p' aws-batch.json)" "$(find out -name 'run-*.jsonl' | grep -c .)" "AWS Batch: each has a journal"
mv out/* . && status=0
whole "AWS Batch" 0
done_testing
