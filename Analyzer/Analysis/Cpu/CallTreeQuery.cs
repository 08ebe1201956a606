namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>How much of a call tree is shown.</summary>
/// <param name="LeastPercent">Smallest share of the CPU time of all samples, in %, inclusive.</param>
/// <param name="MostLevels">Most levels.</param>
/// <param name="Top">Most nodes, null for all.</param>
public sealed record CallTreeQuery(double LeastPercent, int MostLevels, int? Top)
{
    /// <summary>Levels that a tree can have at most; stacks of the kernel's default limit (perf_event_max_stack, 127 frames) are far below.</summary>
    public const int Deepest = 400;
}
