using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Sessions.Launch;

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
/// A stopped job (SIGSTOP, SIGTSTP) is left stopped (PTRACE_LISTEN). Ends of threads are reaped at once, because exec waits for them. Starts and dumps: <see cref="TracedThreads"/>.
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
    private readonly TracedThreads _threads;
    private readonly ThreadStop _stop;
    private readonly long _period;

    /// <summary>When this process came to its processor last.</summary>
    private long _awakeAt;

    private int _program;
    private int? _exitCode;
    /// <summary>The last tick: when it began, when this process had come to its processor, and when it slept again; 0 while it has not.</summary>
    private long _tickAt;
    private long _tickAwakeAt;
    private long _sleptAt;

    /// <summary>Threads that were interrupted at this tick.</summary>
    private readonly List<int> _asked = [];

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
        _threads = new TracedThreads(_buffer, EventId);
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
        _threads.Dispose();
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
        if (PtraceNative.Trace(PtraceNative.Seize, _program, 0, PtraceNative.Options) == 0)
            _threads.AddProgram(_program);
        else
            _buffer.Write(SamplerMessage.OfProblem($"ptrace of the program is refused ({Marshal.GetLastPInvokeErrorMessage()})"));
        _buffer.Write(SamplerMessage.OfStarted(_program));
        EndWindow(Stopwatch.GetTimestamp());
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
        while (_asked.Count > 0 && _exitCode is null && Stopwatch.GetTimestamp() - since < StopNanoseconds)
        {
            for (var index = _asked.Count - 1; index >= 0; index--)
            {
                if (HandleNext(_asked[index]))
                    _asked.RemoveAt(index);
            }
        }

        _asked.Clear();
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
        foreach (var process in _threads.Processes)
        {
            if (!process.IsSampled)
                continue;
            foreach (var thread in process.Threads)
                Look(thread, now);
            _threads.WriteNewMappings(process, now);
        }

        if ((now - _buffer.WindowStart >= WindowNanoseconds || _buffer.IsHalfFull) && _buffer.IsSent)
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
            _threads.WriteClock(thread, Stopwatch.GetTimestamp());
        else if (PtraceNative.Trace(PtraceNative.Interrupt, thread.Id, 0, 0) == 0)
        {
            thread.AskedAt = now;
            _asked.Add(thread.Id);
        }
    }

    /// <summary>Handles the next change of state of a child; false when there is none.</summary>
    /// <param name="of">The only one that is asked; 0 for any.</param>
    private bool HandleNext(int of = 0)
    {
        if (PtraceNative.Changed(of, out var hasEnded) is not (> 0 and var id))
            return false;
        if (hasEnded && _threads.Find(id) is { } ended && ended.TryReadSchedule())
            _threads.WriteClock(ended, Stopwatch.GetTimestamp()); // until it is reaped, its clocks can be read
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
            if (id == _program)
                _exitCode = (status & 0x7f) == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f);
            _threads.Remove(id);
            return;
        }

        var thread = _threads.Find(id) ?? _threads.AddStarted(id); // the kernel has attached it

        // Any stop clears a pending interruption (ptrace_stop in the kernel), so it takes its place. After exec there is nothing to see yet.
        var isRead = thread.AskedAt != 0 && status >> 16 != PtraceNative.EventExec;
        var isSampled = isRead && TryRead(thread);
        var time = Stopwatch.GetTimestamp();
        Resume(thread, status);
        if (isRead)
            _threads.WriteClock(thread, time);
        if (isSampled)
            AddSample(thread, time);
    }

    private void Resume(SampledThread thread, int status)
    {
        var signal = status >> 8 & 0xff;
        switch (status >> 16)
        {
            case 0 when thread.Process.DumpedBy != 0:
                _threads.Detach(thread, signal);
                break;
            case 0:
                Continue(thread.Id, signal);
                break;
            case PtraceNative.EventStop when thread.Process.DumpedBy != 0:
                _threads.Detach(thread, 0);
                break;
            case PtraceNative.EventStop when signal != PtraceNative.SigTrap:
                _ = PtraceNative.Trace(PtraceNative.Listen, thread.Id, 0, 0); // a stopped job stays stopped until SIGCONT
                break;
            case PtraceNative.EventExec:
                if (_threads.Exec(thread) is { } dumped)
                    Release(dumped);
                Continue(thread.Id, 0);
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
        _stop.ReadStack(thread);
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

    /// <summary>Detaches from all threads of a process.</summary>
    /// <remarks>A thread must stop before it can be detached. The one that waits for createdump stops at once; one that waits for a processor gets it, because nobody else is continued.</remarks>
    private void Release(SampledProcess process)
    {
        foreach (var thread in process.Threads)
            _ = PtraceNative.Trace(PtraceNative.Interrupt, thread.Id, 0, 0);
        var limit = Stopwatch.GetTimestamp() + AskNanoseconds;
        while (process.Threads.Count > 0 && _exitCode is null && Stopwatch.GetTimestamp() < limit)
        {
            HandleNext();
        }
    }

    private void EndWindow(long now)
    {
        _threads.WriteNames();

        // A thread on this processor stands still while the others are looked at: elsewhere there may be room.
        if (_hereSamples > _awaySamples)
            _processor = PtraceNative.StayOnProcessor(_processor);
        (_hereSamples, _awaySamples) = (0, 0);
        _buffer.EndWindow(now);
    }
}
