#!/bin/sh
# --shard: every model is in exactly one share, whatever engine asks.
. "${srcdir:-.}/tests/cli/tap.sh"

assemble relu <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
g (float[N] x) => (float[N] y) { y = Relu(x) }
MODEL
mkdir -p zoo/a zoo/b
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    cp relu.onnx zoo/a/$i.onnx
    cp relu.onnx "zoo/b/m $i.onnx"
done

# taken DIRECTORY ARGUMENT...: what convert writes below DIRECTORY
taken() {
    taken_directory=$1
    shift
    rm -rf "$taken_directory"
    "$opshift" convert -r zoo --opset 18 -o "$taken_directory/" "$@" >/dev/null || echo "status $?"
    (cd "$taken_directory" 2>/dev/null && find . -type f | LC_ALL=C sort)
}

all=$(cd zoo && find . -type f | LC_ALL=C sort)
: >shares
for i in 1 2 3; do
    taken out$i --shard $i/3 >share$i
    cat share$i >>shares
done
is "$all" "$(LC_ALL=C sort shares)" "every model is in exactly one of three shards"
[ -s share1 ] && [ -s share2 ] && [ -s share3 ]
ok $? "none is empty"
# Known shards: they must stay, since journals name them.
is "$(cat share2)" "$(cd zoo && find . -type f | sed 's,^\./,,' | perl -MDigest::SHA=sha256 -ne \
    'chomp; my ($n) = unpack "Q>", sha256($_); print "./$_\n" if $n % 3 == 1' | LC_ALL=C sort)" \
    "a shard is the hash of the name, as documented"
mv zoo/a/1.onnx kept.onnx
is "$(grep -v '^\./a/1.onnx$' share1)" "$(taken less --shard 1/3)" "which other models there are does not matter"
mv kept.onnx zoo/a/1.onnx
(cd zoo && find . -name '*.onnx' -print0) >list
is "$(cat share1)" "$(cd zoo && "$opshift" convert --files0-from ../list --opset 18 -o ../listed/ --shard 1/3 >/dev/null
    cd ../listed && find . -type f | LC_ALL=C sort)" "a list has the same names"

# engine SHARE WHAT VARIABLE...: --shard auto gives this share
engine() {
    share=$1 what=$2
    shift 2
    is "$(cat share$share)" "$(export "$@"; taken auto --shard "${how:-auto}")" "$what"
}
slurm="SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=2 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_STEP=1"
engine 1 "Slurm: the first" SLURM_ARRAY_TASK_ID=0 $slurm
engine 3 "Slurm: the last" SLURM_ARRAY_TASK_ID=2 $slurm
engine 2 "Slurm: from 10, by 5" SLURM_ARRAY_TASK_ID=15 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_MAX=20 \
    SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_STEP=5
engine 2 "Slurm: one task of an array, again" SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=1 \
    SLURM_ARRAY_TASK_COUNT=1 SLURM_ARRAY_TASK_STEP=1 OPSHIFT_ARRAY=0-2
engine 2 "Kubernetes" JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=3
how=auto/3
engine 2 "Kubernetes, with the number given" JOB_COMPLETION_INDEX=1
engine 3 "AWS Batch, with the number given" AWS_BATCH_JOB_ARRAY_INDEX=2
how=auto
engine 3 "AWS Batch" AWS_BATCH_JOB_ARRAY_INDEX=2 AWS_BATCH_JOB_ARRAY_SIZE=3
engine 1 "GitLab counts from 1" CI_NODE_INDEX=1 CI_NODE_TOTAL=3
engine 2 "Bazel" TEST_SHARD_INDEX=1 TEST_TOTAL_SHARDS=3 TEST_SHARD_STATUS_FILE=touched
[ -e touched ]
ok $? "Bazel's file is touched"
engine 2 "GNU parallel within Slurm" SLURM_ARRAY_TASK_ID=1 $slurm PARALLEL_SEQ=7

# refused MESSAGE WHAT SHARD VARIABLE...
refused() {
    wanted=$1 what=$2 shard=$3
    shift 3
    is "opshift: $wanted" "$(export none= "$@"; "$opshift" convert -r zoo --opset 18 -o no/ --shard "$shard" 2>&1)" "$what"
}
form="is neither I/N, with I from 1 to N, nor auto nor auto/N"
for shard in 0/3 3 /3 3/ 1/0 x/3 1/3x automatic auto/ auto/x; do
    refused "option '--shard': '$shard' $form" "'$shard'" "$shard"
done
refused "option '--shard': 4 of 3: there are only 3 shards" "beyond the number" 4/3
refused "option '--shard': JOB_COMPLETION_INDEX is set, but Kubernetes does not give the number of indexes; set JOB_COMPLETIONS to .spec.completions, or write --shard auto/N" \
    "Kubernetes without the number" auto JOB_COMPLETION_INDEX=1
refused "option '--shard': AWS_BATCH_JOB_ARRAY_INDEX is set, but AWS Batch does not give the size of the array; set AWS_BATCH_JOB_ARRAY_SIZE, or write --shard auto/N" \
    "AWS Batch without the size" auto AWS_BATCH_JOB_ARRAY_INDEX=1
refused "option '--shard': PARALLEL_SEQ numbers the jobs of GNU parallel, whose number nobody knows yet; let parallel give the shards: seq 8 | parallel opshift ... --shard {}/8" \
    "GNU parallel" auto PARALLEL_SEQ=1
refused "option '--shard': both SLURM_ARRAY_TASK_ID and CI_NODE_INDEX are set; write --shard I/N" "two engines" auto \
    SLURM_ARRAY_TASK_ID=1 $slurm CI_NODE_INDEX=1 CI_NODE_TOTAL=2
refused "option '--shard': the array is not regular: task 7, from 1 to 7 by 1, 3 tasks; set OPSHIFT_ARRAY=MIN-MAX:STEP to the array of all tasks" \
    "an array that is a list" auto SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=7 \
    SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_STEP=1
refused "option '--shard': the variable CI_NODE_INDEX is 'x', not a number from 1 on" "no number" auto CI_NODE_INDEX=x \
    CI_NODE_TOTAL=3
refused "option '--shard': 'auto/4' contradicts GitLab, which has 3 shards" "two numbers" auto/4 CI_NODE_INDEX=1 \
    CI_NODE_TOTAL=3
refused "option '--shard': 'auto' finds no variable of an array: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, TEST_SHARD_INDEX, CI_NODE_INDEX, AWS_BATCH_JOB_ARRAY_INDEX; write --shard I/N" \
    "no engine" auto
[ ! -e no ]
ok $? "nothing is written then"
done_testing
