@echo off
rem Written by 'esp-record scripts'. Change the plans in the sources, not this file. Untested on Windows.
rem Starts the sessions of a recording (then run the program in an ordinary window, and stop.cmd with the same arguments in this one).
rem   start.cmd [PRESET] [MODE]     parameters.cmd lists the values
setlocal
call "%~dp0parameters.cmd" %*
if errorlevel 1 exit /b 2
fltmc >nul 2>&1
if errorlevel 1 echo This script needs administrator rights: call it from an elevated command prompt.& exit /b 4
where xperf >nul 2>&1
if errorlevel 1 echo xperf is not on the path: install the Windows Performance Toolkit.& exit /b 3
if not exist "%OUT%" mkdir "%OUT%"
if errorlevel 1 exit /b 1
goto start_%PRESET%_%MODE%

:start_runs_file
echo start session clr
xperf -start esp-clr -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x9C001:0x4:'stack'+3c205442-14fb-5713-c99e-4e4e92f1abe2:0xFFFFFFFFFFFFFFFF:0x4 -f "%OUT%\clr.etl" -BufferSize 1024 -MinBuffers 64 -MaxBuffers %USER_MAX_BUFFERS%
if errorlevel 1 goto undo_runs_file_0
echo start session code
xperf -start esp-code -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x44000080038:0x5+a669021c-c450-4609-a035-5af59af4df18:0x138:0x5+763fd754-7086-4dfe-95eb-c01a46faf4ca:0x40000:0x5 -f "%OUT%\code.etl" -BufferSize 1024 -MinBuffers 64 -MaxBuffers %USER_MAX_BUFFERS%
if errorlevel 1 goto undo_runs_file_1
echo start the kernel session
xperf -on PROC_THREAD+LOADER+PROFILE+CSWITCH+DISPATCHER -StackWalk Profile+CSwitch+ReadyThread -f "%OUT%\kernel.etl" -BufferSize 1024 -MinBuffers 128 -MaxBuffers %KERNEL_MAX_BUFFERS%
if errorlevel 1 goto undo_runs_file_2
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_runs_file_2
xperf -stop esp-code
:undo_runs_file_1
xperf -stop esp-clr
:undo_runs_file_0
echo The start failed. All started sessions were stopped.
exit /b 1

:start_runs_memory
echo start session clr
xperf -start esp-clr -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x9C001:0x4:'stack'+3c205442-14fb-5713-c99e-4e4e92f1abe2:0xFFFFFFFFFFFFFFFF:0x4 -BufferSize 1024 -MinBuffers 76 -MaxBuffers 76 -Buffering
if errorlevel 1 goto undo_runs_memory_0
echo start session code
xperf -start esp-code -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x44000080038:0x5+a669021c-c450-4609-a035-5af59af4df18:0x138:0x5+763fd754-7086-4dfe-95eb-c01a46faf4ca:0x40000:0x5 -BufferSize 1024 -MinBuffers 76 -MaxBuffers 76 -Buffering
if errorlevel 1 goto undo_runs_memory_1
echo start the kernel session
xperf -on PROC_THREAD+LOADER+PROFILE+CSWITCH+DISPATCHER -StackWalk Profile+CSwitch+ReadyThread -BufferSize 1024 -MinBuffers 358 -MaxBuffers 358 -Buffering
if errorlevel 1 goto undo_runs_memory_2
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_runs_memory_2
xperf -stop esp-code
:undo_runs_memory_1
xperf -stop esp-clr
:undo_runs_memory_0
echo The start failed. All started sessions were stopped.
exit /b 1

:start_allocation_file
echo start session clr
xperf -start esp-clr -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x9C001:0x4:'stack'+3c205442-14fb-5713-c99e-4e4e92f1abe2:0xFFFFFFFFFFFFFFFF:0x4 -f "%OUT%\clr.etl" -BufferSize 1024 -MinBuffers 64 -MaxBuffers %USER_MAX_BUFFERS%
if errorlevel 1 goto undo_allocation_file_0
echo start session code
xperf -start esp-code -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x44000080038:0x5+a669021c-c450-4609-a035-5af59af4df18:0x138:0x5+763fd754-7086-4dfe-95eb-c01a46faf4ca:0x40000:0x5 -f "%OUT%\code.etl" -BufferSize 1024 -MinBuffers 64 -MaxBuffers %USER_MAX_BUFFERS%
if errorlevel 1 goto undo_allocation_file_1
echo start session alloc
xperf -start esp-alloc -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x1:0x5:'stack' -f "%OUT%\alloc.etl" -BufferSize 1024 -MinBuffers 64 -MaxBuffers %USER_MAX_BUFFERS%
if errorlevel 1 goto undo_allocation_file_2
echo start the kernel session
xperf -on PROC_THREAD+LOADER+CSWITCH+DISPATCHER -f "%OUT%\kernel.etl" -BufferSize 1024 -MinBuffers 128 -MaxBuffers %KERNEL_MAX_BUFFERS%
if errorlevel 1 goto undo_allocation_file_3
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_allocation_file_3
xperf -stop esp-alloc
:undo_allocation_file_2
xperf -stop esp-code
:undo_allocation_file_1
xperf -stop esp-clr
:undo_allocation_file_0
echo The start failed. All started sessions were stopped.
exit /b 1

:start_allocation_memory
echo start session clr
xperf -start esp-clr -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x9C001:0x4:'stack'+3c205442-14fb-5713-c99e-4e4e92f1abe2:0xFFFFFFFFFFFFFFFF:0x4 -BufferSize 1024 -MinBuffers 51 -MaxBuffers 51 -Buffering
if errorlevel 1 goto undo_allocation_memory_0
echo start session code
xperf -start esp-code -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x44000080038:0x5+a669021c-c450-4609-a035-5af59af4df18:0x138:0x5+763fd754-7086-4dfe-95eb-c01a46faf4ca:0x40000:0x5 -BufferSize 1024 -MinBuffers 51 -MaxBuffers 51 -Buffering
if errorlevel 1 goto undo_allocation_memory_1
echo start session alloc
xperf -start esp-alloc -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x1:0x5:'stack' -BufferSize 1024 -MinBuffers 51 -MaxBuffers 51 -Buffering
if errorlevel 1 goto undo_allocation_memory_2
echo start the kernel session
xperf -on PROC_THREAD+LOADER+CSWITCH+DISPATCHER -BufferSize 1024 -MinBuffers 358 -MaxBuffers 358 -Buffering
if errorlevel 1 goto undo_allocation_memory_3
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_allocation_memory_3
xperf -stop esp-alloc
:undo_allocation_memory_2
xperf -stop esp-code
:undo_allocation_memory_1
xperf -stop esp-clr
:undo_allocation_memory_0
echo The start failed. All started sessions were stopped.
exit /b 1

:start_firstcall_file
echo start session clr
xperf -start esp-clr -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x9C001:0x4:'stack'+3c205442-14fb-5713-c99e-4e4e92f1abe2:0xFFFFFFFFFFFFFFFF:0x4 -f "%OUT%\clr.etl" -BufferSize 1024 -MinBuffers 64 -MaxBuffers %USER_MAX_BUFFERS%
if errorlevel 1 goto undo_firstcall_file_0
echo start session code
xperf -start esp-code -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x4E00008003C:0x5+a669021c-c450-4609-a035-5af59af4df18:0x138:0x5+763fd754-7086-4dfe-95eb-c01a46faf4ca:0x40000:0x5 -f "%OUT%\code.etl" -BufferSize 1024 -MinBuffers 64 -MaxBuffers %USER_MAX_BUFFERS%
if errorlevel 1 goto undo_firstcall_file_1
echo start the kernel session
xperf -on PROC_THREAD+LOADER+PROFILE+CSWITCH+DISPATCHER+REGISTRY -StackWalk Profile+CSwitch+ReadyThread+RegOpenKey+RegQueryValue+RegEnumerateKey+RegEnumerateValueKey -f "%OUT%\kernel.etl" -BufferSize 1024 -MinBuffers 128 -MaxBuffers %KERNEL_MAX_BUFFERS%
if errorlevel 1 goto undo_firstcall_file_2
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_firstcall_file_2
xperf -stop esp-code
:undo_firstcall_file_1
xperf -stop esp-clr
:undo_firstcall_file_0
echo The start failed. All started sessions were stopped.
exit /b 1

:start_firstcall_memory
echo start session clr
xperf -start esp-clr -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x9C001:0x4:'stack'+3c205442-14fb-5713-c99e-4e4e92f1abe2:0xFFFFFFFFFFFFFFFF:0x4 -BufferSize 1024 -MinBuffers 76 -MaxBuffers 76 -Buffering
if errorlevel 1 goto undo_firstcall_memory_0
echo start session code
xperf -start esp-code -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x4E00008003C:0x5+a669021c-c450-4609-a035-5af59af4df18:0x138:0x5+763fd754-7086-4dfe-95eb-c01a46faf4ca:0x40000:0x5 -BufferSize 1024 -MinBuffers 76 -MaxBuffers 76 -Buffering
if errorlevel 1 goto undo_firstcall_memory_1
echo start the kernel session
xperf -on PROC_THREAD+LOADER+PROFILE+CSWITCH+DISPATCHER+REGISTRY -StackWalk Profile+CSwitch+ReadyThread+RegOpenKey+RegQueryValue+RegEnumerateKey+RegEnumerateValueKey -BufferSize 1024 -MinBuffers 358 -MaxBuffers 358 -Buffering
if errorlevel 1 goto undo_firstcall_memory_2
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_firstcall_memory_2
xperf -stop esp-code
:undo_firstcall_memory_1
xperf -stop esp-clr
:undo_firstcall_memory_0
echo The start failed. All started sessions were stopped.
exit /b 1

:start_exceptions_file
echo start session clr
xperf -start esp-clr -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x8000:0x4:'stack'+3c205442-14fb-5713-c99e-4e4e92f1abe2:0xFFFFFFFFFFFFFFFF:0x4 -f "%OUT%\clr.etl" -BufferSize 1024 -MinBuffers 64 -MaxBuffers %USER_MAX_BUFFERS%
if errorlevel 1 goto undo_exceptions_file_0
echo start session code
xperf -start esp-code -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x38:0x4+a669021c-c450-4609-a035-5af59af4df18:0x138:0x5 -f "%OUT%\code.etl" -BufferSize 1024 -MinBuffers 64 -MaxBuffers %USER_MAX_BUFFERS%
if errorlevel 1 goto undo_exceptions_file_1
echo start the kernel session
xperf -on PROC_THREAD+LOADER -f "%OUT%\kernel.etl" -BufferSize 1024 -MinBuffers 128 -MaxBuffers %KERNEL_MAX_BUFFERS%
if errorlevel 1 goto undo_exceptions_file_2
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_exceptions_file_2
xperf -stop esp-code
:undo_exceptions_file_1
xperf -stop esp-clr
:undo_exceptions_file_0
echo The start failed. All started sessions were stopped.
exit /b 1

:start_exceptions_memory
echo start session clr
xperf -start esp-clr -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x8000:0x4:'stack'+3c205442-14fb-5713-c99e-4e4e92f1abe2:0xFFFFFFFFFFFFFFFF:0x4 -BufferSize 1024 -MinBuffers 204 -MaxBuffers 204 -Buffering
if errorlevel 1 goto undo_exceptions_memory_0
echo start session code
xperf -start esp-code -on e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0x38:0x4+a669021c-c450-4609-a035-5af59af4df18:0x138:0x5 -BufferSize 1024 -MinBuffers 204 -MaxBuffers 204 -Buffering
if errorlevel 1 goto undo_exceptions_memory_1
echo start the kernel session
xperf -on PROC_THREAD+LOADER -BufferSize 1024 -MinBuffers 102 -MaxBuffers 102 -Buffering
if errorlevel 1 goto undo_exceptions_memory_2
echo Recording. Run the program in an ordinary window, then stop.cmd %PRESET% %MODE%.
exit /b 0
:undo_exceptions_memory_2
xperf -stop esp-code
:undo_exceptions_memory_1
xperf -stop esp-clr
:undo_exceptions_memory_0
echo The start failed. All started sessions were stopped.
exit /b 1
