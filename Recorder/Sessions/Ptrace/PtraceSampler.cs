using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>
/// Samples the CPU time of a program and of all that it starts, where the system refuses perf events: it is their parent, and ptrace of one's own children needs no right.
/// The samples go through a pipe to the recorder, in the form that the kernel gives those of perf events.
/// </summary>
/// <remarks>
/// <para>
/// <b>A process of its own, one thread.</b> Only the thread that attached may make ptrace requests and collect the stops, and a stopped thread of the program waits for exactly this one.
/// So nothing else runs in this process, the loop allocates nothing while threads are stopped, and what can block (the disk) is the recorder's.
/// If this process is killed, the kernel detaches from all threads and the program goes on.
/// </para>
/// <para>
/// <b>A tick</b> looks at every thread without stopping it. <c>schedstat</c> has its CPU time and how often it was switched in. Both unchanged, and asleep at the last look: it still sleeps, nothing to do.
/// The switches unchanged since its last stop: it has not run since, there is nothing to account. Else <c>syscall</c> says whether it runs; if so it is interrupted.
/// CPU time alone would not do, it stands still while a thread runs (a spinning thread's moved every 11 ms). Threads that sleep must never be interrupted: their epoll_wait would return EINTR, and
/// each interruption makes them use CPU time and be sampled again.
/// </para>
/// <para>
/// <b>A stop</b> comes when it comes: a thread that was interrupted while it waited for a processor takes milliseconds. Nobody waits for one thread; all stops are collected by one wait,
/// and between them the thread sleeps until SIGCHLD or the next tick. While a thread is stopped its registers are read, its exact CPU time, its stack with the chain of frame pointers; then it
/// goes on, and only then the sample is written. Ticks are jittered by an eighth, so that a program with a timer of the same period is not always met at the same place. Only a timer begins a tick: it
/// interrupts the thread on this processor wherever that is. A signal does not (lazy preemption, the default since kernel 6.13): this process then gets its processor when that thread makes a system call, so a tick that is due by then is put off.
/// </para>
/// <para>
/// <b>Dropped samples.</b> <c>syscall</c> says "running" of a thread that is only ready, too: one that was preempted, yielded or was just readied. Where such a thread is found is no accident (a thread that
/// sends to another one, or yields, leaves its processor there), so a sample of it would tell of system calls only: measured on a loaded web server, 40 % in libc instead of 20. Whether a thread was on a
/// processor shows when it has stopped. Not switched in since the look: it was. Else it waited for a processor, and <c>schedstat</c> says how long: if it is
/// this process's own one, and it did not wait for longer than this process was there, it is the thread that was interrupted. All others were not on a processor, or were readied meanwhile (<see cref="WaitingCalls"/>): no
/// sample, and their CPU time stays owed to their next one.
/// </para>
/// <para>
/// <b>What a tracer owes.</b> Each signal of the program stops the thread and is handed on (.NET throws NullReferenceException by SIGSEGV and suspends threads for a GC by a real-time signal).
/// A stopped job (SIGSTOP, SIGTSTP) is left stopped (PTRACE_LISTEN). Ends of threads are reaped at once, because exec waits for them.
/// </para>
/// <para>
/// <b>New threads and processes</b> are attached by the kernel (PTRACE_O_TRACECLONE and its like), at the price of two stops each. To look for new threads and attach to them would be cheaper, and can
/// hang for ever: while one thread calls exec, PTRACE_SEIZE of another one waits for the exec (cred_guard_mutex), and the exec waits until the tracer has reaped the threads that it ended.
/// </para>
/// <para>
/// <b>createdump</b>, which .NET starts when it crashes, must trace the crashing process itself, and a process has one tracer. So when exec starts it, its parent's threads are detached first;
/// createdump stays stopped at its exec until that is done. When it has ended, the process is attached to again if it lives.
/// </para>
/// </remarks>
internal sealed unsafe class PtraceSampler : IDisposable
{
    /// <summary>Id of the samples in the file; that of the threads' clocks follows.</summary>
    public const ulong EventId = 1;

    /// <summary>Exit code when the program could not be started.</summary>
    public const int NotStartedExitCode = 126;

    /// <summary>How long a window is whose samples are weighed together.</summary>
    private const long WindowNanoseconds = 100_000_000;

    private const long ShortestMappingPause = 20_000_000;
    private const long LongestMappingPause = 1_000_000_000;

    /// <summary>A thread on another processor stops within this time, ns.</summary>
    private const long StopNanoseconds = 40_000;

    /// <summary>How often a tick is put off that a timer did not begin.</summary>
    private const int MostPostponements = 8;

    /// <summary>Between coming to the processor and reading the clock, ns.</summary>
    private const long AwakeMargin = 60_000;

    /// <summary>A thread that does not stop within this time is interrupted again, which does no harm.</summary>
    private const long AskNanoseconds = 1_000_000_000;

    private readonly SamplerArguments _arguments;
    private readonly SampleBuffer _buffer;
    private readonly ProcessSnapshot _records;
    private readonly ThreadStop _stop;
    private readonly Dictionary<int, SampledProcess> _processes = [];
    private readonly Dictionary<int, SampledThread> _threads = [];
    private readonly long _period;
    private long _windowStart;

    /// <summary>When this process came to its processor last.</summary>
    private long _awakeAt;

    private int _program;
    private int? _exitCode;
    /// <summary>The last tick: when it began, when this process had come to its processor, and when it slept again; 0 while it has not.</summary>
    private long _tickAt;
    private long _tickAwakeAt;
    private long _sleptAt;

    /// <summary>Threads that were interrupted at this tick.</summary>
    private int _asked;

    /// <summary>Samples in this window of threads on this process's processor, and on others.</summary>
    private int _hereSamples;
    private int _awaySamples;

    /// <summary>The one this process stays on.</summary>
    private int _processor;

    private uint _random = 2463534242;

    private PtraceSampler(SamplerArguments arguments, int pipe)
    {
        _arguments = arguments;
        _period = 1_000_000_000 / arguments.SampleRateHz;
        _buffer = new SampleBuffer(pipe, EventId);
        _records = new ProcessSnapshot(_buffer, EventId, 0);
        _stop = new ThreadStop(arguments.StackBytes);
    }

    /// <summary>Starts the program, samples it until it ends, and returns its exit code; 128 and the signal's number when a signal ended it.</summary>
    /// <param name="arguments">Arguments after the verb (<see cref="SamplerArguments"/>).</param>
    public static int Run(IReadOnlyList<string> arguments)
    {
        var parsed = SamplerArguments.Parse(arguments);
        var pipe = PtraceNative.Open(parsed.Pipe, PtraceNative.WriteWithoutBlocking);
        if (pipe < 0)
            return NotStartedExitCode; // the recorder is gone
        PtraceNative.Enlarge(pipe);
        using var sampler = new PtraceSampler(parsed, pipe);
        try
        {
            return sampler.Run();
        }
        catch (LaunchException exception)
        {
            return sampler.Fail(exception.Message);
        }
    }

    public void Dispose()
    {
        foreach (var process in _processes.Values)
            process.Dispose();
        _stop.Dispose();
        _buffer.Dispose();
    }

    private int Run()
    {
        // SIGCHLD is blocked in the whole process by who started it; else another thread would take it now and then, and its stop would wait for the next tick.
        var before = stackalloc byte[PtraceNative.SignalSetBytes];
        PtraceNative.BlockChildSignal(before);
        var child = stackalloc byte[PtraceNative.SignalSetBytes];
        PtraceNative.Only(child, PtraceNative.SigChld);

        using var gate = new GatedLaunch(_arguments.Command);
        _program = ProgramStart.Spawn(gate.Command, _arguments.Environment());
        PtraceNative.HurryThisThread();
        _processor = PtraceNative.StayOnProcessor();
        _windowStart = Stopwatch.GetTimestamp();
        if (PtraceNative.Trace(PtraceNative.Seize, _program, 0, PtraceNative.Options) == 0)
            AddThread(AddProcess(_program, Environment.ProcessId), _program);
        else
            _buffer.Write(SamplerMessage.OfProblem($"ptrace of the program is refused ({Marshal.GetLastPInvokeErrorMessage()})"));
        _buffer.Write(SamplerMessage.OfStarted(_program));
        EndWindow(_windowStart);
        gate.Open();
        Loop(child);
        _buffer.Write(SamplerMessage.OfEnded());
        _buffer.SendAll(Stopwatch.GetTimestamp());
        return _exitCode ?? NotStartedExitCode;
    }

    private int Fail(string problem)
    {
        _buffer.Write(SamplerMessage.OfProblem(problem));
        _buffer.Write(SamplerMessage.OfEnded());
        _buffer.SendAll(Stopwatch.GetTimestamp());
        return NotStartedExitCode;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Loop(byte* childSignal)
    {
        var next = Stopwatch.GetTimestamp();
        var isWokenByTimer = true;
        var postponed = 0;
        while (_exitCode is null && !_buffer.IsBroken)
        {
            while (HandleNext())
            {
            }

            if (_exitCode is not null)
                return;
            var now = Stopwatch.GetTimestamp();
            if (now >= next && !isWokenByTimer && postponed < MostPostponements)
            {
                postponed++;
                next = now + Jittered(_period / 16);
            }
            else if (now >= next)
            {
                (_tickAt, _tickAwakeAt, _sleptAt) = (now, _awakeAt, 0);
                Tick(now);
                AwaitStops(Stopwatch.GetTimestamp());
                next = Math.Max(next + Jittered(_period), now);
                (isWokenByTimer, postponed) = (false, 0);
            }
            else if (!_buffer.IsSent)
            {
                _buffer.SendPiece();
            }
            else
            {
                if (_sleptAt == 0)
                    _sleptAt = now;
                isWokenByTimer = !PtraceNative.WaitForChild(childSignal, next - now);
                _awakeAt = Stopwatch.GetTimestamp();
            }
        }
    }

    /// <summary>Handles the stops that come at once: to sleep until they come would take longer than they do, and threads would stand still meanwhile.</summary>
    private void AwaitStops(long since)
    {
        var asked = _asked;
        _asked = 0;
        while (asked > 0 && _exitCode is null && Stopwatch.GetTimestamp() - since < StopNanoseconds)
        {
            if (HandleNext())
                asked--;
        }
    }

    private long Jittered(long period)
    {
        // xorshift32 (Marsaglia)
        _random ^= _random << 13;
        _random ^= _random >> 17;
        _random ^= _random << 5;
        return period - period / 8 + _random % Math.Max(1, period / 4);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Tick(long now)
    {
        foreach (var process in _processes.Values)
        {
            if (!process.IsSampled)
                continue;
            foreach (var thread in process.Threads)
                Look(thread, now);
            if (process.HasUnknownCode && now - process.MappedAt >= process.MappingPause)
                WriteMappings(process, now);
        }

        if ((now - _windowStart >= WindowNanoseconds || _buffer.IsHalfFull) && _buffer.IsSent)
            EndWindow(now);
    }

    private void Look(SampledThread thread, long now)
    {
        if (thread.AskedAt != 0 && now - thread.AskedAt < AskNanoseconds)
            return;
        var (nanoseconds, slices) = (thread.Nanoseconds, thread.Slices);
        if (!thread.TryReadSchedule() || thread.Slices == thread.SlicesAtStop)
            return;
        if (thread.IsAsleep && thread.Nanoseconds == nanoseconds && thread.Slices == slices)
            return;
        thread.IsAsleep = !thread.IsRunning();
        if (thread.IsAsleep)
            WriteClock(thread, Stopwatch.GetTimestamp());
        else if (PtraceNative.Trace(PtraceNative.Interrupt, thread.Id, 0, 0) == 0)
            (thread.AskedAt, _asked) = (now, _asked + 1);
    }

    /// <summary>Handles the next change of state of a child; false when there is none.</summary>
    private bool HandleNext()
    {
        if (PtraceNative.Changed(out var hasEnded) is not (> 0 and var id))
            return false;
        if (hasEnded && _threads.TryGetValue(id, out var ended) && ended.TryReadSchedule())
            WriteClock(ended, Stopwatch.GetTimestamp()); // until it is reaped, its clocks can be read
        int status;
        if (PtraceNative.Wait(id, &status, PtraceNative.WaitWithoutBlocking, null) == id)
            Handle(id, status);
        return true;
    }

    /// <summary>Handles a change of state of a child.</summary>
    private void Handle(int id, int status)
    {
        if ((status & 0xff) != 0x7f)
        {
            Remove(id, status);
            return;
        }

        if (!_threads.TryGetValue(id, out var thread))
            thread = AddNew(id); // the kernel has attached it

        // Any stop clears a pending interruption (ptrace_stop in the kernel), so it takes its place. After exec there is nothing to see yet.
        var isRead = thread.AskedAt != 0 && status >> 16 != PtraceNative.EventExec;
        var isSampled = isRead && TryRead(thread);
        var time = Stopwatch.GetTimestamp();
        Resume(thread, status);
        if (isRead)
            WriteClock(thread, time);
        if (isSampled)
            AddSample(thread, time);
    }

    private void Resume(SampledThread thread, int status)
    {
        var signal = status >> 8 & 0xff;
        switch (status >> 16)
        {
            case 0 when thread.Process.DumpedBy != 0:
                Detach(thread, signal);
                break;
            case 0:
                Continue(thread.Id, signal);
                break;
            case PtraceNative.EventStop when thread.Process.DumpedBy != 0:
                Detach(thread, 0);
                break;
            case PtraceNative.EventStop when signal != PtraceNative.SigTrap:
                _ = PtraceNative.Trace(PtraceNative.Listen, thread.Id, 0, 0); // a stopped job stays stopped until SIGCONT
                break;
            case PtraceNative.EventExec:
                OnExec(thread);
                break;
            default:
                Continue(thread.Id, 0);
                break;
        }
    }

    /// <summary>Reads a stopped thread; false when it has ended, or did not run when it was looked at.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private bool TryRead(SampledThread thread)
    {
        var (slices, ready, askedAt) = (thread.Slices, thread.ReadyNanoseconds, thread.AskedAt);
        thread.AskedAt = 0;
        if (!_stop.ReadRegisters(thread.Id) || !thread.TryReadSchedule())
            return false;
        thread.SlicesAtStop = thread.Slices;
        if (thread.Nanoseconds <= thread.Paid)
            return false;
        var wasSwitched = thread.Slices > slices;
        if (wasSwitched && !MadeRoom(thread, askedAt, slices, ready))
            return false;
        (_hereSamples, _awaySamples) = wasSwitched ? (_hereSamples + 1, _awaySamples) : (_hereSamples, _awaySamples + 1);
        _stop.ReadStack(thread.Id);
        return true;
    }

    /// <summary>Whether a thread that was switched in since it was looked at had been on this processor until this process came: it waited no longer than this process was there.</summary>
    private bool MadeRoom(SampledThread thread, long askedAt, long slices, long ready) =>
        askedAt == _tickAt && thread.Slices == slices + 1 && thread.ReadyNanoseconds - ready <= _sleptAt - _tickAwakeAt + AwakeMargin
        && !WaitingCalls.Contains(_stop.SystemCall) && thread.Processor() == _processor;

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void AddSample(SampledThread thread, long time)
    {
        _buffer.AddSample(thread, _stop, time, thread.Nanoseconds - thread.Paid);
        thread.Paid = thread.Nanoseconds;
        var process = thread.Process;
        foreach (var address in _stop.Frames)
        {
            if (process.HasUnknownCode)
                return;
            process.HasUnknownCode = !process.IsKnownCode(address);
        }
    }

    private static void Continue(int thread, int signal) => _ = PtraceNative.Trace(PtraceNative.Continue, thread, 0, signal);

    private SampledProcess AddProcess(int id, int parent)
    {
        var process = new SampledProcess(id, parent);
        _processes[id] = process;
        return process;
    }

    private SampledThread AddThread(SampledProcess process, int id)
    {
        var thread = new SampledThread(id, process);
        process.Threads.Add(thread);
        _threads[id] = thread;
        _records.Time = Stopwatch.GetTimestamp();
        var parent = id == process.Id ? process.Parent : process.Id; // its first thread, whichever one it was: perf knows no threads of other processes
        _records.WriteTask(isEnd: false, process.Id, id, parent, parent);
        WriteName(thread);
        return thread;
    }

    /// <summary>Adds a thread, or the first thread of a process, that has just been started.</summary>
    private SampledThread AddNew(int id)
    {
        var (processId, parent) = SampledProcess.IdsOf(id);
        if (!_processes.TryGetValue(processId, out var process))
        {
            process = AddProcess(processId, parent);
            process.IsSampled = true;
            WriteMappings(process, Stopwatch.GetTimestamp());
        }

        var thread = AddThread(process, id);
        WriteClock(thread, Stopwatch.GetTimestamp());
        return thread;
    }

    private void Forget(SampledProcess process)
    {
        _processes.Remove(process.Id);
        process.Dispose();
    }

    /// <summary>A thread has ended.</summary>
    private void Remove(int id, int status)
    {
        if (id == _program)
            _exitCode = (status & 0x7f) == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f);
        if (_threads.Remove(id, out var thread))
        {
            _records.Time = Stopwatch.GetTimestamp();
            _records.WriteTask(isEnd: true, thread.Process.Id, id, thread.Process.Parent, thread.Process.Id);
            thread.Process.Threads.Remove(thread);
            thread.Dispose();
        }

        if (_processes.TryGetValue(id, out var process))
        {
            Forget(process);
            foreach (var dumped in _processes.Values)
            {
                if (dumped.DumpedBy == id)
                    Attach(dumped);
            }
        }
    }

    private void OnExec(SampledThread thread)
    {
        var now = Stopwatch.GetTimestamp();
        var process = thread.Process;
        nint former = 0;
        _ = PtraceNative.Trace(PtraceNative.GetEventMessage, thread.Id, 0, (nint)(&former));
        if (former != thread.Id && _threads.Remove((int)former, out var caller))
        {
            // Another thread than the first one called exec, and took over the first one's id. The kernel reports no end of its own id.
            thread.Paid = caller.Paid;
            process.Threads.Remove(caller);
            caller.Dispose();
        }

        thread.Reopen();
        thread.AskedAt = 0;
        (thread.SlicesAtStop, thread.IsAsleep) = (-1, false);
        if (!process.IsSampled)
            thread.PayAll(); // the shell at the gate is not the program
        process.IsSampled = true;
        thread.StartClocks();
        WriteClock(thread, now);
        process.ForgetMappings();
        thread.Name = ReadText($"/proc/{process.Id}/task/{thread.Id}/comm");
        _records.Time = now;
        _records.WriteComm(process.Id, thread.Id, thread.Name, isExec: true);
        WriteMappings(process, now);
        if (thread.Name == "createdump" && _processes.TryGetValue(process.Parent, out var dumped))
            Release(dumped, process.Id);
        Continue(thread.Id, 0);
    }

    /// <summary>Detaches from all threads of a process.</summary>
    /// <remarks>A thread must stop before it can be detached. The one that waits for createdump stops at once; one that waits for a processor gets it, because nobody else is continued.</remarks>
    private void Release(SampledProcess process, int createdump)
    {
        process.DumpedBy = createdump;
        foreach (var thread in process.Threads)
            _ = PtraceNative.Trace(PtraceNative.Interrupt, thread.Id, 0, 0);
        var limit = Stopwatch.GetTimestamp() + AskNanoseconds;
        while (process.Threads.Count > 0 && _exitCode is null && Stopwatch.GetTimestamp() < limit)
        {
            HandleNext();
        }
    }

    /// <summary>Attaches again to a process that has been dumped; does nothing when it has ended.</summary>
    private void Attach(SampledProcess process)
    {
        process.DumpedBy = 0;
        int known;
        do
        {
            // Once more while there are new ones: a thread may start another one before it is attached to itself.
            known = process.Threads.Count;
            foreach (var id in ProcessSnapshot.Threads(process.Id))
            {
                if (!_threads.ContainsKey(id) && PtraceNative.Trace(PtraceNative.Seize, id, 0, PtraceNative.Options) == 0)
                {
                    var thread = AddThread(process, id);
                    thread.PayAll();
                    WriteClock(thread, Stopwatch.GetTimestamp());
                }
            }
        }
        while (process.Threads.Count > known);
    }

    private void Detach(SampledThread thread, int signal)
    {
        _ = PtraceNative.Trace(PtraceNative.Detach, thread.Id, 0, signal);
        _threads.Remove(thread.Id);
        thread.Process.Threads.Remove(thread);
        thread.Dispose();
    }

    private void EndWindow(long now)
    {
        // Threads are mostly named after they started. Names matter where there are samples.
        foreach (var thread in _threads.Values)
        {
            if (thread.WindowSamples > 0)
                WriteName(thread);
        }

        // A thread on this processor stands still while the others are looked at: elsewhere there may be room.
        if (_hereSamples > _awaySamples)
            _processor = PtraceNative.StayOnProcessor(_processor);
        (_hereSamples, _awaySamples) = (0, 0);
        _buffer.EndWindow(now);
        _windowStart = now;
    }

    /// <summary>Writes a thread's clocks as read last, if they have moved. Only those of a thread that does not run are right.</summary>
    private void WriteClock(SampledThread thread, long time)
    {
        if (!thread.Process.IsSampled || thread.CpuClock == thread.Written)
            return;
        _records.Time = time;
        _records.WriteClock(thread.Process.Id, thread.Id, thread.CpuClock, thread.ReadyClock, thread.CpuClock - Math.Max(0, thread.Written), EventId + 1);
        thread.Written = thread.CpuClock;
    }

    private void WriteName(SampledThread thread)
    {
        var name = ReadText($"/proc/{thread.Process.Id}/task/{thread.Id}/comm");
        if (name.Length == 0 || name == thread.Name)
            return;
        thread.Name = name;
        _records.Time = Stopwatch.GetTimestamp();
        _records.WriteComm(thread.Process.Id, thread.Id, name);
    }

    /// <summary>Writes new mappings. They get the time at which they were looked for last, so that they precede the samples in them.</summary>
    private void WriteMappings(SampledProcess process, long now)
    {
        var from = process.MappedAt == 0 || process.MappingPause == 0 ? now : Math.Max(process.MappedAt, _windowStart);
        var added = process.ReadMappings(now, ShortestMappingPause, LongestMappingPause);
        _records.Time = from;
        foreach (var line in added)
            _records.WriteMapping(process.Id, line);
    }

    private static string ReadText(string path)
    {
        try
        {
            return File.ReadAllText(path).TrimEnd('\n');
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
