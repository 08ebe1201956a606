using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>Rows of table <c>exception</c>.</summary>
internal static class ExceptionRows
{
    /// <summary>Creates the rows. With very many kinds, keeps the most frequent ones and sums the others.</summary>
    public static IEnumerable<ExceptionRow> Of(IReadOnlyList<ExceptionRow> all) =>
        TopRows.Cut(
            all,
            row => row.Runs,
            rows =>
                rows[0] with
                {
                    Type = StoreTable.Other,
                    Pattern = "",
                    Method = null,
                    Caller = null,
                    HResult = null,
                    Message = "",
                    Stacks = null,
                    First = null,
                    Dumps = [],
                    Count = rows.Sum(row => row.Count),
                    Rethrown = rows.Sum(row => row.Rethrown),
                    PerRun = rows.Sum(row => row.PerRun),
                    InBase64Read = rows.Sum(row => row.InBase64Read),
                    InContractRead = rows.Sum(row => row.InContractRead),
                }
        );
}
