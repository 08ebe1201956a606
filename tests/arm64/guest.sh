#!/bin/busybox sh
# Runs in the emulated machine as root: recordings go to /mnt/out, and beside them what the machine itself prints of them.
esp=/opt/esp/esp-record test=/opt/test/TestProgram out=/mnt/out
export DOTNET_NOLOGO=1

# The recording that the tests read is small: few samples with short stacks, no inlined frames, parts of files only, no recompilation.
small="--sample-rate 150 --stack-dump 1408 --no-switch-stacks --no-inline-info --alloc none --no-requests --program-files symbols"

# A quarter of the default: shares need no more, and the machine reads a few MB of samples a second.
fewer="--sample-rate 250"

record() { # record NAME ARGUMENTS…: a recording, its exit code and how long it took
  name=$1; shift; from=$(cut -d. -f1 /proc/uptime)
  "$@" > $out/$name.record.txt 2>&1
  echo "$name $? $(($(cut -d. -f1 /proc/uptime) - from))" >> $out/recorded.txt
}

table() { # table NAME ARGUMENTS…: a table of all recordings by one process, because its start takes most of its time here
  name=$1; shift; from=$(cut -d. -f1 /proc/uptime)
  /opt/ana/esp-analyze "$@" -f csv -q > $out/$name.csv 2> $out/$name.errors.txt
  echo "$name $? $(($(cut -d. -f1 /proc/uptime) - from))" >> $out/analyzed.txt
}

uname -a
sysctl -w kernel.perf_event_paranoid=2 kernel.kptr_restrict=0
record doctor $esp doctor

record leaves env DOTNET_TieredCompilation=0 $esp record $small --out $out/leaves --no-report -- $test leaves 5000 /opt/test/libsigned.so
record callers $esp record $fewer --out $out/callers --no-report -- $test callers 1500

$test until /tmp/stop /tmp/until.csv > /tmp/until.txt &
until grep -q running /tmp/until.txt; do sleep 1; done
record attach $esp attach $! --duration 3 --no-switch-stacks $fewer --out $out/attach --no-report
touch /tmp/stop
wait

record user su u -c "$esp record --out /tmp/user --no-report -- $test leaves 900"
cp -r /tmp/user $out/
sysctl -w kernel.perf_event_paranoid=3
record ptrace su u -c "$esp record --sampler ptrace --out /tmp/ptrace --no-report -- $test leaves 900"
cp -r /tmp/ptrace $out/

record suite $esp record $fewer --out $out/suite -n 100 -runs 3 -isolate off -serializer '#SystemTextJson,#XmlSerializer' --no-report

cd $out
recordings=$(ls -d leaves callers attach user ptrace suite)
table methods cpu $recordings --top 100000 &
table runs runs $recordings
table tree cpu $recordings --tree
wait
cat /proc/uptime
