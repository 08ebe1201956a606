@echo off
rem Written by 'esp-record scripts'. Change the plans in the sources, not this file. Untested on Windows.
rem Parameters of all scripts in this folder. Change them here, or set them before you call a script. Needs xperf on the path (Windows Performance Toolkit, Windows SDK).

rem Folder of the recording.
if not defined OUT set "OUT=%~dp0recording"
rem What to record: runs, allocation, firstcall, exceptions. The first argument of a script.
if not defined PRESET set "PRESET=runs"
if not "%~1"=="" set "PRESET=%~1"
rem file: all events go to files. memory: the newest 512 MB stay in memory; flush.cmd and stop.cmd write them. The second argument.
if not defined MODE set "MODE=file"
if not "%~2"=="" set "MODE=%~2"
rem Maximum buffers of 1024 KB for the kernel session and for each user session in mode file; they use non-paged memory.
if not defined KERNEL_MAX_BUFFERS set "KERNEL_MAX_BUFFERS=512"
if not defined USER_MAX_BUFFERS set "USER_MAX_BUFFERS=256"
rem Seconds at the end in which running programs may write the names of their methods.
if not defined RUNDOWN_SECONDS set "RUNDOWN_SECONDS=15"

rem Not possible with xperf: a separate kernel session; xperf uses NT Kernel Logger, which exists only once, so no other profiler can use it meanwhile.
rem   (runs file; runs memory; allocation file; allocation memory; firstcall file; firstcall memory; exceptions file; exceptions memory)
rem Not possible with xperf: stacks of selected events (in:80,81,35) of Microsoft-Windows-DotNETRuntime; all of its events in this session carry stacks, which costs more (--sessions tracelog and traceevent can select).
rem   (runs file; runs memory; allocation file; allocation memory; firstcall file; firstcall memory)
rem Not possible with xperf: stacks of only selected events (in:145) of Microsoft-Windows-DotNETRuntime; no event of this session carries a stack.
rem   (runs file; runs memory; allocation file; allocation memory; firstcall file; firstcall memory)
rem Not possible with xperf: stacks of selected events (in:10) of Microsoft-Windows-DotNETRuntime; all of its events in this session carry stacks, which costs more (--sessions tracelog and traceevent can select).
rem   (allocation file; allocation memory)
rem Not possible with xperf: selecting events by id (in:10) of Microsoft-Windows-DotNETRuntime; all events of its keywords and level are recorded.
rem   (allocation file; allocation memory)
rem Not possible with xperf: stacks of selected events (in:80) of Microsoft-Windows-DotNETRuntime; all of its events in this session carry stacks, which costs more (--sessions tracelog and traceevent can select).
rem   (exceptions file; exceptions memory)

for %%P in (runs allocation firstcall exceptions) do if /i "%PRESET%"=="%%P" goto preset_known
echo PRESET is '%PRESET%': parameters.cmd lists the possible values.
exit /b 2
:preset_known
if /i "%MODE%"=="file" exit /b 0
if /i "%MODE%"=="memory" exit /b 0
echo MODE is '%MODE%': it must be file or memory.
exit /b 2
