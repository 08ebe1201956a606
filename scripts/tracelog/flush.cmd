@echo off
rem Written by 'esp-record scripts'. Change the plans in the sources, not this file. Untested on Windows.
rem Writes the events in memory to merged.etl; the sessions continue (mode memory only).
rem   flush.cmd [PRESET] [MODE]     parameters.cmd lists the values
setlocal
call "%~dp0parameters.cmd" %*
if errorlevel 1 exit /b 2
fltmc >nul 2>&1
if errorlevel 1 echo This script needs administrator rights: call it from an elevated command prompt.& exit /b 4
where tracelog >nul 2>&1
if errorlevel 1 echo tracelog is not on the path: find it in the bin folder of the Windows SDK or WDK.& exit /b 3
where xperf >nul 2>&1
if errorlevel 1 echo xperf is not on the path: install the Windows Performance Toolkit.& exit /b 3
if /i not "%MODE%"=="memory" echo Mode file has nothing to flush; start.cmd PRESET memory keeps the newest events in memory.
if /i not "%MODE%"=="memory" exit /b 2
set FAILED=0
goto flush_%PRESET%

:flush_runs
echo write the memory of all sessions to files
xperf -flush esp-clr -f "%OUT%\clr.etl" -flush esp-code -f "%OUT%\code.etl" -flush esp-kernel -f "%OUT%\kernel.etl"
if errorlevel 1 set FAILED=1
echo start the rundown's session
tracelog -start esp-rundown -f "%OUT%\rundown.etl" -b 1024 -min 64 -max 256 -UsePerfCounter -independent
if errorlevel 1 set FAILED=1
echo rundown: enable Microsoft-Windows-DotNETRuntimeRundown
tracelog -enableex esp-rundown -guid #a669021c-c450-4609-a035-5af59af4df18 -matchanykw 0x138 -level 5
if errorlevel 1 set FAILED=1
echo wait %RUNDOWN_SECONDS% s for the rundown
timeout /t %RUNDOWN_SECONDS% /nobreak >nul
echo end the rundown
tracelog -stop esp-rundown
if errorlevel 1 set FAILED=1
echo merge
xperf -merge "%OUT%\clr.etl" "%OUT%\code.etl" "%OUT%\rundown.etl" "%OUT%\kernel.etl" "%OUT%\merged.etl"
if errorlevel 1 set FAILED=1
goto done

:flush_allocation
echo write the memory of all sessions to files
xperf -flush esp-clr -f "%OUT%\clr.etl" -flush esp-code -f "%OUT%\code.etl" -flush esp-alloc -f "%OUT%\alloc.etl" -flush esp-kernel -f "%OUT%\kernel.etl"
if errorlevel 1 set FAILED=1
echo start the rundown's session
tracelog -start esp-rundown -f "%OUT%\rundown.etl" -b 1024 -min 64 -max 256 -UsePerfCounter -independent
if errorlevel 1 set FAILED=1
echo rundown: enable Microsoft-Windows-DotNETRuntimeRundown
tracelog -enableex esp-rundown -guid #a669021c-c450-4609-a035-5af59af4df18 -matchanykw 0x138 -level 5
if errorlevel 1 set FAILED=1
echo wait %RUNDOWN_SECONDS% s for the rundown
timeout /t %RUNDOWN_SECONDS% /nobreak >nul
echo end the rundown
tracelog -stop esp-rundown
if errorlevel 1 set FAILED=1
echo merge
xperf -merge "%OUT%\clr.etl" "%OUT%\code.etl" "%OUT%\alloc.etl" "%OUT%\rundown.etl" "%OUT%\kernel.etl" "%OUT%\merged.etl"
if errorlevel 1 set FAILED=1
goto done

:flush_firstcall
echo write the memory of all sessions to files
xperf -flush esp-clr -f "%OUT%\clr.etl" -flush esp-code -f "%OUT%\code.etl" -flush esp-kernel -f "%OUT%\kernel.etl"
if errorlevel 1 set FAILED=1
echo start the rundown's session
tracelog -start esp-rundown -f "%OUT%\rundown.etl" -b 1024 -min 64 -max 256 -UsePerfCounter -independent
if errorlevel 1 set FAILED=1
echo rundown: enable Microsoft-Windows-DotNETRuntimeRundown
tracelog -enableex esp-rundown -guid #a669021c-c450-4609-a035-5af59af4df18 -matchanykw 0x138 -level 5
if errorlevel 1 set FAILED=1
echo wait %RUNDOWN_SECONDS% s for the rundown
timeout /t %RUNDOWN_SECONDS% /nobreak >nul
echo end the rundown
tracelog -stop esp-rundown
if errorlevel 1 set FAILED=1
echo merge
xperf -merge "%OUT%\clr.etl" "%OUT%\code.etl" "%OUT%\rundown.etl" "%OUT%\kernel.etl" "%OUT%\merged.etl"
if errorlevel 1 set FAILED=1
goto done

:flush_exceptions
echo write the memory of all sessions to files
xperf -flush esp-clr -f "%OUT%\clr.etl" -flush esp-code -f "%OUT%\code.etl" -flush esp-kernel -f "%OUT%\kernel.etl"
if errorlevel 1 set FAILED=1
echo start the rundown's session
tracelog -start esp-rundown -f "%OUT%\rundown.etl" -b 1024 -min 64 -max 256 -UsePerfCounter -independent
if errorlevel 1 set FAILED=1
echo rundown: enable Microsoft-Windows-DotNETRuntimeRundown
tracelog -enableex esp-rundown -guid #a669021c-c450-4609-a035-5af59af4df18 -matchanykw 0x138 -level 5
if errorlevel 1 set FAILED=1
echo wait %RUNDOWN_SECONDS% s for the rundown
timeout /t %RUNDOWN_SECONDS% /nobreak >nul
echo end the rundown
tracelog -stop esp-rundown
if errorlevel 1 set FAILED=1
echo merge
xperf -merge "%OUT%\clr.etl" "%OUT%\code.etl" "%OUT%\rundown.etl" "%OUT%\kernel.etl" "%OUT%\merged.etl"
if errorlevel 1 set FAILED=1
goto done

:done
if "%FAILED%"=="0" echo Written: "%OUT%\merged.etl"
exit /b %FAILED%
