using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Dumps.Exceptions;
using EtwSerializerProfiler.Dumps.Heap;
using EtwSerializerProfiler.Dumps.Locks;
using EtwSerializerProfiler.Dumps.Modules;
using EtwSerializerProfiler.Dumps.Roots;
using EtwSerializerProfiler.Dumps.Threads;

namespace EtwSerializerProfiler.Dumps;

/// <summary>
/// Analysis of a dump. A section is null when it was not requested, is not in the dump, or is unreadable; a finding reports the latter two.
/// </summary>
/// <param name="Path">The dump.</param>
/// <param name="Facts">Process and runtime.</param>
public sealed record DumpResult(string Path, DumpFacts Facts)
{
    /// <summary>Exceptions: those of threads first, then by frequency.</summary>
    public IReadOnlyList<ExceptionGroup>? Exceptions { get; init; }

    /// <summary>Threads, by number.</summary>
    public IReadOnlyList<DumpThread>? Threads { get; init; }

    /// <summary>Threads grouped by equal stacks, largest group first.</summary>
    public IReadOnlyList<StackGroup>? Stacks { get; init; }

    /// <summary>The heap.</summary>
    public HeapResult? Heap { get; init; }

    /// <summary>Held locks, those with waiting threads first.</summary>
    public IReadOnlyList<HeldLock>? Locks { get; init; }

    /// <summary>What keeps objects of the largest types alive.</summary>
    public RootResult? Roots { get; init; }

    /// <summary>Assemblies.</summary>
    public IReadOnlyList<DumpModule>? Modules { get; init; }

    /// <summary>Losses, and problems of the process.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];
}
