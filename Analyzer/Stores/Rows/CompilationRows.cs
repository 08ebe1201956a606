using EtwSerializerProfiler.Analysis.Jit;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>Rows of table <c>jit</c>.</summary>
internal static class CompilationRows
{
    /// <summary>Creates the rows. With very many methods, keeps those that took longest and sums the others by tier.</summary>
    public static IEnumerable<JitRow> Of(IReadOnlyList<JitRow> all) =>
        TopRows.Cut(
            all,
            row => (row.Runs, row.Tier),
            rows =>
                rows[0] with
                {
                    Method = StoreTable.Other,
                    Count = rows.Sum(row => row.Count),
                    Ms = rows.Sum(row => row.Ms),
                    IlBytes = TopRows.Sum(rows, row => row.IlBytes),
                    NativeBytes = rows.Sum(row => row.NativeBytes),
                    Threads = rows.Aggregate(
                        (JitThreadKinds?)null,
                        (all, row) => row.Threads is { } kinds ? (all ?? JitThreadKinds.None) | kinds : all
                    ),
                }
        );
}
