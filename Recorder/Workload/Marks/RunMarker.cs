using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.Marks;

/// <summary>
/// A background thread that really blocks while a run's clock is running: its wait, seen in a trace's context switches or wait events, is the run.
/// </summary>
/// <remarks>
/// <para>
/// The thread has two waits, each in a method of its own that is never inlined: <see cref="IdleBetweenRuns"/> and one named after the operation
/// (<see cref="SerializeDuration"/> …). <see cref="Begin"/> wakes the idle wait and returns when the thread is blocked in the run's wait;
/// <see cref="End"/> wakes that one and returns when the thread is idle again. So the waits of a run and of the idle thread alternate strictly,
/// and there are exactly as many run waits as calls of <see cref="Begin"/>.
/// </para>
/// <para>
/// A trigger cannot be left behind: the stop event is reset while the thread is idle, before it is told of the next run, and
/// <see cref="Begin"/> refuses to start a run while one is open.
/// </para>
/// </remarks>
public sealed class RunMarker : IDisposable
{
    /// <summary>Name of the thread; on Linux also its comm (first 15 characters).</summary>
    public const string ThreadName = "RunMarker";

    /// <summary>How long a handshake with the marker thread may take before it is given up: the machine is then too loaded to measure anything.</summary>
    private static readonly TimeSpan s_handshakeLimit = TimeSpan.FromSeconds(10);

    /// <summary>How long a handshake spins before it yields: several times what it takes on a machine with a free processor.</summary>
    private static readonly TimeSpan s_busyLimit = TimeSpan.FromMilliseconds(1);

    /// <summary>1 / 200 µs: time from a thread's WaitSleepJoin to its block, twice what the event's stack walk was seen to take.</summary>
    private const long SettlesPerSecond = 5_000;

    /// <summary>The marker thread.</summary>
    private readonly Thread _thread;

    /// <summary>Set to end the idle wait: a run begins, or the marker is disposed.</summary>
    private readonly AutoResetEvent _next = new(false);

    /// <summary>Set to end the wait of the open run. Reset only while the thread is idle.</summary>
    private readonly ManualResetEvent _stop = new(false);

    /// <summary>Condition of the handshake of <see cref="Begin"/>; kept, because a handshake must not allocate.</summary>
    private readonly Func<bool> _isInRunsWait;

    /// <summary>Condition of the handshake of <see cref="WaitUntilIdle"/>.</summary>
    private readonly Func<bool> _isOutOfRunsWait;

    /// <summary>Sees the thread sleep in the kernel; null where the system cannot show it. Set by the thread before its first wait.</summary>
    private SleepProbe? _sleep;

    /// <summary>What the thread is about: one of the <c>State</c> values.</summary>
    private volatile State _state = State.Idle;

    /// <summary>Operation of the open run; null tells the thread to end.</summary>
    private string? _operation;

    /// <summary>Id of the open run, carried by the MarkerWaiting event.</summary>
    private int _runId;

    /// <summary>Starts the marker thread; returns when it is idle, so that what its start allocates is not charged to the first run.</summary>
    /// <exception cref="TimeoutException">The marker thread did not block within ten seconds.</exception>
    public RunMarker()
    {
        _thread = new Thread(Loop) { Name = ThreadName, IsBackground = true };
        _thread.Start();
        _isInRunsWait = () => _state == State.Waiting && IsBlocked;
        _isOutOfRunsWait = () => _state is not (State.Starting or State.Waiting);
        WaitUntil(() => IsBlocked, "start");
    }

    private enum State
    {
        Idle,
        Starting,
        Waiting,
        Ended,
    }

    /// <summary>Run waits begun so far. Equals the number of <see cref="Begin"/> calls that returned.</summary>
    public int Waits { get; private set; }

    private bool IsBlocked
    {
        get
        {
            if ((_thread.ThreadState & System.Threading.ThreadState.WaitSleepJoin) == 0)
                return false;
            if (_sleep is { } sleep)
                return sleep.IsSleeping;

            // Without a view into the kernel: give the thread the time it takes from there to its block.
            var settled = Stopwatch.GetTimestamp() + (Stopwatch.Frequency / SettlesPerSecond);
            while (Stopwatch.GetTimestamp() < settled)
                Thread.SpinWait(20);
            return true;
        }
    }

    /// <summary>Begins a run: returns when the marker thread is blocked in the wait of <paramref name="operation"/>.</summary>
    /// <exception cref="InvalidOperationException">A run is open already.</exception>
    /// <exception cref="TimeoutException">The marker thread did not block within ten seconds.</exception>
    public void Begin(int runId, string operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        ObjectDisposedException.ThrowIf(_state == State.Ended, this);
        if (_state != State.Idle)
            throw new InvalidOperationException("A run is open already: end it before the next one begins.");

        _stop.Reset();
        _operation = operation;
        _runId = runId;
        _state = State.Starting;
        _next.Set();

        // State.Waiting is set after the idle wait is over, so a blocked thread from then on is blocked in the run's wait.
        WaitUntil(_isInRunsWait, "start waiting");
        Waits++;
    }

    /// <summary>Ends the open run: wakes the marker thread. Does nothing when no run is open.</summary>
    /// <remarks>Call it right after the run's clock has stopped; then <see cref="WaitUntilIdle"/> before anything that suspends the runtime.</remarks>
    public void End() => _stop.Set();

    /// <summary>Returns when the marker thread has left the run's wait.</summary>
    /// <exception cref="TimeoutException">It did not within ten seconds.</exception>
    public void WaitUntilIdle() => WaitUntil(_isOutOfRunsWait, "leave its wait");

    /// <summary>Ends an open run and the marker thread.</summary>
    public void Dispose()
    {
        if (_state == State.Ended)
            return;
        End();
        WaitUntilIdle();
        _operation = null;
        _next.Set();
        _thread.Join(s_handshakeLimit);
        _state = State.Ended;
        _next.Dispose();
        _stop.Dispose();
        _sleep?.Dispose();
    }

    private static void WaitUntil(Func<bool> isReached, string what)
    {
        var start = Stopwatch.GetTimestamp();
        var spinner = default(SpinWait);
        while (!isReached())
        {
            var elapsed = Stopwatch.GetElapsedTime(start);
            if (elapsed > s_handshakeLimit)
                throw new TimeoutException($"The {ThreadName} thread did not {what} within {s_handshakeLimit.TotalSeconds} s.");

            // Yielding the processor can cost a time slice, which would stand between the marker's edge and the clock's.
            if (elapsed < s_busyLimit && Environment.ProcessorCount > 1)
                Thread.SpinWait(30);
            else
                spinner.SpinOnce(sleep1Threshold: -1);
        }
    }

    private void Loop()
    {
        _sleep = SleepProbe.OpenForCurrentThread();
        while (true)
        {
            IdleBetweenRuns();
            if (_operation is not { } operation)
                return;

            RunEventSource.Log.MarkerWaiting(_runId);
            _state = State.Waiting;
            switch (operation)
            {
                case RunOperation.Serialize: SerializeDuration(); break;
                case RunOperation.Deserialize: DeserializeDuration(); break;
                case RunOperation.Combined: CombinedDuration(); break;
                case RunOperation.StartRuntime: StartRuntimeDuration(); break;
                case RunOperation.Construct: ConstructDuration(); break;
                case RunOperation.FirstSerialize: FirstSerializeDuration(); break;
                case RunOperation.FirstDeserialize: FirstDeserializeDuration(); break;
                default: RunDuration(); break;
            }

            _state = State.Idle;
        }
    }

    // NoInlining keeps the frame; the code after the wait keeps the JIT from a tail call, which would drop it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void IdleBetweenRuns()
    {
        _next.WaitOne();
        GC.KeepAlive(this);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void SerializeDuration()
    {
        _stop.WaitOne();
        GC.KeepAlive(this);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void DeserializeDuration()
    {
        _stop.WaitOne();
        GC.KeepAlive(this);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void CombinedDuration()
    {
        _stop.WaitOne();
        GC.KeepAlive(this);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void StartRuntimeDuration()
    {
        _stop.WaitOne();
        GC.KeepAlive(this);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ConstructDuration()
    {
        _stop.WaitOne();
        GC.KeepAlive(this);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void FirstSerializeDuration()
    {
        _stop.WaitOne();
        GC.KeepAlive(this);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void FirstDeserializeDuration()
    {
        _stop.WaitOne();
        GC.KeepAlive(this);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RunDuration()
    {
        _stop.WaitOne();
        GC.KeepAlive(this);
    }
}
