@echo off
rem Written by 'esp-record scripts'. Change the plans in the sources, not this file. Untested on Windows.
rem Takes a dump at the throw of an exception whose type or message contains a text, by procdump of Sysinternals.
rem   dump.cmd TEXT PROCESS [COUNT]     PROCESS: a process id, or the name of a program that is running or not started yet (MyApp.exe)
setlocal
if "%~2"=="" echo dump.cmd TEXT PROCESS [COUNT]& exit /b 2
if not defined OUT set "OUT=%~dp0dumps"
set "COUNT=1"
if not "%~3"=="" set "COUNT=%~3"
where procdump >nul 2>&1
if errorlevel 1 echo procdump is not on the path: install it from the Sysinternals tools.& exit /b 3
if not exist "%OUT%" mkdir "%OUT%"
if errorlevel 1 exit /b 1
rem Wait for a name, not for a process id.
set "WAIT="
for /f "delims=0123456789" %%P in ("%~2") do set "WAIT=-w"
procdump -accepteula -mp -n %COUNT% -e 1 -f "%~1" %WAIT% "%~2" "%OUT%"
rem procdump's exit code is the number of dumps.
if exist "%OUT%\*.dmp" exit /b 0
exit /b 1
