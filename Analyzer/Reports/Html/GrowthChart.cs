using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Time and allocation of the serializers in one test by object count.</summary>
/// <param name="Title">The test.</param>
/// <param name="Series">A series a serializer, in the order of the largest object count.</param>
public sealed record GrowthChart(string Title, IReadOnlyList<GrowthSeries> Series)
{
    /// <summary>Charts of the tests with two object counts or more.</summary>
    public static IReadOnlyList<GrowthChart> Of(IReadOnlyList<SummaryRow> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        return
        [
            .. rows.Where(row => row.Key.ObjectCount > 0 && row.Runs > 0).GroupBy(row => row.Key with { ObjectCount = 0 }).Select(series => series.OrderBy(row => row.Key.ObjectCount).ToList())
                .Where(series => series.Count > 1).GroupBy(series => series[0].Key.Test)
                .Select(test => new GrowthChart(test.Key, [.. test.OrderByDescending(series => series[^1].WallMedianMs).Select(GrowthSeries.Of)])),
        ];
    }
}
