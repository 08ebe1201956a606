using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.Marks;

/// <summary>
/// A background thread that blocks while a run's clock is running. The context switches or wait events of its wait delimit the run in a
/// trace.
/// </summary>
/// <remarks>
/// <para>
/// The thread has two waits, each in a separate method that is never inlined: <see cref="IdleBetweenRuns"/> and one named after the
/// operation (<see cref="SerializeDuration"/> …). <see cref="Begin"/> ends the idle wait and returns when the thread is blocked in the
/// run's wait; <see cref="End"/> ends that wait, and <see cref="WaitUntilIdle"/> returns when the thread has left it. So run waits and idle
/// waits strictly alternate, and there are exactly as many run waits as calls of <see cref="Begin"/>.
/// </para>
/// <para>
/// No trigger can remain from an earlier run: the stop event is reset while the thread is idle, before the next run, and
/// <see cref="Begin"/> refuses to start a run during another one.
/// </para>
/// </remarks>
public sealed class RunMarker : IDisposable
{
    /// <summary>Name of the thread; on Linux also its comm (first 15 characters).</summary>
    public const string ThreadName = "RunMarker";

    /// <summary>Time limit of a handshake with the marker thread. Beyond it, the machine is too loaded for measurements.</summary>
    private static readonly TimeSpan s_handshakeLimit = TimeSpan.FromSeconds(10);

    /// <summary>How long a handshake spins before it yields: several times its duration on a machine with a free processor.</summary>
    private static readonly TimeSpan s_busyLimit = TimeSpan.FromMilliseconds(1);

    /// <summary>
    /// Minimum time from a thread's WaitSleepJoin to its block, in ticks of <see cref="Stopwatch"/>: 200 µs, twice the measured duration of
    /// the event's stack walk.
    /// </summary>
    private static readonly long s_minSettle = Stopwatch.Frequency / 5_000;

    private readonly Thread _thread;

    /// <summary>Ends the idle wait: a run begins, or the marker is disposed.</summary>
    private readonly AutoResetEvent _next = new(false);

    /// <summary>Ends the wait of the current run. Reset only while the thread is idle.</summary>
    private readonly ManualResetEvent _stop = new(false);

    /// <summary>Condition of the handshake in <see cref="Begin"/>; stored, because a handshake must not allocate.</summary>
    private readonly Func<bool> _isInRunsWait;

    /// <summary>Condition of the handshake in <see cref="WaitUntilIdle"/>.</summary>
    private readonly Func<bool> _isOutOfRunsWait;

    /// <summary>
    /// Detects that the thread sleeps in the kernel; null where the system does not show it. Set by the thread before its first wait.
    /// </summary>
    private SleepProbe? _sleep;

    /// <summary>When the thread was last asked to wait; used without <see cref="_sleep"/>.</summary>
    private long _asked = Stopwatch.GetTimestamp();

    private volatile State _state = State.Idle;

    /// <summary>Operation of the current run; null ends the thread.</summary>
    private string? _operation;

    /// <summary>Id of the current run for the MarkerWaiting event.</summary>
    private int _runId;

    /// <summary>
    /// Starts the marker thread and returns when it is idle, so that the allocations of its start are not attributed to the first run.
    /// </summary>
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

    /// <summary>Number of run waits so far; equals the number of <see cref="Begin"/> calls that returned.</summary>
    public int Waits { get; private set; }

    private bool IsBlocked
    {
        get
        {
            if ((_thread.ThreadState & System.Threading.ThreadState.WaitSleepJoin) == 0)
                return false;
            if (_sleep is { } sleep)
                return sleep.IsSleeping;

            // Without information from the kernel, give the thread time from this state to its block: on a loaded machine twice the time
            // that it took to get here.
            var now = Stopwatch.GetTimestamp();
            var settled = now + Math.Max(s_minSettle, 2 * (now - _asked));
            while (Stopwatch.GetTimestamp() < settled)
                Thread.Yield();
            return true;
        }
    }

    /// <summary>Begins a run; returns when the marker thread is blocked in the wait of <paramref name="operation"/>.</summary>
    /// <exception cref="InvalidOperationException">A run is already open.</exception>
    /// <exception cref="TimeoutException">The marker thread did not block within ten seconds.</exception>
    public void Begin(int runId, string operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        ObjectDisposedException.ThrowIf(_state == State.Ended, this);
        if (_state != State.Idle)
            throw new InvalidOperationException("A run is already open: end it before the next one begins.");

        _stop.Reset();
        _operation = operation;
        _runId = runId;
        _state = State.Starting;
        _asked = Stopwatch.GetTimestamp();
        _next.Set();

        // State.Waiting is set after the idle wait is over, so a thread that is blocked after this is blocked in the run's wait.
        WaitUntil(_isInRunsWait, "start waiting");
        Waits++;
    }

    /// <summary>Ends the current run by ending the wait of the marker thread. Does nothing without a current run.</summary>
    /// <remarks>
    /// Call it immediately after the run's clock has stopped, then <see cref="WaitUntilIdle"/> before anything that suspends the runtime.
    /// </remarks>
    public void End() => _stop.Set();

    /// <summary>Returns when the marker thread has left the run's wait.</summary>
    /// <exception cref="TimeoutException">The thread did not leave it within ten seconds.</exception>
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

            // Yielding the processor can cost a time slice, which would lie between the marker's and the clock's start or end.
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
                case RunOperation.Serialize:
                    SerializeDuration();
                    break;
                case RunOperation.Deserialize:
                    DeserializeDuration();
                    break;
                case RunOperation.Combined:
                    CombinedDuration();
                    break;
                case RunOperation.StartRuntime:
                    StartRuntimeDuration();
                    break;
                case RunOperation.Construct:
                    ConstructDuration();
                    break;
                case RunOperation.FirstSerialize:
                    FirstSerializeDuration();
                    break;
                case RunOperation.FirstDeserialize:
                    FirstDeserializeDuration();
                    break;
                default:
                    RunDuration();
                    break;
            }

            _state = State.Idle;
        }
    }

    // NoInlining keeps the frame. The code after the wait prevents a tail call, which would drop it.
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
