#!/bin/bash
# Lists the traces below some paths and submits an array job that extracts them (slurm_extract.sh).
#
#   slurm_submit.sh --store STORE [--chunk N] [--at-once N] [--list FILE] [--wait] [--sbatch OPTION]... [--option OPTION]... PATH...
#
# --chunk    traces a task (8): a task costs about half a second of its own, so many small traces belong into one
# --at-once  tasks that run at the same time at most (as many as the cluster has room for)
# --list     where to keep the list; it must be seen by all nodes (esp-traces-TIME.txt in the working directory)
# --wait     wait for the job, and end with its exit code
# --sbatch   one more option of sbatch, such as --sbatch=--partition=night
# --option   one more option of esp-analyze extract, such as --option=--retry-failed
set -euo pipefail

fail() {
    printf 'slurm_submit: %s\n  where: %s\n  fix: %s\n' "$1" "$2" "$3" >&2
    exit "${4:-2}"
}

store='' chunk=8 at_once='' list='' sbatch=() options=() paths=()
while [ $# -gt 0 ]; do
    case $1 in
        --store | --chunk | --at-once | --list)
            [ $# -gt 1 ] || fail "$1 has no value" "$1" "write $1 VALUE"
            case $1 in --store) store=$2 ;; --chunk) chunk=$2 ;; --at-once) at_once=%$2 ;; --list) list=$2 ;; esac
            shift
            ;;
        --wait) sbatch+=(--wait) ;;
        --sbatch=*) sbatch+=("${1#--sbatch=}") ;;
        --option=*) options+=("${1#--option=}") ;;
        -*) fail "there is no option $1" "$1" "see the head of slurm_submit.sh" ;;
        *) paths+=("$(realpath -- "$1")") || fail "there is no $1" "$1" "name one that exists" ;;
    esac
    shift
done
[ -n "$store" ] || fail "no store is named" "--store" "write --store clickhouse:http://HOST:PORT/DATABASE"
[ ${#paths[@]} -gt 0 ] || fail "no path is named" "PATH" "name recordings, trace files, or folders of them"
[[ $chunk =~ ^[1-9][0-9]*$ ]] || fail "--chunk takes a number from 1 on" "--chunk $chunk" "write --chunk 8"
case $store in
    sqlite:* | *.db) fail "a file of SQLite is not for several machines" "$store" "name a server: clickhouse:http://HOST:PORT/DATABASE" ;;
esac

list=$(realpath -- "${list:-esp-traces-$(date +%Y%m%d-%H%M%S).txt}")
# A recording is one trace, and so is an index of several: what is in their folders is not searched.
find "${paths[@]}" -type d \( -exec test -e '{}/index.json' \; -o -exec test -e '{}/recording.json' \; \) -print -prune -o \
    -type f \( -iname '*.etl' -o -iname '*.etl.zip' -o -iname '*diagsession*.zip' -o -iname '*.diagsession' -o -iname '*.nettrace' -o -iname '*.nettrace.zst' -o -name 'perf.data*' -o -iname '*.perf.data' \) -print | sort -u > "$list"
count=$(wc -l < "$list")
[ "$count" -gt 0 ] || fail "no traces were found" "${paths[*]}" "name recordings, trace files, or folders of them" 3
tasks=$(((count + chunk - 1) / chunk))
echo "$count traces in $tasks tasks; list: $list"
code=0
sbatch --array="0-$((tasks - 1))$at_once" ${sbatch[@]+"${sbatch[@]}"} "$(dirname "$(realpath -- "$0")")/slurm_extract.sh" "$list" "$chunk" "$store" ${options[@]+"${options[@]}"} || code=$?
exit "$code"
