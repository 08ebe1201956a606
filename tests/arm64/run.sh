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

step() { # step TEXT COMMAND…: runs it and prints how long it took
  local from=$SECONDS
  "${@:2}"
  printf '%-58s %4d s\n' "$1" $((SECONDS - from))
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
    NR > 1 { name[$1] = $2 }
    NR > 1 && $2 == callee { all += $9; if ($1 > 0 && name[$1 - 1] ~ "^(" caller ")$") below += $9 }
    END { if (all > 0) printf "%.1f", 100 * below / all }' "$work/$1.tree.csv"
}

# named_kernel NAME: percent of the samples in the kernel whose function has a name
named_kernel() {
  awk -F, '
    NR > 1 && $4 == "Kernel" { all += $8; if ($1 !~ /^\[kernel\]\+/) named += $8 }
    END { if (all > 0) printf "%.1f", 100 * named / all }' "$work/$1.cpu.csv"
}

# field NAME FIELD: a number of 'cpu -f json'
field() { sed -n "s/.*\"$2\": \([0-9.]*\).*/\1/p" "$work/$1.cpu.json" | head -n 1; }

same() { # same NAME: the lines of the three tables that differ between both machines
  local table
  for table in runs tree cpu; do diff "$out/$1.$table.csv" "$work/$1.$table.csv" || true; done | grep -c '^[<>]' || true
}

from=$SECONDS
for name in leaves callers attach user ptrace suite; do
  check "$name" "exit code of esp-record" "$(awk -v name="$name" '$1 == name { print $2 }' "$out/recorded.txt")" "= 0"
  [ -d "$out/$name" ] || continue
  analyze runs "$out/$name" -f csv > "$work/$name.runs.csv" || true
  analyze cpu "$out/$name" --tree -f csv > "$work/$name.tree.csv" || true
  analyze cpu "$out/$name" --top 100000 -f csv > "$work/$name.cpu.csv" || true
  analyze cpu "$out/$name" -f json > "$work/$name.cpu.json" || true
  check "$name" "lines of runs, tree and methods" "$(cat "$work/$name".{runs,tree,cpu}.csv | wc -l)" ">= 10"
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
check ptrace "samples, those without a stack too" "$(awk -F, 'NR > 1 { all += $8 } END { print all + 0 }' "$work/ptrace.cpu.csv")" ">= 1"
printf '%-58s %4d s\n' "analysis on this machine" $((SECONDS - from))

if $update; then
  # The tests ask for nothing of the platform's own managed code.
  find "$out/leaves" -name 'System.Private.CoreLib.dll.parts' -delete
  python3 -c 'import shutil, sys; shutil.make_archive(sys.argv[1], "zip", sys.argv[2], "leaves")' "$sources/tests/TestData/arm64/leaves" \
    "$out"
fi

echo
printf '%-8s | %-52s | %10s | %8s | %s\n' recording what found expected result
cat "$rows"
printf '\n%d checks, %d failed, %d s; recordings in %s\n' "$(wc -l < "$rows")" "$(grep -c FAILED "$rows" || true)" "$SECONDS" "$out"
exit $failed
