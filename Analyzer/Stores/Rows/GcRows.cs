using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>Rows of table <c>gc</c>: the longest pauses individually, the others summed by run and generation.</summary>
internal static class GcRows
{
    /// <summary>Maximum number of individual GCs of a trace.</summary>
    internal const int MaxRows = 5_000;

    /// <summary>Creates the rows ordered by time, followed by the sums.</summary>
    public static IEnumerable<StoredGc> Of(ExtractedTrace trace) => Of(trace, trace.Read.Gcs?.AllRows ?? [], MaxRows);

    /// <summary>Like <see cref="Of(ExtractedTrace)"/>, with another limit.</summary>
    internal static IEnumerable<StoredGc> Of(ExtractedTrace trace, IReadOnlyList<GcRow> all, int max)
    {
        var longest =
            all.Count <= max
                ? null
                : all.Select((row, index) => (Row: row, Index: index))
                    .OrderByDescending(item => item.Row.PauseMs)
                    .ThenBy(item => item.Index)
                    .Take(max)
                    .Select(item => item.Index)
                    .ToHashSet();
        for (var index = 0; index < all.Count; index++)
        {
            if (longest is null || longest.Contains(index))
                yield return One(trace, all[index]);
        }

        if (longest is null)
            yield break;
        var others = all.Where((_, index) => !longest.Contains(index))
            .GroupBy(row => (Process: trace.NumberOf(row.Process), row.Run?.RunId, row.Generation));
        foreach (var group in others)
        {
            yield return One(trace, group.First()) with
            {
                Gcs = group.LongCount(),
                Number = null,
                Reason = null,
                Kind = null,
                StartMs = null,
                ThreadId = null,
                PauseMs = group.Sum(row => row.PauseMs),
                PauseInRunsMs = group.Sum(row => row.PauseInRunsMs),
                BytesBefore = null,
                BytesAfter = null,
                PromotedBytes = group.All(row => row.PromotedBytes is not null) ? group.Sum(row => row.PromotedBytes) : null,
            };
        }
    }

    private static StoredGc One(ExtractedTrace trace, GcRow row) =>
        new()
        {
            Process = trace.NumberOf(row.Process),
            RunId = row.Run?.RunId,
            Serializer = row.Run?.Identity.Serializer,
            Operation = row.Run?.Identity.Operation,
            Number = row.Number,
            Generation = row.Generation,
            Reason = row.Reason.ToString(),
            Kind = row.Kind.ToString(),
            StartMs = row.StartMs,
            ThreadId = row.ThreadId,
            PauseMs = row.PauseMs,
            PauseInRunsMs = row.PauseInRunsMs,
            BytesBefore = row.BytesBefore,
            BytesAfter = row.BytesAfter,
            PromotedBytes = row.PromotedBytes,
        };
}
