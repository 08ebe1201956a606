using EtwSerializerProfiler.Analysis.Stacktags;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>What is asked of the CPU samples.</summary>
/// <param name="Grouping">What the rows stand for.</param>
/// <param name="ByInclusive">Orders the rows by inclusive samples instead of exclusive ones.</param>
/// <param name="Filter">Which runs count.</param>
/// <param name="Top">Most rows, null for all.</param>
public sealed record CpuQuery(CpuGrouping Grouping, bool ByInclusive, RunFilter Filter, int? Top)
{
    /// <summary>Asks for a call tree instead of rows; null for rows.</summary>
    public CallTreeQuery? Tree { get; init; }

    /// <summary>Adds the waits to the call tree, each below its stack.</summary>
    public bool WithWaits { get; init; }

    /// <summary>Asks for the processes of this name or id; null for those that made the runs.</summary>
    public string? Process { get; init; }

    /// <summary>Keeps which instructions the samples hit; by line only.</summary>
    public bool WithInstructions { get; init; }

    /// <summary>The tags of <see cref="CpuGrouping.Tag"/>; null for the other groupings.</summary>
    public StacktagMatcher? Tags { get; init; }
}

/// <summary>What the rows of a CPU report stand for.</summary>
public enum CpuGrouping
{
    /// <summary>A method or function; overloads, instances of a generic method at other addresses and tiers together.</summary>
    Method = 0,

    /// <summary>An assembly, library, or the kernel.</summary>
    Module = 1,

    /// <summary>The namespace of the method's type; other code by its module.</summary>
    Namespace = 2,

    /// <summary>A thread.</summary>
    Thread = 3,

    /// <summary>A tag of .stacktags files, as the Windows Performance Analyzer counts: one tag a sample.</summary>
    Tag = 4,

    /// <summary>A source line of a method; code without one by its method.</summary>
    Line = 5,
}
