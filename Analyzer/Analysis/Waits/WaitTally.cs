namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>What is added up for one row.</summary>
internal sealed class WaitTally
{
    public long Count { get; set; }

    public long Ticks { get; set; }

    public long LongestTicks { get; set; }
}
