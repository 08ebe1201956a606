using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>What is added up for one row.</summary>
internal sealed class CpuTally
{
    /// <summary>Number of the stack that was counted last: a method that occurs twice in a stack counts once.</summary>
    public long LastStack { get; set; } = -1;

    public long Samples { get; set; }

    public long Ticks { get; set; }

    public long InclusiveSamples { get; set; }

    public long InclusiveTicks { get; set; }

    public long KernelSamples { get; set; }

    /// <summary>Bit n: code of <see cref="CodeTier"/> n was hit.</summary>
    public int Tiers { get; set; }
}
