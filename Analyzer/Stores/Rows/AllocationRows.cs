using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>Rows of table <c>alloc</c>.</summary>
internal static class AllocationRows
{
    /// <summary>Creates the rows. With very many types, keeps those with the most bytes and sums the others by heap.</summary>
    public static IEnumerable<AllocationRow> Of(IReadOnlyList<AllocationRow> all) =>
        TopRows.Cut(
            all,
            row => (row.Runs, row.Heap, row.Source),
            rows =>
                rows[0] with
                {
                    Type = StoreTable.Other,
                    Events = rows.Sum(row => row.Events),
                    Bytes = rows.Sum(row => row.Bytes),
                    Percent = rows.Sum(row => row.Percent),
                    MaxObjectBytes = rows.Max(row => row.MaxObjectBytes),
                }
        );
}
