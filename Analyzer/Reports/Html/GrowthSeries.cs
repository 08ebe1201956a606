using EtwSerializerProfiler.Analysis.Growth;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>A serializer in a chart.</summary>
/// <param name="Name">Serializer, and runtime where there are several.</param>
/// <param name="Times">Object count and median wall time in ms.</param>
/// <param name="Allocations">Object count and mean bytes allocated a run; those that were not recorded, or are 0, are left out.</param>
/// <param name="Time">How the time grows; null with one count.</param>
/// <param name="Allocation">How the allocation grows; null when it was not recorded, or with one count.</param>
public sealed record GrowthSeries(string Name, IReadOnlyList<(int N, double Value)> Times, IReadOnlyList<(int N, double Value)> Allocations, GrowthLaw? Time, GrowthLaw? Allocation)
{
    internal static GrowthSeries Of(List<SummaryRow> rows) => new(
        rows[0].Key.Serializer + (rows[0].Key.Runtime.Length > 0 ? $" on {rows[0].Key.Runtime}" : ""),
        [.. rows.Select(row => (row.Key.ObjectCount, row.WallMedianMs!.Value))],
        [.. rows.Where(row => row.AllocatedBytes > 0).Select(row => (row.Key.ObjectCount, row.AllocatedBytes!.Value / row.Operations))],
        GrowthLaw.OfTime(rows), GrowthLaw.OfAllocation(rows));
}
