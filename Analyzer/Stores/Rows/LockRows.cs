using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>Rows of table <c>lock</c>.</summary>
internal static class LockRows
{
    /// <summary>Creates the rows. With very many locks, keeps those with the longest waits and sums the others by process.</summary>
    public static IEnumerable<LockRow> Of(IReadOnlyList<LockRow> all) =>
        TopRows.Cut(
            all,
            row => (row.Runs, row.ProcessId),
            rows =>
                rows[0] with
                {
                    LockId = null,
                    Method = new MethodName(StoreTable.Other, ""),
                    OwnerThreadId = null,
                    OwnerThread = null,
                    Primitive = null,
                    Longest = null,
                    Count = rows.Sum(row => row.Count),
                    Ms = rows.Sum(row => row.Ms),
                    MaxMs = rows.Max(row => row.MaxMs),
                    ContractLookupMs = rows.Sum(row => row.ContractLookupMs),
                }
        );
}
