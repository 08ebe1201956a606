using EtwSerializerProfiler.Sessions.PerfEvents;

namespace EtwSerializerProfiler.Sessions;

/// <summary>
/// Plan of the kernel events of a recording, in one perf.data file. Data only: it can be printed and tested without opening anything.
/// </summary>
/// <param name="SampleRateHz">CPU samples per second.</param>
/// <param name="Events">Events of the file; the first one provides samples and the records of names, mappings and threads.</param>
/// <param name="Notes">What cannot be recorded and why, a sentence each.</param>
public abstract record KernelPlan(int SampleRateHz, IReadOnlyList<PlannedPerfEvent> Events, IReadOnlyList<string> Notes)
{
    /// <summary>The CPU sampler.</summary>
    public abstract CpuSampler Sampler { get; }

    /// <summary>Whether all processes of the machine are recorded instead of only the process tree.</summary>
    public abstract bool IsSystemWide { get; }

    /// <summary>Whether CPU samples are taken.</summary>
    public bool TakesSamples => Sampler != CpuSampler.None;

    /// <summary>Bytes of user stack in a sample, with registers, to find lost callers; 0 for none.</summary>
    public int StackDumpBytes => (int)Events[0].Settings.StackUserBytes;
}
