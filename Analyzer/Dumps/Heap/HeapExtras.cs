using EtwSerializerProfiler.Dumps.Files;
using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Dumps.Heap;

/// <summary>Reads pinned objects and objects with finalizers from the runtime's tables.</summary>
internal static class HeapExtras
{
    /// <summary>Objects pinned by handles, most bytes first. Excludes objects that a <c>fixed</c> statement pins on a stack.</summary>
    public static IReadOnlyList<PinnedRow> Pinned(DumpSession session)
    {
        var heap = session.Runtime.Heap;
        var rows = new Dictionary<string, (long Handles, HashSet<ulong> Objects, long Bytes, int[] Generations)>(StringComparer.Ordinal);
        foreach (
            var handle in session
                .Runtime.EnumerateHandles()
                .Where(handle => handle.HandleKind is ClrHandleKind.Pinned or ClrHandleKind.AsyncPinned)
        )
        {
            var name = handle.Object.Type?.Name ?? "[unknown type]";
            if (!rows.TryGetValue(name, out var row))
                row = (0, [], 0, new int[HeapType.Generations + 1]);
            var isNew = row.Objects.Add(handle.Object.Address);
            if (isNew)
                row.Generations[
                    (int)(heap.GetSegmentByAddress(handle.Object.Address)?.GetGeneration(handle.Object.Address) ?? Generation.Unknown)
                ]++;
            rows[name] = (row.Handles + 1, row.Objects, row.Bytes + (isNew ? (long)handle.Object.Size : 0), row.Generations);
        }

        return
        [
            .. rows.Select(row => new PinnedRow(
                    row.Key,
                    row.Value.Handles,
                    row.Value.Objects.Count,
                    row.Value.Bytes,
                    Text(row.Value.Generations)
                ))
                .OrderByDescending(row => row.Bytes)
                .ThenBy(row => row.Type, StringComparer.Ordinal),
        ];
    }

    /// <summary>Objects with finalizers, waiting ones first.</summary>
    public static IReadOnlyList<FinalizerRow> Finalizers(DumpSession session)
    {
        var rows = new Dictionary<string, (long Registered, long Ready, long Bytes)>(StringComparer.Ordinal);
        var waiting = new HashSet<ulong>();
        foreach (var item in session.Runtime.Heap.EnumerateFinalizerRoots().Select(root => root.Object))
        {
            waiting.Add(item.Address);
            var row = rows.GetValueOrDefault(item.Type?.Name ?? "[unknown type]");
            rows[item.Type?.Name ?? "[unknown type]"] = row with { Ready = row.Ready + 1, Bytes = row.Bytes + (long)item.Size };
        }

        // The waiting ones are in the same table.
        foreach (var item in session.Runtime.Heap.EnumerateFinalizableObjects().Where(item => !waiting.Contains(item.Address)))
        {
            var row = rows.GetValueOrDefault(item.Type?.Name ?? "[unknown type]");
            rows[item.Type?.Name ?? "[unknown type]"] = row with { Registered = row.Registered + 1 };
        }

        return
        [
            .. rows.Select(row => new FinalizerRow(row.Key, row.Value.Registered, row.Value.Ready, row.Value.Bytes))
                .OrderByDescending(row => row.Ready)
                .ThenByDescending(row => row.Registered)
                .ThenBy(row => row.Type, StringComparer.Ordinal),
        ];
    }

    private static string Name(HeapGeneration generation) =>
        generation switch
        {
            HeapGeneration.Loh => "LOH",
            HeapGeneration.Poh => "POH",
            _ => generation.ToString(),
        };

    private static string Text(int[] counts) =>
        string.Join(
            ", ",
            counts
                .Select(
                    (count, generation) =>
                        (count, Name: generation < HeapType.Generations ? Name((HeapGeneration)generation) : "outside the heap")
                )
                .Where(item => item.count > 0)
                .OrderByDescending(item => item.count)
                .Select(item => item.Name)
        );
}
