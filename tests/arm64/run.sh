#!/usr/bin/env bash
# Runs the project on arm64 Linux without an arm64 machine: makes an emulated one from packages, publishes the tools for it, records in it
# (guest.sh), analyses the recordings on this machine and compares that with what the emulated one prints. Not part of 'dotnet test': it
# takes minutes and root. Emulation shows neither times nor counts of samples, so it checks shares and names.
#   tests/arm64/run.sh [--update-test-data] [FOLDER]
#   FOLDER              where the machine is made; a second call keeps its packages (artifacts/arm64 unless given)
#   --update-test-data  replace tests/TestData/arm64/leaves.zip by the recording of this call
# Exit code 0: all checks hold, or the call was skipped with a reason; 1: a check failed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sources=$(cd "$here/../.." && pwd)
update=false
[ "${1:-}" = --update-test-data ] && update=true && shift
work=$(realpath -m "${1:-$sources/artifacts/arm64}")
export DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1 DEBIAN_FRONTEND=noninteractive
. "$here/machine.sh"

[ "$(id -u)" -eq 0 ] || skip "needs root (device nodes, owners of files in the disk)"
command -v dotnet > /dev/null || skip "needs the .NET 10 SDK"
mkdir -p "$work"
: > "$work/apt.log"

# processor_time: of the programs that ended, in s. On a busy machine it says more than how long they took.
processor_time() {
  local fields
  read -r -a fields < /proc/$$/stat
  echo $(((fields[15] + fields[16]) / $(getconf CLK_TCK)))
}

took() { # took TEXT FROM PROCESSOR-TIME: prints a step that began then
  printf '%-58s %4d s, processor time %4d s\n' "$1" $((SECONDS - $2)) $(($(processor_time) - $3))
}

step() { # step TEXT COMMAND…: runs it and prints how long it took
  local from=$SECONDS used
  used=$(processor_time)
  "${@:2}"
  took "$1" "$from" "$used"
}

step "programs of this machine" install_tools
step "Debian's packages of arm64" fetch_system
step ".NET's runtime pack" fetch_runtime
step "publish esp-record, esp-analyze and the test program" publish
step "disk" make_disk
step "the emulated machine: recordings and its own analysis" boot

out=$work/share/out failed=0 rows=$work/rows.txt
: > "$rows"
if [ "$(cat "$out/exit-code" 2> /dev/null)" != 0 ]; then
  tail -n 20 "$out/guest.log" "$work/console.log"
  echo "failed: guest.sh did not end well ($out/guest.log)"
  exit 1
fi
analyze() { dotnet "$work/here/esp-analyze.dll" "$@" -q 2>> "$work/analyze.log"; }

check() { # check RECORDING WHAT FOUND BOUND: BOUND is '= X', '>= X' or '<= X'
  local result=ok
  if ! awk -v found="$3" -v sign="${4% *}" -v bound="${4#* }" \
    'BEGIN { exit !(found != "" && (sign == "=" ? found == bound : sign == ">=" ? found + 0 >= bound : found + 0 <= bound)) }'; then
    result=FAILED failed=1
  fi
  printf '%-8s | %-52s | %10s | %8s | %s\n' "$1" "$2" "${3:-none}" "$4" "$result" >> "$rows"
}

# under NAME CALLEE CALLER: percent of the samples in CALLEE and what it calls whose frame before it matches CALLER
under() {
  awk -F, -v callee="$2" -v caller="$3" '
    { name[$1] = $2 }
    $2 == callee { all += $9; if ($1 > 0 && name[$1 - 1] ~ "^(" caller ")$") below += $9 }
    END { if (all > 0) printf "%.1f", 100 * below / all }' "$work/ours/$1.tree"
}

# named_kernel NAME: percent of the samples in the kernel whose function has a name
named_kernel() {
  awk -F, '
    $4 == "Kernel" { all += $8; if ($1 !~ /^\[kernel\]\+/) named += $8 }
    END { if (all > 0) printf "%.1f", 100 * named / all }' "$work/ours/$1.methods"
}

# field NAME FIELD: a number of 'cpu -f json'
field() { sed -n "s/.*\"$2\": \([0-9.]*\).*/\1/p" "$work/ours/$1.json" | head -n 1; }

# split_tables FROM TO: the lines of each recording in the tables of all, without commas in names
split_tables() {
  local name table
  mkdir -p "$2"
  for table in runs tree methods; do
    for name in "${recordings[@]}"; do
      perl -pe 's/"([^"]*)"/$1 =~ tr{,}{;}r/ge' "$1/$table.csv" | awk -F, -v table=$table -v name="$name" '
        table == "tree" && $1 == 0 { isOf = $2 == name }
        table == "runs" ? $4 == name : table == "methods" ? $7 == name : isOf' > "$2/$name.$table"
    done
  done
}

same() { # same NAME: the lines of the three tables that differ between both machines
  local table
  for table in runs tree methods; do diff "$work/theirs/$1.$table" "$work/ours/$1.$table" || true; done | grep -c '^[<>]' || true
}

from=$SECONDS used=$(processor_time)
recordings=(leaves callers attach user ptrace suite)
(
  cd "$out"
  mapfile -t found < <(ls -d "${recordings[@]}" 2> /dev/null)
  rm -rf "$work/ours" "$work/theirs" && mkdir -p "$work/ours"
  analyze runs "${found[@]}" -f csv > "$work/ours/runs.csv" || true
  analyze cpu "${found[@]}" --tree -f csv > "$work/ours/tree.csv" || true
  analyze cpu "${found[@]}" --top 100000 -f csv > "$work/ours/methods.csv" || true
  for name in "${found[@]}"; do analyze cpu "$name" -f json > "$work/ours/$name.json" || true; done
)
split_tables "$out" "$work/theirs"
split_tables "$work/ours" "$work/ours"
check doctor "exit code of esp-record doctor" "$(awk '$1 == "doctor" { print $2 }' "$out/recorded.txt")" "= 0"
for name in "${recordings[@]}"; do
  check "$name" "exit code of esp-record" "$(awk -v name="$name" '$1 == name { print $2 }' "$out/recorded.txt")" "= 0"
  [ -d "$out/$name" ] || continue
  check "$name" "lines of runs, tree and methods" "$(cat "$work/ours/$name".{runs,tree,methods} | wc -l)" ">= 10"
  check "$name" "of them lines that differ from the machine's own" "$(same "$name")" "= 0"
  check "$name" "broken stacks, %" "$(field "$name" brokenStackPercent)" "<= 1"
done
# Not of ptrace: its looks at threads take milliseconds in the emulated machine, so that a leaf has a handful of samples.
for name in leaves user; do
  for leaf in Tiny Framed; do
    check "$name" "$leaf below Call$leaf, % of its samples" "$(under "$name" "Leaves.$leaf" "Leaves.Call$leaf")" ">= 95"
  done
done
for kind in framed:Framed bare:Bare; do
  check leaves "${kind%:*}_leaf below ${kind%:*}_caller, % of its samples" "$(under leaves "${kind%:*}_leaf" "${kind%:*}_caller")" ">= 95"
  check leaves "${kind%:*}_caller below its method, % of its samples" \
    "$(under leaves "${kind%:*}_caller" "Leaves.CallNative${kind#*:}")" ">= 95"
done
for name in leaves callers suite; do
  check "$name" "kernel frames with a name, % of samples" "$(named_kernel "$name")" ">= 99"
done
check callers "write barriers below the methods that store, %" "$(under callers "[stub] write barrier" "LostCallers.*")" ">= 95"
check suite "runs found" "$(field suite runsFound)" "= $(field suite runsExpected)"
check attach "runs found" "$(field attach runsFound)" ">= 1"
check ptrace "samples, those without a stack too" "$(awk -F, '{ all += $8 } END { print all + 0 }' "$work/ours/ptrace.methods")" ">= 1"
took "analysis on this machine" "$from" "$used"

if $update; then
  # The tests ask for nothing of the platform's own managed code.
  find "$out/leaves" -name 'System.Private.CoreLib.dll.parts' -delete
  python3 -c 'import shutil, sys; shutil.make_archive(sys.argv[1], "zip", sys.argv[2], "leaves")' "$sources/tests/TestData/arm64/leaves" \
    "$out"
fi

echo
printf '%-8s | %-52s | %10s | %8s | %s\n' recording what found expected result
cat "$rows"
printf '\n%d checks, %d failed, %d s, processor time %d s; recordings in %s\n' \
  "$(wc -l < "$rows")" "$(grep -c FAILED "$rows" || true)" "$SECONDS" "$(processor_time)" "$out"
exit $failed
