using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Dumps.Exceptions;
using EtwSerializerProfiler.Dumps.Heap;
using EtwSerializerProfiler.Dumps.Locks;
using EtwSerializerProfiler.Dumps.Modules;
using EtwSerializerProfiler.Dumps.Roots;
using EtwSerializerProfiler.Dumps.Threads;

namespace EtwSerializerProfiler.Dumps;

/// <summary>What was found in a dump. A section is null when it was not asked for, is not in the dump, or could not be read; a finding says the latter two.</summary>
/// <param name="Path">The dump.</param>
/// <param name="Facts">Process and runtime.</param>
public sealed record DumpResult(string Path, DumpFacts Facts)
{
    /// <summary>Exceptions, those of threads first, then the most frequent.</summary>
    public IReadOnlyList<ExceptionGroup>? Exceptions { get; init; }

    /// <summary>Threads, by number.</summary>
    public IReadOnlyList<DumpThread>? Threads { get; init; }

    /// <summary>Threads by equal stacks, the most frequent first.</summary>
    public IReadOnlyList<StackGroup>? Stacks { get; init; }

    /// <summary>The heap.</summary>
    public HeapResult? Heap { get; init; }

    /// <summary>Held locks, those with waiting threads first.</summary>
    public IReadOnlyList<HeldLock>? Locks { get; init; }

    /// <summary>What keeps objects of the biggest types alive.</summary>
    public RootResult? Roots { get; init; }

    /// <summary>Assemblies.</summary>
    public IReadOnlyList<DumpModule>? Modules { get; init; }

    /// <summary>What is missing, and what is wrong with the process.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];
}
