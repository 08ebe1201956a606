using System.Globalization;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Dumps.Heap;
using EtwSerializerProfiler.Dumps.Locks;
using EtwSerializerProfiler.Dumps.Threads;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Dumps;

/// <summary>What is missing from a look at a dump, and what is wrong with the process.</summary>
internal static class DumpFindings
{
    /// <summary>Share of gaps in a generation of which a word is worth it, in percent, and bytes they have to have.</summary>
    private const double ManyGapsPercent = 30;
    private const long ManyGapsBytes = 10_000_000;

    /// <summary>Objects that wait for the finalizer's thread of which a word is worth it.</summary>
    private const long ManyReady = 1_000;

    /// <summary>All findings, warnings first.</summary>
    /// <param name="result">What was found.</param>
    /// <param name="heap">The heap, also when it was read for another section.</param>
    /// <param name="threads">The threads, likewise.</param>
    /// <param name="candidates">What was collected from the heap.</param>
    /// <param name="problems">Sections that could not be read, with the reason.</param>
    public static IReadOnlyList<Finding> Check(DumpResult result, HeapResult? heap, IReadOnlyList<DumpThread>? threads, LockCandidates candidates, IReadOnlyList<(string Section, string Reason)> problems) =>
    [
        .. problems.Select(problem => new Finding(FindingKind.Warning, "dump-section", $"{problem.Section}: not read: {problem.Reason}")),
        .. Incomplete(heap, threads, candidates), .. Circles(result), .. Gaps(result), .. Queue(result),
    ];

    private static IEnumerable<Finding> Incomplete(HeapResult? heap, IReadOnlyList<DumpThread>? threads, LockCandidates candidates)
    {
        foreach (var thread in threads?.Where(thread => thread.Problem.Length > 0) ?? [])
            yield return new Finding(FindingKind.Warning, "dump-stack", Text($"thread {thread.ManagedId}: its stack is missing or ends early: {thread.Problem}"));
        if (heap is { DamagedPlaces: > 0 })
            yield return new Finding(FindingKind.Warning, "dump-heap", Text($"the heap has {Plural.Of(heap.DamagedPlaces, "place")} without an object where one had to be; {Plural.Of(heap.UnreadBytes, "byte")} passed over: objects are missing from the numbers"));
        if (heap is { IsWalkable: false })
            yield return new Finding(FindingKind.Warning, "dump-heap", "the process was stopped within a collection: objects can be counted that are none, and others be missing");
        if (candidates.Exceptions.Count >= LockCandidates.Most || candidates.Thin.Count >= LockCandidates.Most)
            yield return new Finding(FindingKind.Warning, "dump-limit", Text($"only the first {LockCandidates.Most} exceptions, and as many objects that could be locked, were looked at one by one"));
    }

    private static IEnumerable<Finding> Circles(DumpResult result)
    {
        foreach (var circle in Deadlocks.Find(result.Locks ?? []))
        {
            yield return new Finding(FindingKind.Warning, "deadlock", Text($"deadlock: {string.Join("; ", circle.Select(held => Text($"thread {held.Owner!.ManagedId} holds {held.Type} 0x{held.Object:X}, for which {string.Join(" and ", held.Waiting.Select(waiting => Text($"thread {waiting.ManagedId}")))} {(held.Waiting.Count == 1 ? "waits" : "wait")}")))}"))
            {
                Evidence = [new FindingFigure("locks in the circle", circle.Count, "")],
            };
        }
    }

    private static IEnumerable<Finding> Gaps(DumpResult result)
    {
        foreach (var generation in result.Heap?.Generations.Where(row => row is { FreePercent: > ManyGapsPercent, FreeBytes: > ManyGapsBytes, Generation: not HeapGeneration.Gen0 }) ?? [])
        {
            yield return new Finding(FindingKind.Hint, "heap-gaps", Text($"{generation.FreePercent:0} % of {Name(generation.Generation)} are gaps ({generation.FreeBytes / 1e6:0.0} MB): what lives longer or is pinned keeps collections from closing them"))
            {
                Evidence = [new FindingFigure($"gaps in {Name(generation.Generation)}", generation.FreeBytes, "bytes")],
            };
        }
    }

    private static IEnumerable<Finding> Queue(DumpResult result)
    {
        if (result.Heap?.Finalizers is { } finalizers && finalizers.Sum(row => row.Ready) is >= ManyReady and var ready)
        {
            yield return new Finding(FindingKind.Hint, "finalizer-queue", Text($"{Plural.Of(ready, "object")} in the queue of the finalizer's thread, most of them {finalizers[0].Type}: finalizers are slower than what is allocated, or one blocks; see the finalizer's stack (--threads)"))
            {
                Evidence = [new FindingFigure("objects that wait for their finalizer", ready, "")],
            };
        }
    }

    private static string Name(HeapGeneration generation) => generation switch { HeapGeneration.Loh => "the large object heap", HeapGeneration.Poh => "the pinned object heap", HeapGeneration.Frozen => "the frozen heap", _ => $"generation {(int)generation}" };

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
