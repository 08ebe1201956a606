using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>A node of a call tree: what was called on one path from the begin of a thread.</summary>
public sealed record CallTreeRow
{
    /// <summary>Callers above it.</summary>
    public required int Depth { get; init; }

    /// <summary>Name of the method, module, namespace or thread.</summary>
    public required string Name { get; init; }

    /// <summary>Its module; empty for a thread.</summary>
    public required string Module { get; init; }

    /// <summary>Its namespace; empty for code without one.</summary>
    public required string Namespace { get; init; }

    /// <summary>Kind of code; null for a thread and for the place of missing callers.</summary>
    public required CodeKind? Kind { get; init; }

    /// <summary>Whether it is a method where it was inlined into its caller; the same method's own code is another node. False for nodes of other kinds.</summary>
    public required bool IsInlined { get; init; }

    /// <summary>Source line of a node by lines: of its own code, or of its call; null where it is not known, and for nodes of other kinds.</summary>
    public required SourceLine? Line { get; init; }

    /// <summary>Operating-system thread; null for other rows.</summary>
    public required long? ThreadId { get; init; }

    /// <summary>Samples on this path and below.</summary>
    public required long InclusiveSamples { get; init; }

    /// <summary>CPU time these samples stand for, in ms.</summary>
    public required double InclusiveCpuMs { get; init; }

    /// <summary>Share of CPU time and waits on this path and below in that of all, in %.</summary>
    public required double InclusivePercent { get; init; }

    /// <summary>Samples whose leaf is this.</summary>
    public required long Samples { get; init; }

    /// <summary>CPU time these samples stand for, in ms.</summary>
    public required double CpuMs { get; init; }

    /// <summary>Share of its own CPU time and waits in that of all, in %.</summary>
    public required double Percent { get; init; }

    /// <summary>Waits on this path and below, in ms; 0 in a tree of CPU time alone.</summary>
    public required double InclusiveWaitMs { get; init; }

    /// <summary>Waits of this node alone, in ms; 0 in a tree of CPU time alone.</summary>
    public required double WaitMs { get; init; }
}

/// <summary>How much of a call tree is shown.</summary>
/// <param name="LeastPercent">Smallest share of the CPU time of all samples, in %, inclusive.</param>
/// <param name="MostLevels">Most levels.</param>
/// <param name="Top">Most nodes, null for all.</param>
public sealed record CallTreeQuery(double LeastPercent, int MostLevels, int? Top)
{
    /// <summary>Levels that a tree can have at most; stacks of the kernel's default limit (perf_event_max_stack, 127 frames) are far below.</summary>
    public const int Deepest = 400;
}
