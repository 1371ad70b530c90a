#!/bin/sh
# GNU parallel gives the shards; it may run them on other machines, too (--sshloginfile). The same command goes on from the journals.
seq 8 | parallel -q -j 2 opshift convert -r "${MODELS:-models}" --opset 18 -o "${OUT:-converted}/" --shard {}/8 \
    --journal run-{}.jsonl -j 1 >parallel.txt
exec opshift journal run-*.jsonl --expect "${MODELS:-models}"
