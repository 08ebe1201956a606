using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Sessions.Launch;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>
/// Samples the CPU time of a program and its descendants where the system refuses perf events. The sampler is their parent, and tracing
/// one's own children needs no rights. It sends the samples to the recorder through a pipe, in the kernel's format of perf events.
/// </summary>
/// <remarks>
/// <para>
/// <b>A separate process with one thread.</b> Only the attached thread may make ptrace requests and collect stops, and a stopped thread of
/// the program waits for exactly this thread. So nothing else runs in this process, the loop does not allocate while threads are stopped,
/// and the recorder does what can block (the disk). If this process is killed, the kernel detaches from all threads and the program
/// continues.
/// </para>
/// <para>
/// <b>A tick</b> examines every thread without stopping it. <c>schedstat</c> has its CPU time and how often it was switched in. If both are
/// unchanged and it was asleep at the last tick, it is still asleep. If the number of switches is unchanged since its last stop, it has not
/// run since, so there is nothing to attribute. Otherwise <c>syscall</c> shows whether it is running; if so, it is interrupted. CPU time
/// alone is not sufficient, because it does not advance while a thread runs (that of a spinning thread advanced every 11 ms). Sleeping
/// threads must never be interrupted: their epoll_wait would return EINTR, and each interruption would make them use CPU time and be
/// sampled again.
/// </para>
/// <para>
/// <b>A stop</b> arrives at any time: a thread that was interrupted while waiting for a processor takes milliseconds. The sampler does not
/// wait for a particular thread; one wait collects all stops, and between them the sampler sleeps until SIGCHLD or the next tick. While a
/// thread is stopped, the sampler reads its registers, its exact CPU time, and its stack with the chain of frame pointers. It then resumes
/// the thread and only after that writes the sample. Only a timer begins a tick, because it interrupts the thread on this processor
/// anywhere. A signal does not (lazy preemption, the default since kernel 6.13): this process then gets its processor when that thread
/// makes a system call, so a tick that is due by then is postponed.
/// </para>
/// <para>
/// <b>Dropped samples.</b> <c>syscall</c> also shows "running" for a ready thread: one that was preempted, yielded or just became ready.
/// The location of such a thread is biased (a thread that sends to another one, or yields, leaves its processor there), so its samples
/// would overstate system calls: on a loaded web server, 40 % in libc instead of 20. Whether a thread was on a processor is known after it
/// has stopped. If it was not switched in since the tick, it was. Otherwise it waited for a processor, and <c>schedstat</c> has the
/// duration: if the processor is this process's own and the wait is not longer than this process's turn, it is the thread that this process
/// interrupted. All other threads were not on a processor or became ready meanwhile (<see cref="WaitingCalls"/>): they get no sample, and
/// their CPU time is attributed to their next sample.
/// </para>
/// <para>
/// <b>CPU time without samples.</b> On a saturated machine this process itself waits for a processor, and the program runs unsampled
/// meanwhile. The next sample shows where a thread is then, not where it was. So a sample represents ten ticks at most, and the rest of a
/// thread's CPU time becomes a sample without a stack, which readers count as broken.
/// </para>
/// <para>
/// <b>Duties of a tracer.</b> Each signal for the program stops the thread and is passed on (.NET throws NullReferenceException by SIGSEGV
/// and suspends threads for a GC by a real-time signal). A stopped job (SIGSTOP, SIGTSTP) is left stopped (PTRACE_LISTEN). Ended threads
/// are reaped at once, because exec waits for them. Starts and dumps: <see cref="TracedThreads"/>.
/// </para>
/// </remarks>
internal sealed unsafe class PtraceSampler : IDisposable
{
    /// <summary>Id of the samples in the file; the id of the threads' clocks follows it.</summary>
    public const ulong EventId = 1;

    /// <summary>Exit code when the program could not be started.</summary>
    public const int NotStartedExitCode = 126;

    /// <summary>Length of a window, whose samples are weighted together.</summary>
    private const long WindowNanoseconds = 100_000_000;

    /// <summary>Time in ns within which a thread on another processor stops.</summary>
    private const long StopNanoseconds = 40_000;

    /// <summary>How often a tick that no timer began is postponed at most.</summary>
    private const int MaxPostponements = 8;

    /// <summary>Time in ns between getting the processor and reading the clock.</summary>
    private const long AwakeMargin = 60_000;

    /// <summary>Time in ns after which a thread that did not stop is interrupted again, which is harmless.</summary>
    private const long AskNanoseconds = 1_000_000_000;

    /// <summary>
    /// Number of ticks' CPU time that a sample represents at most. A thread that runs for ten ticks without a sample shows that this
    /// process lacked a processor.
    /// </summary>
    private const int MaxTicksPerSample = 10;

    /// <summary>Busy for some ticks, then starts a process.</summary>
    private static readonly string[] s_rehearsal = ["/bin/sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; (:)"];

    private readonly SamplerArguments _arguments;
    private readonly SampleBuffer _buffer;
    private readonly TracedThreads _threads;
    private readonly ThreadStop _stop;
    private readonly TickRate _rate;

    /// <summary>When this process last got its processor.</summary>
    private long _awakeAt;

    private int _program;
    private int? _exitCode;

    /// <summary>The last tick: when it began, when this process had got its processor, and when it slept again; 0 if it has not.</summary>
    private long _tickAt;
    private long _tickAwakeAt;
    private long _sleptAt;

    /// <summary>Threads that were interrupted at this tick.</summary>
    private readonly List<int> _asked = [];

    /// <summary>Number of samples in this window of threads on this process's processor, and on others.</summary>
    private int _hereSamples;
    private int _awaySamples;

    /// <summary>The processor to which this process is pinned.</summary>
    private int _processor;

    private PtraceSampler(SamplerArguments arguments, int pipe)
    {
        _arguments = arguments;
        _rate = new TickRate(arguments.SampleRateHz, WindowNanoseconds);
        _buffer = new SampleBuffer(pipe, EventId);
        _threads = new TracedThreads(_buffer, EventId);
        _stop = new ThreadStop(arguments.StackBytes);
    }

    /// <summary>
    /// Starts the program, samples it until it ends, and returns its exit code; 128 and the signal's number when a signal ended it.
    /// </summary>
    /// <param name="arguments">Arguments after the verb (<see cref="SamplerArguments"/>).</param>
    public static int Run(IReadOnlyList<string> arguments)
    {
        var parsed = SamplerArguments.Parse(arguments);
        var pipe = PtraceNative.Open(parsed.Pipe, PtraceNative.WriteWithoutBlocking);
        if (pipe < 0)
            return NotStartedExitCode; // the recorder has ended
        PtraceNative.Enlarge(pipe);
        Rehearse(parsed);
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
        // The starter blocks SIGCHLD in the whole process. Otherwise another thread could receive it, and a stop would wait for the next
        // tick.
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

    /// <summary>
    /// Samples a shell for some milliseconds, so that all code is compiled before the program starts: the JIT's work at the program's first
    /// stops kept its threads stopped for up to 0.2 s.
    /// </summary>
    /// <remarks>
    /// On a thread of its own: scheduling, processor and traced children belong to a thread, and the program inherits the first two.
    /// </remarks>
    private static void Rehearse(SamplerArguments arguments)
    {
        var nowhere = PtraceNative.Open("/dev/null", PtraceNative.WriteWithoutBlocking);
        if (nowhere < 0)
            return; // a root folder without devices: only the first stops take longer
        var thread = new Thread(() =>
        {
            using var sampler = new PtraceSampler(arguments with { Command = s_rehearsal }, nowhere);
            try
            {
                sampler.Run();
            }
            catch (LaunchException)
            {
                // The program cannot be started either, and that is reported.
            }
        });
        thread.Start();
        thread.Join();
        _ = PtraceNative.Close(nowhere);
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
            while (HandleNext()) { }

            if (_exitCode is not null)
                return;
            var now = Stopwatch.GetTimestamp();
            if (now >= next && !isWokenByTimer && postponed < MaxPostponements)
            {
                postponed++;
                next = now + _rate.NextPostponement();
            }
            else if (now >= next)
            {
                (_tickAt, _tickAwakeAt, _sleptAt) = (now, _awakeAt, 0);
                Tick(now);
                AwaitStops(Stopwatch.GetTimestamp());
                next = Math.Max(next + _rate.NextPause(), now);
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

    /// <summary>
    /// Handles the stops that arrive at once: sleeping until they arrive would take longer than they do, while threads stand still.
    /// </summary>
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

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Tick(long now)
    {
        _rate.CountTick();
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
            _rate.CountInterruption();
            _asked.Add(thread.Id);
        }
    }

    /// <summary>Handles the next state change of a child; false when there is none.</summary>
    /// <param name="of">The only child to check; 0 for any.</param>
    private bool HandleNext(int of = 0)
    {
        if (PtraceNative.Changed(of, out var hasEnded) is not (> 0 and var id))
            return false;
        if (hasEnded && _threads.Find(id) is { } ended && ended.TryReadSchedule())
            _threads.WriteClock(ended, Stopwatch.GetTimestamp()); // its clocks are readable until it is reaped
        int status;
        if (PtraceNative.Wait(id, &status, PtraceNative.WaitWithoutBlocking, null) == id)
            Handle(id, status);
        return true;
    }

    /// <summary>Handles a state change of a child.</summary>
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

        // Any stop clears a pending interruption (ptrace_stop in the kernel), so this stop takes its place. After exec there is nothing to
        // sample yet.
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

    /// <summary>Reads a stopped thread; false when it has ended, or was not running at the tick.</summary>
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

    /// <summary>
    /// Whether a thread that was switched in since the tick had been on this processor before this process: it waited no longer than this
    /// process ran.
    /// </summary>
    private bool MadeRoom(SampledThread thread, long askedAt, long slices, long ready) =>
        askedAt == _tickAt
        && thread.Slices == slices + 1
        && thread.ReadyNanoseconds - ready <= _sleptAt - _tickAwakeAt + AwakeMargin
        && !WaitingCalls.Contains(_stop.SystemCall)
        && thread.Processor() == _processor;

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
    /// <remarks>
    /// A thread must stop before it can be detached. A thread that waits for createdump stops at once. A thread that waits for a processor
    /// gets one, because no other thread is resumed.
    /// </remarks>
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

        // A thread on this processor stands still while the sampler examines the others; another processor may be idle.
        if (_hereSamples > _awaySamples)
            _processor = PtraceNative.StayOnProcessor(_processor);
        _threads.WriteUnsampled(now);
        _buffer.EndWindow(now);
        _rate.EndWindow();
        _buffer.MaxWeight = MaxTicksPerSample * _rate.Period;
        (_hereSamples, _awaySamples) = (0, 0);
    }
}
