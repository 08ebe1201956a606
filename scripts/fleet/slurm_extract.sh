#!/bin/bash
#SBATCH --job-name=esp-extract
#SBATCH --requeue
#SBATCH --open-mode=append
# One task of an array: extracts some traces of a list into a store. Submitted by slurm_submit.sh; as a pod of a Kubernetes Indexed Job it does the same (kubernetes-job.yaml).
# The store takes each trace as a whole or not at all, and the same trace twice is there once: a task that is requeued does no harm.
#
#   slurm_extract.sh LIST CHUNK STORE [option of esp-analyze extract]...
#
# LIST has a path of a trace in each line; task N takes lines N*CHUNK+1 to (N+1)*CHUNK. ESP_ANALYZE names the tool when it is not on the path, ESP_CLICKHOUSE_PASSWORD is the store's password. See docs/fleet.md.
set -euo pipefail

if [ $# -lt 3 ]; then
    echo "usage: slurm_extract.sh LIST CHUNK STORE [option]..." >&2
    exit 2
fi
list=$1 chunk=$2 store=$3
shift 3
index=${SLURM_ARRAY_TASK_ID:-${JOB_COMPLETION_INDEX:-0}}
mapfile -t traces < <(sed -n "$((index * chunk + 1)),$(((index + 1) * chunk))p" "$list")
if [ ${#traces[@]} -eq 0 ]; then
    echo "slurm_extract: task $index has no traces in $list" >&2
    exit 0
fi
exec "${ESP_ANALYZE:-esp-analyze}" extract "${traces[@]}" --store "$store" --jobs "${SLURM_CPUS_PER_TASK:-1}" "$@"
