namespace EtwSerializerProfiler.Traces.PerfData.Tracepoints;

/// <summary>Reads the payload of <c>sched:sched_waking</c>; looks the fields up once. The sample's own thread is the one that wakes.</summary>
public sealed class SchedWakingLayout
{
    private readonly TracepointField _thread;
    private readonly TracepointField _targetCpu;

    private SchedWakingLayout(TracepointField thread, TracepointField targetCpu)
    {
        _thread = thread;
        _targetCpu = targetCpu;
    }

    /// <summary>Makes the layout for an event; null when it is another one, or the file does not describe it.</summary>
    public static SchedWakingLayout? Create(PerfEvent perfEvent)
    {
        ArgumentNullException.ThrowIfNull(perfEvent);
        return perfEvent.Format is { Name: "sched_waking" } format && format.Find("pid") is { } thread && format.Find("target_cpu") is { } cpu
            ? new SchedWakingLayout(thread, cpu)
            : null;
    }

    /// <summary>Reads a payload.</summary>
    /// <param name="raw">The payload.</param>
    /// <param name="thread">Thread that is made ready.</param>
    /// <param name="targetCpu">Processor it last ran on.</param>
    /// <returns>False when the payload is too short.</returns>
    public bool TryRead(ReadOnlySpan<byte> raw, out int thread, out int targetCpu)
    {
        var valid = _thread.TryRead(raw, out var id) & _targetCpu.TryRead(raw, out var cpu);
        thread = (int)id;
        targetCpu = (int)cpu;
        return valid;
    }
}
