using EtwSerializerProfiler.Analysis.Stacktags;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>A query for CPU samples.</summary>
/// <param name="Grouping">Grouping of the rows.</param>
/// <param name="ByInclusive">Whether to order the rows by inclusive instead of exclusive samples.</param>
/// <param name="Filter">Selects the runs.</param>
/// <param name="Top">Maximum rows; null for all.</param>
public sealed record CpuQuery(CpuGrouping Grouping, bool ByInclusive, RunFilter Filter, int? Top)
{
    /// <summary>Requests a call tree instead of rows; null for rows.</summary>
    public CallTreeQuery? Tree { get; init; }

    /// <summary>Adds the waits to the call tree, each below its stack.</summary>
    public bool WithWaits { get; init; }

    /// <summary>Folds the frames of platform and runtime into the nearest caller that is the user's own code.</summary>
    public bool JustMyCode { get; init; }

    /// <summary>Name or id of the processes; null for those with runs.</summary>
    public string? Process { get; init; }

    /// <summary>Keeps the instructions that samples hit; only by line.</summary>
    public bool WithInstructions { get; init; }

    /// <summary>Tags for <see cref="CpuGrouping.Tag"/>; null for other groupings.</summary>
    public StacktagMatcher? Tags { get; init; }
}

/// <summary>Grouping of the rows of a CPU report.</summary>
public enum CpuGrouping
{
    /// <summary>A method or function; overloads, generic instances at other addresses, and tiers are combined.</summary>
    Method = 0,

    /// <summary>An assembly, library, or the kernel.</summary>
    Module = 1,

    /// <summary>The namespace of the method's type; for other code, its module.</summary>
    Namespace = 2,

    /// <summary>A thread.</summary>
    Thread = 3,

    /// <summary>A tag of .stacktags files; one tag per sample, as in the Windows Performance Analyzer.</summary>
    Tag = 4,

    /// <summary>A source line of a method; for code without lines, its method.</summary>
    Line = 5,
}
