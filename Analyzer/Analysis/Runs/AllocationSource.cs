namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>What a number of allocated bytes was taken from.</summary>
public enum AllocationSource
{
    /// <summary>Exact: the program's own reading of GC.GetTotalAllocatedBytes.</summary>
    Truth = 0,

    /// <summary>Estimated from sampled allocations.</summary>
    Sampled = 1,

    /// <summary>Sum of allocation ticks, ± 100 KB a run.</summary>
    Ticks = 2,
}
