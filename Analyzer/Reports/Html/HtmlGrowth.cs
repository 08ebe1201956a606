using EtwSerializerProfiler.Analysis.Growth;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Writes charts of time and allocation by object count on logarithmic axes, with a table of the exponents.</summary>
internal static class HtmlGrowth
{
    public static void Write(HtmlWriter html, IReadOnlyList<GrowthChart> charts)
    {
        if (charts.Count == 0)
        {
            html.Element("p", "Growth needs runs with three or more object counts (the suite's -n 1000,10000,100000).", ("class", "empty"));
            return;
        }

        html.Element(
            "p",
            "The number after a name is its growth exponent. 1 is linear: ten times the objects take ten times as long; 2 is quadratic. It is fitted to the runs' wall times minus ready time and GC pauses, of 1,000 objects and more where there are two such counts.",
            ("class", "note")
        );
        for (var i = 0; i < charts.Count; i++)
        {
            if (i == 2)
                html.Open("details").Element("summary", "More tests");
            Write(html, charts[i]);
        }

        if (charts.Count > 2)
            html.Close();
    }

    /// <summary>Writes the charts of time alone.</summary>
    public static void Charts(HtmlWriter html, IReadOnlyList<GrowthChart> charts)
    {
        html.Open("div", ("class", "charts"));
        foreach (var chart in charts)
            Times(html, chart);
        html.Close().Line();
    }

    private static void Times(HtmlWriter html, GrowthChart chart) =>
        LogChart.Write(
            html,
            $"{chart.Title}: median wall time in ms by object count",
            [.. chart.Series.Select((series, index) => new LogSeries(series.Name, index, series.Time?.Exponent, series.Times))]
        );

    private static void Write(HtmlWriter html, GrowthChart chart)
    {
        html.Element("h3", chart.Title).Open("div", ("class", "charts"));
        Times(html, chart);
        var allocations = chart
            .Series.Select(
                (series, index) =>
                    new LogSeries(
                        series.Name,
                        index,
                        series.Allocation?.Exponent,
                        [.. series.Allocations.Select(point => (point.N, point.Value / 1e6))]
                    )
            )
            .Where(series => series.Points.Count > 0)
            .ToList();
        if (allocations.Count > 0)
            LogChart.Write(html, $"{chart.Title}: MB allocated per run by object count", allocations);
        else
            html.Element("p", "Allocation: " + Column<GrowthSeries>.NotRecorded, ("class", "empty"));
        html.Close().Line();
        html.Open("details").Element("summary", "Numbers: growth exponents of " + chart.Title);
        HtmlTables.Write(html, Section.ForPeople("Exponents", chart.Series, GrowthColumns.All));
        html.Close().Line();
    }
}

/// <summary>Time and allocation by object count, of all serializers in one test.</summary>
/// <param name="Title">The test.</param>
/// <param name="Series">One series per serializer, ordered by the largest object count.</param>
public sealed record GrowthChart(string Title, IReadOnlyList<GrowthSeries> Series)
{
    private const int MinPoints = 3;

    /// <summary>Charts of tests with enough object counts; two points always form a straight line.</summary>
    public static IReadOnlyList<GrowthChart> Of(IReadOnlyList<SummaryRow> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        return
        [
            .. rows.Where(row => row.Key.ObjectCount > 0 && row.Runs > 0)
                .GroupBy(row => row.Key with { ObjectCount = 0 })
                .Select(series => series.OrderBy(row => row.Key.ObjectCount).ToList())
                .Where(series => series.Count >= MinPoints)
                .GroupBy(series => series[0].Key.Test)
                .Select(test => new GrowthChart(
                    test.Key,
                    [.. test.OrderByDescending(series => series[^1].WallMedianMs).Select(GrowthSeries.Of)]
                )),
        ];
    }
}

/// <summary>A serializer in a chart.</summary>
/// <param name="Name">Serializer, with the runtime if there are several.</param>
/// <param name="Times">Object counts with the median wall time in ms.</param>
/// <param name="Allocations">Object counts with the mean allocated bytes per run; missing values and zeros are omitted.</param>
/// <param name="Time">Growth of the time; null with one count.</param>
/// <param name="Allocation">Growth of the allocation; null when not recorded, or with one count.</param>
public sealed record GrowthSeries(
    string Name,
    IReadOnlyList<(int N, double Value)> Times,
    IReadOnlyList<(int N, double Value)> Allocations,
    GrowthLaw? Time,
    GrowthLaw? Allocation
)
{
    internal static GrowthSeries Of(List<SummaryRow> rows) =>
        new(
            rows[0].Key.Serializer + (rows[0].Key.Runtime.Length > 0 ? $" on {rows[0].Key.Runtime}" : ""),
            [.. rows.Select(row => (row.Key.ObjectCount, row.WallMedianMs!.Value))],
            [.. rows.Where(row => row.AllocatedBytes > 0).Select(row => (row.Key.ObjectCount, row.AllocatedBytes!.Value / row.Operations))],
            GrowthLaw.OfTime(rows),
            GrowthLaw.OfAllocation(rows)
        );
}
