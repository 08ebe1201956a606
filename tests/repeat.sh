#!/usr/bin/env bash
# Runs all tests again and again, on the machine as it is and under a load of 4 busy loops a processor, and prints each test that ever failed with its count.
#   tests/repeat.sh [IDLE [LOADED [ARGUMENTS OF DOTNET TEST]]]      # 10 and 10 unless given; logs stay in artifacts/repeat/
set -u
cd "$(dirname "$0")/.."
export DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1
idle=${1:-10} loaded=${2:-10}
shift $(($# < 2 ? $# : 2))
logs=artifacts/repeat
loops=()

end_load() {
  [ ${#loops[@]} -eq 0 ] || kill "${loops[@]}" 2>/dev/null
  loops=()
}
trap end_load EXIT

run() { # run KIND NUMBER ARGUMENTS…
  local log="$logs/$1-$2.log" from=$SECONDS status=0
  # 8: an assembly in which the arguments choose no test.
  dotnet test --no-build --ignore-exit-code 8 "${@:3}" > "$log" 2>&1 || status=$?
  count() { sed -n "s/^ *$1: \([0-9]\+\).*/\1/p" "$log" | tail -n 1; }
  printf '%-6s %2d: exit code %d, %s passed, %s failed, %s skipped, %d s\n' "$1" "$2" "$status" "$(count succeeded)" "$(count failed)" "$(count skipped)" $((SECONDS - from))
  # A run that ends badly without a failed test counts, too: an assembly that crashed, or none that ran.
  if [ "$status" -ne 0 ] || [ "$(count succeeded)" = "" ]; then
    grep -q '^failed ' "$log" || echo "failed (no test: see $log)" >> "$log"
  fi
}

dotnet build -v quiet || exit
rm -rf "$logs"
mkdir -p "$logs"
for ((number = 1; number <= idle; number++)); do run idle "$number" "$@"; done
if [ "$loaded" -gt 0 ]; then
  for ((loop = 0; loop < 4 * $(nproc); loop++)); do
    while :; do :; done &
    loops+=($!)
  done
  for ((number = 1; number <= loaded; number++)); do run loaded "$number" "$@"; done
  end_load
fi

failures() { # failures KIND: each test with its count
  cat "$logs/$1"-*.log 2>/dev/null | sed -n 's/^failed \(.*[^ ]\) ([0-9hms .]*)$/\1/p; s/^failed \((no test.*\)$/\1/p' | sort | uniq -c | sort -rn
}
for kind in idle loaded; do
  found=$(failures "$kind")
  [ -z "$found" ] || printf '\nfailed, %s:\n%s\n' "$kind" "$found"
done
if grep -qh '^failed ' "$logs"/*.log; then exit 1; fi
echo "no test failed in $idle idle and $loaded loaded runs"
