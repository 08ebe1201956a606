#!/usr/bin/env bash
# What a new user waits for: builds, the first command, the first screens of an installed esp-analyze. Prints rows of docs/performance.md.
# Usage: benchmarks/first-use.sh [REPETITIONS] on a quiet machine with the packages in NuGet's cache; takes about 15 minutes.
set -euo pipefail
repetitions=${1:-5}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1

now() { date +%s.%N; }
row() { printf '| %s | %s |\n' "$1" "$2"; }

# Seconds that a command takes; its output goes to $work/log.
seconds() {
  local start
  start=$(now)
  "$@" > "$work/log" 2>&1 < /dev/null || { cat "$work/log" >&2; exit 1; }
  awk -v start="$start" -v end="$(now)" 'BEGIN { printf "%.2f\n", end - start }'
}

# Median, minimum and maximum of the repetitions, in seconds.
repeated() {
  for _ in $(seq "$repetitions"); do seconds "$@"; done | sort -n |
    awk '{ value[NR] = $1 } END { printf "%.2f s (%.2f to %.2f, %d times)\n", value[int((NR + 1) / 2)], value[1], value[NR], NR }'
}

git clone -q "$root" "$work/clone"
cd "$work/clone"
row "commit, processors, load before" "$(git rev-parse --short HEAD), $(nproc), $(cut -d ' ' -f 1 /proc/loadavg)"

start=$(now)
dotnet run -c Release --project Recorder -- --out "$work/recording" 2>&1 < /dev/null | { IFS= read -r _; now > "$work/first"; cat > "$work/log"; }
row "fresh clone to the first line of output" "$(awk -v start="$start" '{ printf "%.0f", $1 - start }' "$work/first") s"
row "fresh clone to the summary" "$(now | awk -v start="$start" '{ printf "%.0f", $1 - start }') s"
row "size of the default recording" "$(du -sm "$work/recording" | cut -f 1) MB, of which perf.data $(du -m "$work/recording/perf.data" 2>/dev/null | cut -f 1) MB"

dotnet build Analyzer > "$work/log" 2>&1
row "dotnet run --project Analyzer -- --help, already built" "$(repeated dotnet run --project Analyzer -- --help)"

dotnet pack Analyzer -p:PrecompiledTools=linux-x64 -o "$work/packages" > "$work/log" 2>&1
dotnet tool install esp-analyze --tool-path "$work/tools" --source "$work/packages" --version "$(ls "$work/packages" |
  sed -n 's/^esp-analyze\.\([0-9].*\)\.nupkg$/\1/p' | head -n 1)" > "$work/log" 2>&1
dotnet build -c Release benchmarks > "$work/log" 2>&1
dotnet run -c Release --no-build --project benchmarks -- etl-make "$work/small.etl" 4MB > "$work/log" 2>&1
row "esp-analyze stats of an .etl of 5.5 MB, installed" "$(repeated "$work/tools/esp-analyze" stats "$work/small.etl" --quiet)"
row "esp-analyze RECORDING, the default one, installed" "$(repeated "$work/tools/esp-analyze" "$work/recording" --quiet)"
"$work/tools/esp-analyze" "$work/recording" --verbose > "$work/log" 2>&1
row "its CPU time and memory" "$(grep -o 'took .*' "$work/log")"
row "esp-analyze report of it, installed" "$(repeated "$work/tools/esp-analyze" report "$work/recording" --quiet)"

rm -rf artifacts
row "Release build of the solution" "$(seconds dotnet build -c Release EtwSerializerProfiler.sln) s"
echo "// changed" >> Analyzer/Traces/TraceClock.cs
row "the same after one changed file (Traces)" "$(seconds dotnet build -c Release EtwSerializerProfiler.sln) s"
