#!/usr/bin/env bash
# Draws the README's picture of the report page, docs/images/report.png, from a recording of the suite, and writes the hash of the page's style and scripts beside it.
# A test compares the hash with today's files, so that the picture is drawn again when the page's design changes.
#   dotnet run -c Release --project Recorder -- record --out RECORDING
#   scripts/report-picture.sh RECORDING        # needs chromium; CHROMIUM names another one
set -euo pipefail
[ $# -eq 1 ] && [ -f "$1/recording.json" ] || { echo "expected the folder of one recording: scripts/report-picture.sh RECORDING" >&2; exit 2; }
recording=$(realpath "$1")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

dotnet run -c Release --project Analyzer -- report "$recording" --share -o "$work/report.html"
mkdir -p docs/images
"${CHROMIUM:-chromium}" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --disable-lcd-text --user-data-dir="$work/profile" \
  --force-device-scale-factor=0.7 --window-size=1200,1350 --screenshot="$work/report.png" "file://$work/report.html" 2> "$work/chromium.log" ||
  { cat "$work/chromium.log" >&2; exit 1; }
mv "$work/report.png" docs/images/report.png
# The order is that of the test: style, then scripts, by name.
LC_ALL=C bash -c 'cat Analyzer/Reports/Html/*.css Analyzer/Reports/Html/*.js' | sha256sum | cut -d ' ' -f 1 > docs/images/report.design
wc -c docs/images/report.png
