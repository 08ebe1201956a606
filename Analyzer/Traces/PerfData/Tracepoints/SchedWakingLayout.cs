namespace EtwSerializerProfiler.Traces.PerfData.Tracepoints;

/// <summary>
/// Reads the payload of <c>sched:sched_waking</c>, with one-time field look-up. The sample's own thread is the readying thread.
/// </summary>
public sealed class SchedWakingLayout
{
    private readonly TracepointField _thread;
    private readonly TracepointField _targetCpu;

    private SchedWakingLayout(TracepointField thread, TracepointField targetCpu)
    {
        _thread = thread;
        _targetCpu = targetCpu;
    }

    /// <summary>Creates the layout for an event; null for another event, or when the file does not describe it.</summary>
    public static SchedWakingLayout? Create(PerfEvent perfEvent)
    {
        ArgumentNullException.ThrowIfNull(perfEvent);
        return
            perfEvent.Format is { Name: "sched_waking" } format && format.Find("pid") is { } thread && format.Find("target_cpu") is { } cpu
            ? new SchedWakingLayout(thread, cpu)
            : null;
    }

    /// <summary>Reads a payload.</summary>
    /// <param name="raw">The payload.</param>
    /// <param name="thread">The readied thread.</param>
    /// <param name="targetCpu">Processor on which it last ran.</param>
    /// <returns>False when the payload is too short.</returns>
    public bool TryRead(ReadOnlySpan<byte> raw, out int thread, out int targetCpu)
    {
        var valid = _thread.TryRead(raw, out var id) & _targetCpu.TryRead(raw, out var cpu);
        thread = (int)id;
        targetCpu = (int)cpu;
        return valid;
    }
}
