using EtwSerializerProfiler.Traces.PerfData.Tracepoints;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>An event of a recording: what was opened, and the ids its records carry.</summary>
public sealed class PerfEvent
{
    /// <summary>Creates an event.</summary>
    /// <param name="name">Name, for example <c>cpu-clock:u</c> or <c>sched:sched_switch</c>; empty when the file does not say.</param>
    /// <param name="settings">What was opened.</param>
    /// <param name="ids">One id for each thread and CPU it was opened on.</param>
    /// <param name="format">Layout of the payload, for a tracepoint the file describes.</param>
    public PerfEvent(string name, PerfEventSettings settings, IReadOnlyList<ulong> ids, TracepointFormat? format = null)
    {
        ArgumentNullException.ThrowIfNull(settings);
        Name = name;
        Settings = settings;
        Ids = ids;
        Format = format;
        Layout = new SampleLayout(settings);
    }

    /// <summary>Name of the event, empty when unknown.</summary>
    public string Name { get; }

    /// <summary>What was opened.</summary>
    public PerfEventSettings Settings { get; }

    /// <summary>Ids of its records.</summary>
    public IReadOnlyList<ulong> Ids { get; }

    /// <summary>Layout of a tracepoint's payload, null for other events or when the file holds no description of it.</summary>
    public TracepointFormat? Format { get; }

    /// <summary>Whether its samples are samples of CPU time.</summary>
    public bool SamplesCpuTime { get; private set; }

    /// <summary>Finds out which events of a recording sample CPU time: clocks of the kernel, else the processor's cycles, if they were sampled by frequency. That is 1/frequency for a sample, as the kernel adjusts the cycles between two.</summary>
    internal static void FindCpuTime(IReadOnlyList<PerfEvent> events)
    {
        var hasClock = events.Any(item => item.Settings.IsCpuClock);
        foreach (var item in events)
            item.SamplesCpuTime = item.Settings.IsCpuClock || (!hasClock && item.Settings.IsCyclesByFrequency);
    }

    /// <summary>Where the fields of its records are.</summary>
    internal SampleLayout Layout { get; }
}
