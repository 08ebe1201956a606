using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Comparison.Trends;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>Builds the report of trends.</summary>
internal static class TrendReport
{
    /// <summary>Builds the report.</summary>
    public static Report Build(ComparedSide side, IReadOnlyList<Trend> trends)
    {
        var rows = trends.SelectMany(trend => Enumerable.Range(0, trend.Points.Count).Select(index => new TrendRow(trend, index))).ToList();
        var input = new TraceInput([side.Name], [], [], false, [], DiffReport.FilesRead(side.Recordings));
        var changes = rows.Where(row => row.Point.Change is not null).ToList();
        return new Report(
            "trend",
            input,
            AnalysisResult.OfFindings([.. DiffReport.Warnings("", side)]),
            [Section.Of("rows", "", rows, TrendColumns.All, TrendColumns.All)],
            [.. Closing(changes, trends.Count)]
        )
        {
            Header =
            [
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"Recordings: {side.Recordings.Count} of {side.Name}; measure: {trends[0].Metric.Name}; a change: the recordings before and after it differ by more than recordings usually do (5 %)"
                ),
            ],
            Summary = [("recordings", side.Recordings.Count), ("trends", trends.Count), ("changes", changes.Count)],
        };
    }

    private static IEnumerable<string> Closing(List<TrendRow> changes, int trends)
    {
        foreach (var row in changes)
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"Change: {row.Trend.Key} at {row.Point.Recording.Path}: {row.Point.Change?.Relative * 100:+0.0;-0.0} % from then on"
            );
        yield return string.Create(CultureInfo.InvariantCulture, $"Changes: {changes.Count} in {Plural.Of(trends, "row")}");
    }
}

/// <summary>One recording of a trend.</summary>
/// <param name="Trend">The trend.</param>
/// <param name="Index">Index of the recording.</param>
public sealed record TrendRow(Trend Trend, int Index)
{
    /// <summary>The recording.</summary>
    public TrendPoint Point => Trend.Points[Index];

    /// <summary>Median relative to the previous recording's, minus 1; null for the first, and when either is missing or 0.</summary>
    public double? ToPrevious =>
        Index > 0 && Trend.Points[Index - 1].Median is > 0 and var before && Point.Median is { } now ? (now / before) - 1 : null;
}
