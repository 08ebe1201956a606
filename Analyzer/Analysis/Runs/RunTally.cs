namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>What the second pass adds up for one run. Times in ticks.</summary>
internal sealed class RunTally
{
    public CollectionCounts Collections { get; set; }

    public long PauseTicks { get; set; }

    public long LongestPauseTicks { get; set; }

    public long JitMethods { get; set; }

    public long JitTicks { get; set; }

    public long Exceptions { get; set; }

    public long Contentions { get; set; }

    public long ContentionTicks { get; set; }

    public long CpuTicks { get; set; }

    public double TickBytes { get; set; }

    public double SampledBytes { get; set; }
}
