namespace EtwSerializerProfiler.Traces.PerfData.Tracepoints;

/// <summary>Reads the payload of <c>sched:sched_switch</c>; looks up its fields once.</summary>
public sealed class SchedSwitchLayout
{
    private readonly TracepointField _previousThread;
    private readonly TracepointField _previousState;
    private readonly TracepointField _nextThread;

    private SchedSwitchLayout(TracepointField previousThread, TracepointField previousState, TracepointField nextThread)
    {
        _previousThread = previousThread;
        _previousState = previousState;
        _nextThread = nextThread;
    }

    /// <summary>Creates the layout for an event; null for another event, or when the file does not describe it.</summary>
    public static SchedSwitchLayout? Create(PerfEvent perfEvent)
    {
        ArgumentNullException.ThrowIfNull(perfEvent);
        return
            perfEvent.Format is { Name: "sched_switch" } format
            && format.Find("prev_pid") is { } previous
            && format.Find("prev_state") is { } state
            && format.Find("next_pid") is { } next
            ? new SchedSwitchLayout(previous, state, next)
            : null;
    }

    /// <summary>
    /// Whether a thread was preempted: no TASK_* bit, or only the bit above the reported ones (0x100, printed as R+).
    /// Before Linux 4.14, that bit had another position (up to 0x1000).
    /// </summary>
    public static bool IsPreempted(long previousState) => (previousState & 0xff) == 0;

    /// <summary>Reads a payload.</summary>
    /// <param name="raw">The payload.</param>
    /// <param name="previousThread">The outgoing thread.</param>
    /// <param name="previousState">Its TASK_* bits (include/linux/sched.h); see <see cref="IsPreempted"/>.</param>
    /// <param name="nextThread">The incoming thread; 0 is idle.</param>
    /// <returns>False when the payload is too short.</returns>
    public bool TryRead(ReadOnlySpan<byte> raw, out int previousThread, out long previousState, out int nextThread)
    {
        var valid =
            _previousThread.TryRead(raw, out var previous)
            & _previousState.TryRead(raw, out previousState)
            & _nextThread.TryRead(raw, out var next);
        previousThread = (int)previous;
        nextThread = (int)next;
        return valid;
    }
}
