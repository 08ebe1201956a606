@echo off
rem Written by 'esp-record scripts'. Change the plans in the sources, not this file. Untested on Windows.
rem Stops the sessions that start.cmd started with the same arguments, and writes merged.etl (continues after a failed step, so that no session is left running).
rem   stop.cmd [PRESET] [MODE]     parameters.cmd lists the values
setlocal
call "%~dp0parameters.cmd" %*
if errorlevel 1 exit /b 2
fltmc >nul 2>&1
if errorlevel 1 echo This script needs administrator rights: call it from an elevated command prompt.& exit /b 4
where tracelog >nul 2>&1
if errorlevel 1 echo tracelog is not on the path: find it in the bin folder of the Windows SDK or WDK.& exit /b 3
where xperf >nul 2>&1
if errorlevel 1 echo xperf is not on the path: install the Windows Performance Toolkit.& exit /b 3
set FAILED=0
goto stop_%PRESET%_%MODE%

:stop_runs_file
echo stop all sessions
xperf -stop esp-clr -stop esp-code -stop esp-kernel
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

:stop_runs_memory
echo write the memory of all sessions to files
xperf -flush esp-clr -f "%OUT%\clr.etl" -flush esp-code -f "%OUT%\code.etl" -flush esp-kernel -f "%OUT%\kernel.etl"
if errorlevel 1 set FAILED=1
echo stop all sessions
xperf -stop esp-clr -stop esp-code -stop esp-kernel
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

:stop_allocation_file
echo stop all sessions
xperf -stop esp-clr -stop esp-code -stop esp-alloc -stop esp-kernel
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

:stop_allocation_memory
echo write the memory of all sessions to files
xperf -flush esp-clr -f "%OUT%\clr.etl" -flush esp-code -f "%OUT%\code.etl" -flush esp-alloc -f "%OUT%\alloc.etl" -flush esp-kernel -f "%OUT%\kernel.etl"
if errorlevel 1 set FAILED=1
echo stop all sessions
xperf -stop esp-clr -stop esp-code -stop esp-alloc -stop esp-kernel
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

:stop_firstcall_file
echo stop all sessions
xperf -stop esp-clr -stop esp-code -stop esp-kernel
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

:stop_firstcall_memory
echo write the memory of all sessions to files
xperf -flush esp-clr -f "%OUT%\clr.etl" -flush esp-code -f "%OUT%\code.etl" -flush esp-kernel -f "%OUT%\kernel.etl"
if errorlevel 1 set FAILED=1
echo stop all sessions
xperf -stop esp-clr -stop esp-code -stop esp-kernel
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

:stop_exceptions_file
echo stop all sessions
xperf -stop esp-clr -stop esp-code -stop esp-kernel
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

:stop_exceptions_memory
echo write the memory of all sessions to files
xperf -flush esp-clr -f "%OUT%\clr.etl" -flush esp-code -f "%OUT%\code.etl" -flush esp-kernel -f "%OUT%\kernel.etl"
if errorlevel 1 set FAILED=1
echo stop all sessions
xperf -stop esp-clr -stop esp-code -stop esp-kernel
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
