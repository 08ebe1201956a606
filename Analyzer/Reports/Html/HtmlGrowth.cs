using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Time and allocation by object count on logarithmic axes, drawn once, with a table of the exponents.</summary>
internal static class HtmlGrowth
{
    public static void Write(HtmlWriter html, IReadOnlyList<GrowthChart> charts)
    {
        if (charts.Count == 0)
        {
            html.Element("p", "Growth needs runs of two object counts or more (-n of the suite); this recording has none.", ("class", "empty"));
            return;
        }

        html.Element(
            "p", "The number behind a name is the exponent of its growth. 1 is linear: ten times the objects take ten times as long; 2 is quadratic. It is fitted to the wall times of the runs less time ready and collections' pauses.", ("class", "note"));
        for (var i = 0; i < charts.Count; i++)
        {
            if (i == 2)
                html.Open("details").Element("summary", "More tests");
            Write(html, charts[i]);
        }

        if (charts.Count > 2)
            html.Close();
    }

    private static void Write(HtmlWriter html, GrowthChart chart)
    {
        html.Element("h3", chart.Title).Open("div", ("class", "charts"));
        LogChart.Write(html, $"{chart.Title}: median wall time in ms by object count", [.. chart.Series.Select((series, index) => new LogSeries(series.Name, index, series.Time?.Exponent, series.Times))]);
        var allocations = chart.Series.Select((series, index) => new LogSeries(series.Name, index, series.Allocation?.Exponent, [.. series.Allocations.Select(point => (point.N, point.Value / 1e6))])).Where(series => series.Points.Count > 0).ToList();
        if (allocations.Count > 0)
            LogChart.Write(html, $"{chart.Title}: MB allocated a run by object count", allocations);
        else
            html.Element("p", "Allocation: " + Column<GrowthSeries>.NotRecorded, ("class", "empty"));
        html.Close().Line();
        html.Open("details").Element("summary", "Numbers: exponents of " + chart.Title);
        HtmlTables.Write(html, Section.ForPeople("Exponents", chart.Series, GrowthColumns.All));
        html.Close().Line();
    }
}
