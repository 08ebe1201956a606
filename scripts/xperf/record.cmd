@echo off
rem Written by 'esp-record scripts'. Change the plans in the sources, not this file. Untested on Windows.
rem Makes a complete recording: starts, runs the program without administrator rights, stops (without PROGRAM it waits until you have run it).
rem   record.cmd [PRESET] [MODE] [PROGRAM ARGUMENTS]     parameters.cmd lists the values
setlocal
call "%~dp0parameters.cmd" %*
if errorlevel 1 exit /b 2
fltmc >nul 2>&1
if errorlevel 1 echo This script needs administrator rights: call it from an elevated command prompt.& exit /b 4
where xperf >nul 2>&1
if errorlevel 1 echo xperf is not on the path: install the Windows Performance Toolkit.& exit /b 3
set "PROGRAM="
rem Take all arguments from the third unchanged: %3 and so on would end at each comma.
set ALL_ARGUMENTS=%*
if not defined ALL_ARGUMENTS goto arguments_read
setlocal EnableDelayedExpansion
for /f "tokens=1,2*" %%A in ("!ALL_ARGUMENTS!") do endlocal& set PROGRAM=%%C
:arguments_read
call "%~dp0start.cmd" %PRESET% %MODE%
if errorlevel 1 exit /b 1
if defined PROGRAM goto run_program
echo Now run the program in an ordinary window. In this window it would have administrator rights.
pause
goto stop_all

:run_program
if exist "%OUT%\program.done" del "%OUT%\program.done"
>"%OUT%\program.cmd" echo @cd /d "%CD%"
>>"%OUT%\program.cmd" echo @call %PROGRAM%
>>"%OUT%\program.cmd" echo @^>"%OUT%\program.done" echo %%ERRORLEVEL%%
explorer "%OUT%\program.cmd"
echo The program runs in a separate window with the variables of the desktop. If you close that window, press Ctrl+C here, then run stop.cmd %PRESET% %MODE%.
:wait_program
timeout /t 1 /nobreak >nul
if not exist "%OUT%\program.done" goto wait_program
set /p PROGRAM_EXIT=<"%OUT%\program.done"
echo The program ended with exit code %PROGRAM_EXIT%.

:stop_all
call "%~dp0stop.cmd" %PRESET% %MODE%
exit /b %ERRORLEVEL%
