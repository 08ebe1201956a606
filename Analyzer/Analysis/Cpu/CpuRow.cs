using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>CPU samples of a method, module, namespace or thread in the runs.</summary>
public sealed record CpuRow
{
    /// <summary>Runtime where the result has runs on several, empty where it has one.</summary>
    public string Runtime { get; init; } = "";

    /// <summary>Name of what the row stands for.</summary>
    public required string Name { get; init; }

    /// <summary>Its module; empty for a thread.</summary>
    public required string Module { get; init; }

    /// <summary>Its namespace; empty for a thread, a module, and code without one.</summary>
    public required string Namespace { get; init; }

    /// <summary>Kind of code; null for a thread.</summary>
    public required CodeKind? Kind { get; init; }

    /// <summary>Whether it is a method where it was inlined into its caller; the same method's own code is another row. False for rows of other kinds.</summary>
    public required bool IsInlined { get; init; }

    /// <summary>Tiers of the code the samples hit, empty for code that has none.</summary>
    public required string Tiers { get; init; }

    /// <summary>Operating-system thread; null for other rows.</summary>
    public required long? ThreadId { get; init; }

    /// <summary>Samples that hit it.</summary>
    public required long Samples { get; init; }

    /// <summary>CPU time these samples stand for, in ms.</summary>
    public required double CpuMs { get; init; }

    /// <summary>Their share of all CPU time in the runs, in %.</summary>
    public required double Percent { get; init; }

    /// <summary>Samples that hit it or what it called.</summary>
    public required long InclusiveSamples { get; init; }

    /// <summary>CPU time these samples stand for, in ms.</summary>
    public required double InclusiveCpuMs { get; init; }

    /// <summary>Their share of all CPU time in the runs, in %.</summary>
    public required double InclusivePercent { get; init; }

    /// <summary>How many of the inclusive samples were taken in kernel mode; null when the session was not permitted to sample the kernel.</summary>
    public required long? KernelSamples { get; init; }
}
