using EtwSerializerProfiler.Analysis.Causes;

namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>Sums of the second pass for one run. Times in ticks.</summary>
internal sealed class RunTally
{
    /// <summary>Index of the run's window in the process, ordered by start.</summary>
    public int Index { get; init; }

    public GcCounts Gcs { get; set; }

    public long PauseTicks { get; set; }

    public long MaxPauseTicks { get; set; }

    public long JitMethods { get; set; }

    public long JitTicks { get; set; }

    public long Exceptions { get; set; }

    public long Contentions { get; set; }

    public long ContentionTicks { get; set; }

    /// <summary>CPU time of all threads of the process.</summary>
    public long CpuTicks { get; set; }

    public long CollectorCpuTicks { get; set; }

    public long CompilerCpuTicks { get; set; }

    /// <summary>The measuring thread; null when unknown. The following five numbers belong to it.</summary>
    public long? MeasuringThread { get; set; }

    public long OnCpuTicks { get; set; }

    public long WaitTicks { get; set; }

    public long ReadyTicks { get; set; }

    public long VoluntarySwitches { get; set; }

    public long InvoluntarySwitches { get; set; }

    public long Samples { get; set; }

    public long SampledTicks { get; set; }

    public long KernelSamples { get; set; }

    public long BrokenStacks { get; set; }

    /// <summary>Tags of the entry frames of the run's serializer; null when unknown.</summary>
    public IReadOnlySet<int>? Entries { get; set; }

    /// <summary>CPU time by cause; null without samples.</summary>
    public CauseTimes? Causes { get; set; }

    /// <summary>CPU time of other processes, by samples.</summary>
    public long OtherProcessTicks { get; set; }

    public double TickBytes { get; set; }

    public double SampledBytes { get; set; }
}
