#!/usr/bin/env bash
# Runs the tools' builds for Windows under Wine and prints a table of checks. Exit code 1: a check failed; 2: something could not be set up.
#   tests/wine/run.sh [FOLDER]      # builds and machine stay in FOLDER, artifacts/wine unless given; the next run reuses them
# Needs Linux on x64, the .NET SDK, and apt-get install wine wine64 gcc-mingw-w64-x86-64-win32. Skips without them.
# Wine 8 has no ETW (a stand-in logs its calls: etw.c) and no states of threads (ntdll.c), does not list named pipes (ps, attach), and has no
# cycles of threads, so CPU time is in steps there.
set -u
cd "$(dirname "$0")/../.."
export DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1
work=$(realpath -m "${1:-artifacts/wine}")
wine=/usr/lib/wine/wine64 compiler=x86_64-w64-mingw32-gcc
[ -x $wine ] || { echo "skipped: $wine is missing (apt-get install wine wine64)"; exit 0; }
command -v $compiler >/dev/null ||
  { echo "skipped: $compiler is missing (apt-get install gcc-mingw-w64-x86-64-win32)"; exit 0; }
mkdir -p "$work/package" "$work/out" "$work/tools"

stop() { echo "$1: see $2" >&2; exit 2; }

tested=(Marks Etl Configuration Analysis Traces) # their test classes run, but for those in left-out.txt

# 1. The tools with executables for Windows. Their libraries are those of every system, so the analyzer runs on Linux from the same build.
bin=$work/build/bin
for project in Recorder Analyzer "${tested[@]/%/.Tests}"; do
  [ -d "$project" ] || project=tests/$project
  dotnet build "$project" -m:2 -c Release -p:DefaultAppHostRuntimeIdentifier=win-x64 -p:ArtifactsPath="$work/build" >"$work/build.log" 2>&1 ||
    stop "$project does not build" "$work/build.log"
done
recorder=$bin/Recorder/release/esp-record.exe analyzer=$bin/Analyzer/release/esp-analyze

# 2. Windows's runtime, from its package: hostfxr, and the shared framework.
version=$(dotnet --list-runtimes | sed -n 's/^Microsoft\.NETCore\.App \(10\.[^ ]*\).*/\1/p' | tail -1)
if [ ! -d "$work/dotnet/host/fxr/$version" ]; then
  cat >"$work/package/package.csproj" <<XML
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <RestorePackagesPath>$work/package/packages</RestorePackagesPath>
  </PropertyGroup>
  <ItemGroup><PackageDownload Include="Microsoft.NETCore.App.Runtime.win-x64" Version="[$version]" /></ItemGroup>
</Project>
XML
  for file in Directory.Build.props Directory.Build.targets Directory.Packages.props; do
    echo '<Project />' >"$work/package/$file" # not the repository's
  done
  dotnet restore "$work/package" >"$work/package.log" 2>&1 || stop "Windows's runtime $version cannot be restored" "$work/package.log"
  files=$work/package/packages/microsoft.netcore.app.runtime.win-x64/$version/runtimes/win-x64
  framework=$work/dotnet/shared/Microsoft.NETCore.App/$version
  mkdir -p "$framework" "$work/dotnet/host/fxr/$version"
  cp "$files"/lib/net10.0/* "$files"/native/* "$framework/" &&
    cp "$files/native/hostfxr.dll" "$work/dotnet/host/fxr/$version/" ||
    stop "Windows's runtime $version is incomplete" "$files"
fi

# 3. Wine as Windows 10, with a stand-in for what it lacks.
windows() { echo "Z:${1//\//\\}"; }
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mshtml,winedbg.exe=;tdh=n;ntdll=n,b'
export DOTNET_EnableWriteXorExecute=0 DOTNET_ROOT
DOTNET_ROOT=$(windows "$work/dotnet")
[ -d "$WINEPREFIX" ] || timeout 120 $wine wineboot -i >"$work/wine.log" 2>&1
timeout 60 $wine reg add 'HKCU\Software\Wine' /v Version /d win10 /f >>"$work/wine.log" 2>&1 || stop "Wine does not start" "$work/wine.log"
system=$WINEPREFIX/drive_c/windows/system32
$compiler -shared -o "$system/tdh.dll" tests/wine/tdh.c &&
  $compiler -O1 -shared -o "$bin/Recorder/release/workload/ntdll.dll" tests/wine/ntdll.c &&
  cp "$bin/Recorder/release/workload/ntdll.dll" "$bin/Marks.Tests/release/" &&
  $compiler -municode -o "$work/arguments.exe" tests/wine/arguments.c &&
  $compiler -o "$work/tool.exe" tests/wine/tool.c &&
  $compiler -c -O1 -o "$work/etw.o" tests/wine/etw.c ||
  stop "the stand-ins do not compile" tests/wine

# 4. A recorder beside a stand-in for advapi32.dll and KernelTraceControl.dll. What it lacks it takes from Wine's advapi32, under another name.
ours=$(${compiler%gcc}nm "$work/etw.o" | awk '$2 == "T" && $3 != "DllMain" { print $3 }')
own=/usr/lib/x86_64-linux-gnu/wine/x86_64-windows/advapi32.dll
others=$(${compiler%gcc}objdump -p $own | sed -n '/Ordinal\/Name Pointer/,$p' | awk '/^\t\[/ { print $NF }' | grep -vxF "$ours")
{ echo EXPORTS; echo "$ours"; sed 's/.*/&=advapi32own.&/' <<<"$others"; } >"$work/etw.def"
rm -rf "$work/etw"
cp -r "$bin/Recorder/release" "$work/etw" && cp $own "$system/advapi32own.dll" &&
  $compiler -shared -o "$work/etw/advapi32.dll" "$work/etw.o" "$work/etw.def" &&
  cp "$work/etw/advapi32.dll" "$work/etw/KernelTraceControl.dll" ||
  stop "the stand-in for ETW cannot be set up" "$work/etw.def"

failed=0
check() { # check NAME COMMAND…: runs it, with a second try, because Wine 8 crashes or hangs now and then
  local name=$1 from=$SECONDS tries result=failed
  shift
  for tries in 1 2; do
    if "$@" >"$work/out/check.log" 2>&1; then
      result=passed
      break
    fi
  done
  [ $result = passed ] || { failed=1; sed 's/^/    /' "$work/out/check.log" | tail -20; }
  printf '%-64s %-7s %4d s%s\n' "$name" $result $((SECONDS - from)) "$([ "$tries" = 1 ] || echo ', second try')"
}

on_wine() { timeout "$1" $wine "${@:2}"; }
on_linux() { env -u DOTNET_ROOT dotnet exec "$analyzer.dll" "$@"; }

same() { # same ANALYZER REPORT TRACE: the analyzer's output on Windows, but for line ends, is that on Linux
  local program=$1
  shift
  on_linux "$1" "$2" >"$work/out/linux.txt" 2>"$work/out/linux.err" || return 1
  on_wine 120 "$program" "$1" "$2" 2>"$work/out/wine.err" | tr -d '\r' >"$work/out/wine.txt"
  # A full path begins with Z: there, and has \.
  diff <(tr '\\' / <"$work/out/linux.txt") <(sed 's/Z:\\/\\/g' "$work/out/wine.txt" | tr '\\' /)
}

arguments() { # arguments RECORDER: they reach a recorded program unchanged
  local given=('a b c' 'say "no"' 'back\slash\' '' 'tail\"' 'µ │ ×' '%PATH%' '&|<>^')
  rm -rf "$work/out/arguments"
  on_wine 120 "$1" --no-analyze --out "$(windows "$work/out/arguments")" -- "$(windows "$work/arguments.exe")" "${given[@]}" \
    2>/dev/null | tr -d '\r' | grep '^\[' >"$work/out/arguments.txt"
  diff <(printf '[%s]\n' "${given[@]}") "$work/out/arguments.txt"
}

recording() { # the suite with the sampler that needs no right
  rm -rf "$work/out/suite"
  on_wine 400 "$recorder" record --sampler eventpipe --out "$(windows "$work/out/suite")" \
    -serializer SystemTextJson,BinaryFormatter -n 10000 -runs 3 >"$work/out/suite.txt" 2>"$work/out/suite.err"
  local code=$?
  [ $code = 0 ] || { tail -5 "$work/out/suite.err"; return 1; }
}

read_on_linux() { on_linux "$@" "$work/out/suite" --format json >"$work/out/read.json" 2>"$work/out/read.err"; }
runs_are_marked() { read_on_linux runs && python3 tests/wine/read.py "$work/out/read.json"; }
causes_are_there() { read_on_linux causes && python3 tests/wine/read.py "$work/out/read.json"; }
table_is_utf8() { grep -q '×' "$work/out/suite.txt"; }
no_linux_words() {
  on_wine 120 "$recorder" doctor >"$work/out/doctor.txt" 2>&1
  grep -q "EventPipe's sample profiler" "$work/out/doctor.txt" &&
    ! grep -E 'perf_event|CAP_|TMPDIR|ptrace|apt-get|sysctl' "$work/out/doctor.txt"
}

etw() { # etw plans|failures
  WINEDLLOVERRIDES="$WINEDLLOVERRIDES;advapi32=n,b" timeout 600 \
    python3 tests/wine/etw.py "$1" $wine "$work/etw/esp-record.exe" "$work/arguments.exe" "$work/out/net10.etl" "$work/out"
}

scripts() { timeout 600 python3 tests/wine/scripts.py $wine "$work/tool.exe" "$work/out"; }

# The packages of the tools as 'dotnet tool install' unpacks them on Windows, precompiled.
pack() {
  local tool
  for tool in Recorder Analyzer; do
    dotnet pack $tool -m:2 -c Release -p:PrecompiledTools=win-x64 -p:ArtifactsPath="$work/pack" \
      -p:PackageOutputPath="$work/packages" >"$work/out/pack.log" 2>&1 || return 1
  done
  for tool in record analyze; do
    rm -rf "$work/tools/$tool"
    python3 -m zipfile -e "$work"/packages/esp-$tool.win-x64.*.nupkg "$work/tools/$tool" || return 1
  done
}
installed_tool() { echo "$work"/tools/"$1"/tools/*/win-x64/esp-"$1".exe; }

classes() { # classes PROJECT
  DOTNET_GCgen0size=40000000 DOTNET_gcConcurrent=0 DOTNET_EnableAVX=0 timeout 900 python3 tests/wine/classes.py $wine "$bin" "$1"
}

echo "Wine $($wine --version), .NET $version, $(date -u +%Y-%m-%d)"
on_linux export tests/TestData/net10 --to etl -o "$work/out/net10.etl" >"$work/out/export.log" 2>&1
mapfile -t traces < <(find tests/TestData -name '*.nettrace' -o -name '*.data' | sort)
traces+=("$work/out/net10.etl")
check 'table net10 (a recording) as on Linux' same "$analyzer.exe" table tests/TestData/net10
for trace in "${traces[@]}"; do
  for report in stats table; do
    check "$report $(basename "$trace") as on Linux" same "$analyzer.exe" $report "$trace"
  done
done
check 'arguments of a recorded program' arguments "$recorder"
check 'the suite is recorded (--sampler eventpipe)' recording
check 'its table is UTF-8' table_is_utf8
check 'its runs, read on Linux' runs_are_marked
tail -1 "$work/out/check.log" | sed 's/^/    /'
check 'its causes, read on Linux' causes_are_there
tail -1 "$work/out/check.log" | sed 's/^/    /'
check "doctor names none of Linux's rights" no_linux_words
check 'ETW calls are those of the plan (--sessions traceevent)' etw plans
tail -1 "$work/out/check.log" | sed 's/^/    /'
check 'an ETW call that fails leaves no session' etw failures
tail -1 "$work/out/check.log" | sed 's/^/    /'
check 'scripts for cmd.exe, with stand-ins for xperf, tracelog, procdump' scripts
tail -1 "$work/out/check.log" | sed 's/^/    /'
check 'packages of the tools for win-x64 are made on Linux' pack
check 'esp-analyze of its package: table net10 as on Linux' same "$(installed_tool analyze)" table tests/TestData/net10
check 'esp-record of its package: arguments of a recorded program' arguments "$(installed_tool record)"
for project in "${tested[@]}"; do
  check "test classes: $project" classes "$project"
  tail -1 "$work/out/check.log" | sed 's/^/    /'
done
exit $failed
