@echo off
rem Written by 'esp-record scripts'. Change the plans in the sources, not this file. Untested on Windows.
rem Parameters of all scripts of this folder. Change them here, or set them before a script is called. Needs xperf on the path (Windows Performance Toolkit, Windows SDK).

rem Folder of the recording.
if not defined OUT set "OUT=%~dp0recording"
rem What is recorded: runs, allocation, firstcall, exceptions. The first argument of a script.
if not defined PRESET set "PRESET=runs"
if not "%~1"=="" set "PRESET=%~1"
rem file: everything goes to files. memory: the newest 512 MB stay in memory; flush.cmd and stop.cmd write them. The second argument.
if not defined MODE set "MODE=file"
if not "%~2"=="" set "MODE=%~2"
rem Most buffers of 1024 KB for the kernel session and for each user session in mode file; memory that cannot be paged out.
if not defined KERNEL_MAX_BUFFERS set "KERNEL_MAX_BUFFERS=512"
if not defined USER_MAX_BUFFERS set "USER_MAX_BUFFERS=256"
rem How long programs that still run may write the names of their methods at the end.
if not defined RUNDOWN_SECONDS set "RUNDOWN_SECONDS=15"

rem Not possible with xperf: a kernel session of its own; NT Kernel Logger is used, of which there is one only: no other profiler may run.
rem   (runs file; runs memory; allocation file; allocation memory; firstcall file; firstcall memory; exceptions file; exceptions memory)
rem Not possible with xperf: stacks of chosen events (in:80,81,35) of Microsoft-Windows-DotNETRuntime; all of its events in this session carry one, which costs more (--sessions tracelog and traceevent can).
rem   (runs file; runs memory; allocation file; allocation memory; firstcall file; firstcall memory)
rem Not possible with xperf: stacks of chosen events (in:145) of Microsoft-Windows-DotNETRuntime beside events without; none of this session carries one.
rem   (runs file; runs memory; allocation file; allocation memory; firstcall file; firstcall memory)
rem Not possible with xperf: stacks of chosen events (in:10) of Microsoft-Windows-DotNETRuntime; all of its events in this session carry one, which costs more (--sessions tracelog and traceevent can).
rem   (allocation file; allocation memory)
rem Not possible with xperf: choosing events by id (in:10) of Microsoft-Windows-DotNETRuntime; all that its keywords and level let through are recorded.
rem   (allocation file; allocation memory)
rem Not possible with xperf: stacks of chosen events (in:80) of Microsoft-Windows-DotNETRuntime; all of its events in this session carry one, which costs more (--sessions tracelog and traceevent can).
rem   (exceptions file; exceptions memory)

for %%P in (runs allocation firstcall exceptions) do if /i "%PRESET%"=="%%P" goto preset_known
echo PRESET is '%PRESET%': it has to be one of those that parameters.cmd names.
exit /b 2
:preset_known
if /i "%MODE%"=="file" exit /b 0
if /i "%MODE%"=="memory" exit /b 0
echo MODE is '%MODE%': it has to be file or memory.
exit /b 2
