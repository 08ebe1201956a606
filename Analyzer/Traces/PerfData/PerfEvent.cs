using EtwSerializerProfiler.Traces.PerfData.Tracepoints;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>An event of a recording: its settings, and the ids of its records.</summary>
public sealed class PerfEvent
{
    /// <summary>Creates an event.</summary>
    /// <param name="name">Name, for example <c>cpu-clock:u</c> or <c>sched:sched_switch</c>; empty when the file lacks it.</param>
    /// <param name="settings">Its settings.</param>
    /// <param name="ids">One id per thread and CPU.</param>
    /// <param name="format">Layout of the payload, for a tracepoint with a description in the file.</param>
    public PerfEvent(string name, PerfEventSettings settings, IReadOnlyList<ulong> ids, TracepointFormat? format = null)
    {
        ArgumentNullException.ThrowIfNull(settings);
        Name = name;
        Settings = settings;
        Ids = ids;
        Format = format;
        Layout = new SampleLayout(settings);
    }

    /// <summary>Name of the event; empty when unknown.</summary>
    public string Name { get; }

    /// <summary>Its settings.</summary>
    public PerfEventSettings Settings { get; }

    /// <summary>Ids of its records.</summary>
    public IReadOnlyList<ulong> Ids { get; }

    /// <summary>Layout of a tracepoint's payload; null for other events, or when the file lacks its description.</summary>
    public TracepointFormat? Format { get; }

    /// <summary>Whether its samples are samples of CPU time.</summary>
    public bool SamplesCpuTime { get; private set; }

    /// <summary>
    /// Finds the events that sample CPU time: clocks of the kernel, else the processor's cycles if sampled by frequency. A sample then
    /// represents 1/frequency, because the kernel adjusts the cycles between two samples.
    /// </summary>
    internal static void FindCpuTime(IReadOnlyList<PerfEvent> events)
    {
        var hasClock = events.Any(item => item.Settings.IsCpuClock);
        foreach (var item in events)
            item.SamplesCpuTime = item.Settings.IsCpuClock || (!hasClock && item.Settings.IsCyclesByFrequency);
    }

    /// <summary>Offsets of the fields in its records.</summary>
    internal SampleLayout Layout { get; }
}
