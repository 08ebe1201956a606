using System.Globalization;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Dumps.Heap;
using EtwSerializerProfiler.Dumps.Locks;
using EtwSerializerProfiler.Dumps.Threads;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Dumps;

/// <summary>Finds losses of a dump's analysis, and problems of the process.</summary>
internal static class DumpFindings
{
    /// <summary>Minimum share of gaps in a generation for a finding, in percent, and their minimum bytes.</summary>
    private const double ManyGapsPercent = 30;
    private const long ManyGapsBytes = 10_000_000;

    /// <summary>Minimum number of objects waiting for the finalizer thread for a finding.</summary>
    private const long ManyReady = 1_000;

    /// <summary>All findings, warnings first.</summary>
    /// <param name="result">The analysis.</param>
    /// <param name="heap">The heap, even if it was read only for another section.</param>
    /// <param name="threads">The threads, even if they were read only for another section.</param>
    /// <param name="candidates">Objects collected from the heap.</param>
    /// <param name="problems">Unreadable sections with the reason.</param>
    public static IReadOnlyList<Finding> Check(
        DumpResult result,
        HeapResult? heap,
        IReadOnlyList<DumpThread>? threads,
        LockCandidates candidates,
        IReadOnlyList<(string Section, string Reason)> problems
    ) =>
        [
            .. problems.Select(problem => new Finding(
                FindingKind.Warning,
                "dump-section",
                $"{problem.Section}: not read: {problem.Reason}"
            )),
            .. Incomplete(heap, threads, candidates),
            .. Circles(result),
            .. Gaps(result),
            .. Queue(result),
        ];

    private static IEnumerable<Finding> Incomplete(HeapResult? heap, IReadOnlyList<DumpThread>? threads, LockCandidates candidates)
    {
        foreach (var thread in threads?.Where(thread => thread.Problem.Length > 0) ?? [])
            yield return new Finding(
                FindingKind.Warning,
                "dump-stack",
                Text($"thread {thread.ManagedId}: its stack is missing or ends early: {thread.Problem}")
            );
        if (heap is { DamagedPlaces: > 0 })
            yield return new Finding(
                FindingKind.Warning,
                "dump-heap",
                Text(
                    $"the heap has {Plural.Of(heap.DamagedPlaces, "place")} without the expected object, and {Plural.Of(heap.UnreadBytes, "byte")} were skipped: the numbers lack objects"
                )
            );
        if (heap is { IsWalkable: false })
            yield return new Finding(
                FindingKind.Warning,
                "dump-heap",
                "the process was stopped during a GC: the numbers may lack objects and include invalid ones"
            );
        if (candidates.Exceptions.Count >= LockCandidates.Max || candidates.Thin.Count >= LockCandidates.Max)
            yield return new Finding(
                FindingKind.Warning,
                "dump-limit",
                Text($"only the first {LockCandidates.Max} exceptions, and as many objects that could be locked, were examined")
            );
    }

    private static IEnumerable<Finding> Circles(DumpResult result)
    {
        foreach (var circle in Deadlocks.Find(result.Locks ?? []))
        {
            yield return new Finding(
                FindingKind.Warning,
                "deadlock",
                Text(
                    $"deadlock: {string.Join("; ", circle.Select(held => Text($"thread {held.Owner!.ManagedId} holds {held.Type} 0x{held.Object:X}, for which {string.Join(" and ", held.Waiting.Select(waiting => Text($"thread {waiting.ManagedId}")))} {(held.Waiting.Count == 1 ? "waits" : "wait")}")))}"
                )
            )
            {
                Evidence = [new FindingEvidence("locks in the circle", circle.Count, "")],
            };
        }
    }

    private static IEnumerable<Finding> Gaps(DumpResult result)
    {
        foreach (
            var generation in result.Heap?.Generations.Where(row =>
                row is { FreePercent: > ManyGapsPercent, FreeBytes: > ManyGapsBytes, Generation: not HeapGeneration.Gen0 }
            ) ?? []
        )
        {
            yield return new Finding(
                FindingKind.Hint,
                "heap-gaps",
                Text(
                    $"{generation.FreePercent:0} % of {Name(generation.Generation)} are gaps ({generation.FreeBytes / 1e6:0.0} MB): long-lived or pinned objects prevent GCs from closing them"
                )
            )
            {
                Evidence = [new FindingEvidence($"gaps in {Name(generation.Generation)}", generation.FreeBytes, "bytes")],
            };
        }
    }

    private static IEnumerable<Finding> Queue(DumpResult result)
    {
        if (result.Heap?.Finalizers is { } finalizers && finalizers.Sum(row => row.Ready) is >= ManyReady and var ready)
        {
            yield return new Finding(
                FindingKind.Hint,
                "finalizer-queue",
                Text(
                    $"{Plural.Of(ready, "object")} in the queue of the finalizer thread, most of them {finalizers[0].Type}: finalizers are slower than allocations, or one blocks; see the finalizer thread's stack (--threads)"
                )
            )
            {
                Evidence = [new FindingEvidence("objects that wait for their finalizer", ready, "")],
            };
        }
    }

    private static string Name(HeapGeneration generation) =>
        generation switch
        {
            HeapGeneration.Loh => "the large object heap",
            HeapGeneration.Poh => "the pinned object heap",
            HeapGeneration.Frozen => "the frozen heap",
            _ => $"generation {(int)generation}",
        };

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
