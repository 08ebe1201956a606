using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>A node of a call tree: one path from the start of a thread.</summary>
public sealed record CallTreeRow
{
    /// <summary>Number of callers above it.</summary>
    public required int Depth { get; init; }

    /// <summary>Name of the method, module, namespace or thread.</summary>
    public required string Name { get; init; }

    /// <summary>Its module; empty for a thread.</summary>
    public required string Module { get; init; }

    /// <summary>Its namespace; empty for code without one.</summary>
    public required string Namespace { get; init; }

    /// <summary>Kind of code; null for a thread and for missing callers.</summary>
    public required CodeKind? Kind { get; init; }

    /// <summary>
    /// Whether it is a method inlined into its caller; the method's own code is another node. False for nodes of other kinds.
    /// </summary>
    public required bool IsInlined { get; init; }

    /// <summary>Source line of a node by line: in its own code, or of its call; null when unknown, and for nodes of other kinds.</summary>
    public required SourceLine? Line { get; init; }

    /// <summary>Operating-system thread; null for other rows.</summary>
    public required long? ThreadId { get; init; }

    /// <summary>Number of samples on this path and below.</summary>
    public required long InclusiveSamples { get; init; }

    /// <summary>CPU time that these samples represent, in ms.</summary>
    public required double InclusiveCpuMs { get; init; }

    /// <summary>Share of the CPU time and waits on this path and below, in %.</summary>
    public required double InclusivePercent { get; init; }

    /// <summary>Number of samples with this leaf.</summary>
    public required long Samples { get; init; }

    /// <summary>CPU time that these samples represent, in ms.</summary>
    public required double CpuMs { get; init; }

    /// <summary>Share of the CPU time and waits of this node itself, in %.</summary>
    public required double Percent { get; init; }

    /// <summary>Waits on this path and below, in ms; 0 in a tree of CPU time only.</summary>
    public required double InclusiveWaitMs { get; init; }

    /// <summary>Waits of this node itself, in ms; 0 in a tree of CPU time only.</summary>
    public required double WaitMs { get; init; }
}

/// <summary>Limits of a displayed call tree.</summary>
/// <param name="MinPercent">Minimum inclusive share of the CPU time of all samples, in %.</param>
/// <param name="MaxLevels">Maximum number of levels.</param>
/// <param name="Top">Maximum number of nodes; null for all.</param>
public sealed record CallTreeQuery(double MinPercent, int MaxLevels, int? Top)
{
    /// <summary>
    /// Maximum number of levels of any tree; far more than the kernel's default limit of a stack (perf_event_max_stack, 127 frames).
    /// </summary>
    public const int Deepest = 400;
}
