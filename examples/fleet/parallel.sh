#!/bin/sh
# GNU parallel gives the shards; it may run them on other machines, too (--sshloginfile).
seq 8 | parallel -j 2 opshift convert -r "${MODELS:-models}" --opset 18 -o "${OUT:-converted}/" --shard {}/8 \
    --journal run-{}.jsonl -j 1
