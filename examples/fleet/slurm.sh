#!/bin/sh
# One task of an array: sbatch --array=0-7 slurm.sh. Each has its share of the models, and a journal of its own.
# What was not done, after all tasks have ended: sbatch $(opshift journal run-*.jsonl --expect models -f slurm) slurm.sh
#SBATCH --job-name=opshift
#SBATCH --cpus-per-task=1
exec opshift convert -r "${MODELS:-models}" --opset 18 -o "${OUT:-converted}/" --shard auto \
    --journal "run-$SLURM_ARRAY_TASK_ID.jsonl" -j "${SLURM_CPUS_PER_TASK:-1}"
