@echo off
rem Written by 'esp-record scripts'. Change the plans in the sources, not this file. Untested on Windows.
rem Starts the sessions of a recording (then run the program in an ordinary window, and stop.cmd with the same arguments in this one).
rem   start.cmd [PRESET] [MODE]     parameters.cmd lists the values
setlocal
call "%~dp0parameters.cmd" %*
if errorlevel 1 exit /b 2
fltmc >nul 2>&1
if errorlevel 1 echo This script needs administrator rights: call it from an elevated command prompt.& exit /b 4
where tracelog >nul 2>&1
if errorlevel 1 echo tracelog is not on the path: find it in the bin folder of the Windows SDK or WDK.& exit /b 3
where xperf >nul 2>&1
if errorlevel 1 echo xperf is not on the path: install the Windows Performance Toolkit.& exit /b 3
if not exist "%OUT%" mkdir "%OUT%"
if errorlevel 1 exit /b 1
goto start_%PRESET%_%MODE%

:start_runs_file
echo start session clr
tracelog -start esp-clr -f "%OUT%\clr.etl" -b 1024 -min 64 -max %USER_MAX_BUFFERS% -UsePerfCounter -independent
if errorlevel 1 goto undo_runs_file_0
echo clr: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-clr -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x9C001 -level 4 -enableproperty 4 -StackWalkFilter -in 3 80 81 35
if errorlevel 1 goto undo_runs_file_1
echo clr: enable EtwSerializerProfiler-Runs
tracelog -enableex esp-clr -guid #3c205442-14fb-5713-c99e-4e4e92f1abe2 -matchanykw 0xFFFFFFFFFFFFFFFF -level 4
if errorlevel 1 goto undo_runs_file_1
echo start session code
tracelog -start esp-code -f "%OUT%\code.etl" -b 1024 -min 64 -max %USER_MAX_BUFFERS% -UsePerfCounter -independent
if errorlevel 1 goto undo_runs_file_1
echo code: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-code -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x44000080038 -level 5 -enableproperty 4 -StackWalkFilter -in 1 145
if errorlevel 1 goto undo_runs_file_2
echo code: enable Microsoft-Windows-DotNETRuntimeRundown
tracelog -enableex esp-code -guid #a669021c-c450-4609-a035-5af59af4df18 -matchanykw 0x138 -level 5
if errorlevel 1 goto undo_runs_file_2
echo code: enable Microsoft-Windows-DotNETRuntimePrivate
tracelog -enableex esp-code -guid #763fd754-7086-4dfe-95eb-c01a46faf4ca -matchanykw 0x40000 -level 5
if errorlevel 1 goto undo_runs_file_2
echo start the kernel session
tracelog -start esp-kernel -systemlogger -independent -eflag PROC_THREAD+LOADER+PROFILE+CSWITCH+DISPATCHER -stackwalk Profile+CSwitch+ReadyThread -f "%OUT%\kernel.etl" -b 1024 -min 128 -max %KERNEL_MAX_BUFFERS% -UsePerfCounter
if errorlevel 1 goto undo_runs_file_2
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_runs_file_2
tracelog -stop esp-code
:undo_runs_file_1
tracelog -stop esp-clr
:undo_runs_file_0
echo The start failed. All started sessions were stopped.
exit /b 1

:start_runs_memory
echo start session clr
tracelog -start esp-clr -buffering -b 1024 -min 76 -max 76 -UsePerfCounter -independent
if errorlevel 1 goto undo_runs_memory_0
echo clr: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-clr -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x9C001 -level 4 -enableproperty 4 -StackWalkFilter -in 3 80 81 35
if errorlevel 1 goto undo_runs_memory_1
echo clr: enable EtwSerializerProfiler-Runs
tracelog -enableex esp-clr -guid #3c205442-14fb-5713-c99e-4e4e92f1abe2 -matchanykw 0xFFFFFFFFFFFFFFFF -level 4
if errorlevel 1 goto undo_runs_memory_1
echo start session code
tracelog -start esp-code -buffering -b 1024 -min 76 -max 76 -UsePerfCounter -independent
if errorlevel 1 goto undo_runs_memory_1
echo code: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-code -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x44000080038 -level 5 -enableproperty 4 -StackWalkFilter -in 1 145
if errorlevel 1 goto undo_runs_memory_2
echo code: enable Microsoft-Windows-DotNETRuntimeRundown
tracelog -enableex esp-code -guid #a669021c-c450-4609-a035-5af59af4df18 -matchanykw 0x138 -level 5
if errorlevel 1 goto undo_runs_memory_2
echo code: enable Microsoft-Windows-DotNETRuntimePrivate
tracelog -enableex esp-code -guid #763fd754-7086-4dfe-95eb-c01a46faf4ca -matchanykw 0x40000 -level 5
if errorlevel 1 goto undo_runs_memory_2
echo start the kernel session
tracelog -start esp-kernel -systemlogger -independent -eflag PROC_THREAD+LOADER+PROFILE+CSWITCH+DISPATCHER -stackwalk Profile+CSwitch+ReadyThread -buffering -b 1024 -min 358 -max 358 -UsePerfCounter
if errorlevel 1 goto undo_runs_memory_2
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_runs_memory_2
tracelog -stop esp-code
:undo_runs_memory_1
tracelog -stop esp-clr
:undo_runs_memory_0
echo The start failed. All started sessions were stopped.
exit /b 1

:start_allocation_file
echo start session clr
tracelog -start esp-clr -f "%OUT%\clr.etl" -b 1024 -min 64 -max %USER_MAX_BUFFERS% -UsePerfCounter -independent
if errorlevel 1 goto undo_allocation_file_0
echo clr: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-clr -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x9C001 -level 4 -enableproperty 4 -StackWalkFilter -in 3 80 81 35
if errorlevel 1 goto undo_allocation_file_1
echo clr: enable EtwSerializerProfiler-Runs
tracelog -enableex esp-clr -guid #3c205442-14fb-5713-c99e-4e4e92f1abe2 -matchanykw 0xFFFFFFFFFFFFFFFF -level 4
if errorlevel 1 goto undo_allocation_file_1
echo start session code
tracelog -start esp-code -f "%OUT%\code.etl" -b 1024 -min 64 -max %USER_MAX_BUFFERS% -UsePerfCounter -independent
if errorlevel 1 goto undo_allocation_file_1
echo code: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-code -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x44000080038 -level 5 -enableproperty 4 -StackWalkFilter -in 1 145
if errorlevel 1 goto undo_allocation_file_2
echo code: enable Microsoft-Windows-DotNETRuntimeRundown
tracelog -enableex esp-code -guid #a669021c-c450-4609-a035-5af59af4df18 -matchanykw 0x138 -level 5
if errorlevel 1 goto undo_allocation_file_2
echo code: enable Microsoft-Windows-DotNETRuntimePrivate
tracelog -enableex esp-code -guid #763fd754-7086-4dfe-95eb-c01a46faf4ca -matchanykw 0x40000 -level 5
if errorlevel 1 goto undo_allocation_file_2
echo start session alloc
tracelog -start esp-alloc -f "%OUT%\alloc.etl" -b 1024 -min 64 -max %USER_MAX_BUFFERS% -UsePerfCounter -independent
if errorlevel 1 goto undo_allocation_file_2
echo alloc: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-alloc -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x1 -level 5 -enableproperty 4 -StackWalkFilter -in 1 10 -EventIdFilter -in 1 10
if errorlevel 1 goto undo_allocation_file_3
echo start the kernel session
tracelog -start esp-kernel -systemlogger -independent -eflag PROC_THREAD+LOADER+CSWITCH+DISPATCHER -f "%OUT%\kernel.etl" -b 1024 -min 128 -max %KERNEL_MAX_BUFFERS% -UsePerfCounter
if errorlevel 1 goto undo_allocation_file_3
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_allocation_file_3
tracelog -stop esp-alloc
:undo_allocation_file_2
tracelog -stop esp-code
:undo_allocation_file_1
tracelog -stop esp-clr
:undo_allocation_file_0
echo The start failed. All started sessions were stopped.
exit /b 1

:start_allocation_memory
echo start session clr
tracelog -start esp-clr -buffering -b 1024 -min 51 -max 51 -UsePerfCounter -independent
if errorlevel 1 goto undo_allocation_memory_0
echo clr: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-clr -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x9C001 -level 4 -enableproperty 4 -StackWalkFilter -in 3 80 81 35
if errorlevel 1 goto undo_allocation_memory_1
echo clr: enable EtwSerializerProfiler-Runs
tracelog -enableex esp-clr -guid #3c205442-14fb-5713-c99e-4e4e92f1abe2 -matchanykw 0xFFFFFFFFFFFFFFFF -level 4
if errorlevel 1 goto undo_allocation_memory_1
echo start session code
tracelog -start esp-code -buffering -b 1024 -min 51 -max 51 -UsePerfCounter -independent
if errorlevel 1 goto undo_allocation_memory_1
echo code: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-code -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x44000080038 -level 5 -enableproperty 4 -StackWalkFilter -in 1 145
if errorlevel 1 goto undo_allocation_memory_2
echo code: enable Microsoft-Windows-DotNETRuntimeRundown
tracelog -enableex esp-code -guid #a669021c-c450-4609-a035-5af59af4df18 -matchanykw 0x138 -level 5
if errorlevel 1 goto undo_allocation_memory_2
echo code: enable Microsoft-Windows-DotNETRuntimePrivate
tracelog -enableex esp-code -guid #763fd754-7086-4dfe-95eb-c01a46faf4ca -matchanykw 0x40000 -level 5
if errorlevel 1 goto undo_allocation_memory_2
echo start session alloc
tracelog -start esp-alloc -buffering -b 1024 -min 51 -max 51 -UsePerfCounter -independent
if errorlevel 1 goto undo_allocation_memory_2
echo alloc: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-alloc -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x1 -level 5 -enableproperty 4 -StackWalkFilter -in 1 10 -EventIdFilter -in 1 10
if errorlevel 1 goto undo_allocation_memory_3
echo start the kernel session
tracelog -start esp-kernel -systemlogger -independent -eflag PROC_THREAD+LOADER+CSWITCH+DISPATCHER -buffering -b 1024 -min 358 -max 358 -UsePerfCounter
if errorlevel 1 goto undo_allocation_memory_3
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_allocation_memory_3
tracelog -stop esp-alloc
:undo_allocation_memory_2
tracelog -stop esp-code
:undo_allocation_memory_1
tracelog -stop esp-clr
:undo_allocation_memory_0
echo The start failed. All started sessions were stopped.
exit /b 1

:start_firstcall_file
echo start session clr
tracelog -start esp-clr -f "%OUT%\clr.etl" -b 1024 -min 64 -max %USER_MAX_BUFFERS% -UsePerfCounter -independent
if errorlevel 1 goto undo_firstcall_file_0
echo clr: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-clr -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x9C001 -level 4 -enableproperty 4 -StackWalkFilter -in 3 80 81 35
if errorlevel 1 goto undo_firstcall_file_1
echo clr: enable EtwSerializerProfiler-Runs
tracelog -enableex esp-clr -guid #3c205442-14fb-5713-c99e-4e4e92f1abe2 -matchanykw 0xFFFFFFFFFFFFFFFF -level 4
if errorlevel 1 goto undo_firstcall_file_1
echo start session code
tracelog -start esp-code -f "%OUT%\code.etl" -b 1024 -min 64 -max %USER_MAX_BUFFERS% -UsePerfCounter -independent
if errorlevel 1 goto undo_firstcall_file_1
echo code: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-code -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x4E00008003C -level 5 -enableproperty 4 -StackWalkFilter -in 1 145
if errorlevel 1 goto undo_firstcall_file_2
echo code: enable Microsoft-Windows-DotNETRuntimeRundown
tracelog -enableex esp-code -guid #a669021c-c450-4609-a035-5af59af4df18 -matchanykw 0x138 -level 5
if errorlevel 1 goto undo_firstcall_file_2
echo code: enable Microsoft-Windows-DotNETRuntimePrivate
tracelog -enableex esp-code -guid #763fd754-7086-4dfe-95eb-c01a46faf4ca -matchanykw 0x40000 -level 5
if errorlevel 1 goto undo_firstcall_file_2
echo start the kernel session
tracelog -start esp-kernel -systemlogger -independent -eflag PROC_THREAD+LOADER+PROFILE+CSWITCH+DISPATCHER+REGISTRY -stackwalk Profile+CSwitch+ReadyThread+RegOpenKey+RegQueryValue+RegEnumerateKey+RegEnumerateValueKey -f "%OUT%\kernel.etl" -b 1024 -min 128 -max %KERNEL_MAX_BUFFERS% -UsePerfCounter
if errorlevel 1 goto undo_firstcall_file_2
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_firstcall_file_2
tracelog -stop esp-code
:undo_firstcall_file_1
tracelog -stop esp-clr
:undo_firstcall_file_0
echo The start failed. All started sessions were stopped.
exit /b 1

:start_firstcall_memory
echo start session clr
tracelog -start esp-clr -buffering -b 1024 -min 76 -max 76 -UsePerfCounter -independent
if errorlevel 1 goto undo_firstcall_memory_0
echo clr: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-clr -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x9C001 -level 4 -enableproperty 4 -StackWalkFilter -in 3 80 81 35
if errorlevel 1 goto undo_firstcall_memory_1
echo clr: enable EtwSerializerProfiler-Runs
tracelog -enableex esp-clr -guid #3c205442-14fb-5713-c99e-4e4e92f1abe2 -matchanykw 0xFFFFFFFFFFFFFFFF -level 4
if errorlevel 1 goto undo_firstcall_memory_1
echo start session code
tracelog -start esp-code -buffering -b 1024 -min 76 -max 76 -UsePerfCounter -independent
if errorlevel 1 goto undo_firstcall_memory_1
echo code: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-code -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x4E00008003C -level 5 -enableproperty 4 -StackWalkFilter -in 1 145
if errorlevel 1 goto undo_firstcall_memory_2
echo code: enable Microsoft-Windows-DotNETRuntimeRundown
tracelog -enableex esp-code -guid #a669021c-c450-4609-a035-5af59af4df18 -matchanykw 0x138 -level 5
if errorlevel 1 goto undo_firstcall_memory_2
echo code: enable Microsoft-Windows-DotNETRuntimePrivate
tracelog -enableex esp-code -guid #763fd754-7086-4dfe-95eb-c01a46faf4ca -matchanykw 0x40000 -level 5
if errorlevel 1 goto undo_firstcall_memory_2
echo start the kernel session
tracelog -start esp-kernel -systemlogger -independent -eflag PROC_THREAD+LOADER+PROFILE+CSWITCH+DISPATCHER+REGISTRY -stackwalk Profile+CSwitch+ReadyThread+RegOpenKey+RegQueryValue+RegEnumerateKey+RegEnumerateValueKey -buffering -b 1024 -min 358 -max 358 -UsePerfCounter
if errorlevel 1 goto undo_firstcall_memory_2
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_firstcall_memory_2
tracelog -stop esp-code
:undo_firstcall_memory_1
tracelog -stop esp-clr
:undo_firstcall_memory_0
echo The start failed. All started sessions were stopped.
exit /b 1

:start_exceptions_file
echo start session clr
tracelog -start esp-clr -f "%OUT%\clr.etl" -b 1024 -min 64 -max %USER_MAX_BUFFERS% -UsePerfCounter -independent
if errorlevel 1 goto undo_exceptions_file_0
echo clr: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-clr -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x8000 -level 4 -enableproperty 4 -StackWalkFilter -in 1 80
if errorlevel 1 goto undo_exceptions_file_1
echo clr: enable EtwSerializerProfiler-Runs
tracelog -enableex esp-clr -guid #3c205442-14fb-5713-c99e-4e4e92f1abe2 -matchanykw 0xFFFFFFFFFFFFFFFF -level 4
if errorlevel 1 goto undo_exceptions_file_1
echo start session code
tracelog -start esp-code -f "%OUT%\code.etl" -b 1024 -min 64 -max %USER_MAX_BUFFERS% -UsePerfCounter -independent
if errorlevel 1 goto undo_exceptions_file_1
echo code: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-code -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x38 -level 4
if errorlevel 1 goto undo_exceptions_file_2
echo code: enable Microsoft-Windows-DotNETRuntimeRundown
tracelog -enableex esp-code -guid #a669021c-c450-4609-a035-5af59af4df18 -matchanykw 0x138 -level 5
if errorlevel 1 goto undo_exceptions_file_2
echo start the kernel session
tracelog -start esp-kernel -systemlogger -independent -eflag PROC_THREAD+LOADER -f "%OUT%\kernel.etl" -b 1024 -min 128 -max %KERNEL_MAX_BUFFERS% -UsePerfCounter
if errorlevel 1 goto undo_exceptions_file_2
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_exceptions_file_2
tracelog -stop esp-code
:undo_exceptions_file_1
tracelog -stop esp-clr
:undo_exceptions_file_0
echo The start failed. All started sessions were stopped.
exit /b 1

:start_exceptions_memory
echo start session clr
tracelog -start esp-clr -buffering -b 1024 -min 204 -max 204 -UsePerfCounter -independent
if errorlevel 1 goto undo_exceptions_memory_0
echo clr: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-clr -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x8000 -level 4 -enableproperty 4 -StackWalkFilter -in 1 80
if errorlevel 1 goto undo_exceptions_memory_1
echo clr: enable EtwSerializerProfiler-Runs
tracelog -enableex esp-clr -guid #3c205442-14fb-5713-c99e-4e4e92f1abe2 -matchanykw 0xFFFFFFFFFFFFFFFF -level 4
if errorlevel 1 goto undo_exceptions_memory_1
echo start session code
tracelog -start esp-code -buffering -b 1024 -min 204 -max 204 -UsePerfCounter -independent
if errorlevel 1 goto undo_exceptions_memory_1
echo code: enable Microsoft-Windows-DotNETRuntime
tracelog -enableex esp-code -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x38 -level 4
if errorlevel 1 goto undo_exceptions_memory_2
echo code: enable Microsoft-Windows-DotNETRuntimeRundown
tracelog -enableex esp-code -guid #a669021c-c450-4609-a035-5af59af4df18 -matchanykw 0x138 -level 5
if errorlevel 1 goto undo_exceptions_memory_2
echo start the kernel session
tracelog -start esp-kernel -systemlogger -independent -eflag PROC_THREAD+LOADER -buffering -b 1024 -min 102 -max 102 -UsePerfCounter
if errorlevel 1 goto undo_exceptions_memory_2
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_exceptions_memory_2
tracelog -stop esp-code
:undo_exceptions_memory_1
tracelog -stop esp-clr
:undo_exceptions_memory_0
echo The start failed. All started sessions were stopped.
exit /b 1
