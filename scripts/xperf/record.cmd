@echo off
rem Written by 'esp-record scripts'. Change the plans in the sources, not this file. Untested on Windows.
rem A whole recording: starts, waits until you have run the program, stops (arguments as for start.cmd).
rem   record.cmd [PRESET] [MODE]     parameters.cmd says which there are
setlocal
call "%~dp0parameters.cmd" %*
if errorlevel 1 exit /b 2
fltmc >nul 2>&1
if errorlevel 1 echo This needs administrator's rights: start an elevated command prompt and call it again.& exit /b 4
where xperf >nul 2>&1 || (echo xperf is not on the path: install the Windows Performance Toolkit.& exit /b 3)
call "%~dp0start.cmd" %PRESET% %MODE%
if errorlevel 1 exit /b 1
echo Now run the program in an ordinary window: in this one it would have administrator's rights, which it does not have otherwise.
pause
call "%~dp0stop.cmd" %PRESET% %MODE%
exit /b %ERRORLEVEL%
