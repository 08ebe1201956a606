using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Writes the matrix serializer × cause as stacked bars, with a table of the numbers.</summary>
internal static class HtmlMatrix
{
    /// <summary>Number of panels that are initially open; the others are collapsed.</summary>
    private const int OpenPanels = 2;

    /// <summary>Parts narrower than this have no label, in % of the longest bar.</summary>
    private const double LabelledWidth = 14;

    /// <summary>Bars with fewer samples are paler, because the error of n samples is √n.</summary>
    private const int FewSamples = 25;

    public static void Write(HtmlWriter html, HtmlReport report)
    {
        if (report.Matrix.Count == 0)
        {
            html.Element("p", "There are no measured runs.", ("class", "empty"));
            return;
        }

        var recorded = report.Matrix.Any(panel => panel.Bars.Any(bar => bar.Parts.Count > 0));
        html.Element(
            "p",
            recorded
                ? "The length of a bar is the median wall time of a run, printed after it. Coloured parts are CPU time below the serializer's entry, by samples; their labels are shares of that CPU time. Hatched parts are outside the serializer. Paler bars have fewer than 25 samples."
                : "CPU time by cause: not recorded. A bar is the median wall time of a run.",
            ("class", "note")
        );
        if (recorded)
            Legend(html, report.Matrix.SelectMany(panel => panel.Bars).SelectMany(bar => bar.Parts).Select(part => part.Cause).Distinct());
        html.Open("div", ("class", "panels"));
        for (var i = 0; i < report.Matrix.Count; i++)
        {
            if (i == OpenPanels)
                html.Close();
            if (i < OpenPanels)
                html.Open("div", ("class", "panel")).Element("h3", report.Matrix[i].Title);
            else
                html.Open("details").Element("summary", report.Matrix[i].Title);
            Panel(html, report.Matrix[i]);
            html.Close().Line();
        }

        if (report.Matrix.Count <= OpenPanels)
            html.Close();
        if (!recorded)
            return;
        html.Open("details").Element("summary", "Numbers: shares of the serializer's CPU time in %");
        HtmlTables.Write(
            html,
            Section.ForPeople(
                "Shares of the serializer's CPU time",
                report.Rows,
                CauseColumns.ForPeople(report.Rows, detail: false, percent: true)
            )
        );
        html.Close().Open("details").Element("summary", "Numbers: CPU time over all runs in ms");
        HtmlTables.Write(
            html,
            Section.ForPeople("CPU time by cause", report.Rows, CauseColumns.ForPeople(report.Rows, detail: false, percent: false))
        );
        html.Close().Line();
    }

    /// <summary>Writes the legend of the colours.</summary>
    public static void Legend(HtmlWriter html, IEnumerable<string> causes)
    {
        html.Open("ul", ("class", "legend"));
        foreach (var cause in causes)
            html.Open("li").Element("span", "", ("class", "swatch " + Class(cause))).Text(LabelOf(cause)).Close();
        html.Close().Line();
    }

    /// <summary>CSS class for a cause's colour: the letters of its name.</summary>
    public static string Class(string cause) => "c-" + string.Concat(cause.Where(char.IsAsciiLetter)).ToLowerInvariant();

    /// <summary>Name of a part on the page.</summary>
    public static string LabelOf(string cause) =>
        cause switch
        {
            CauseColumns.OwnName => "Own code",
            TimeParts.Outside => "Outside the serializer",
            _ => cause,
        };

    private static void Panel(HtmlWriter html, MatrixPanel panel)
    {
        var longest = panel.Bars.Max(bar => bar.MedianMs);
        html.Open("ul", ("class", "bars"));
        foreach (var bar in panel.Bars)
        {
            html.Open("li", ("class", bar.Samples < FewSamples ? "few" : null)).Element("span", bar.Name, ("class", "name"));
            html.Open("span", ("class", "track"), ("role", "img"), ("aria-label", Words(bar)));
            var width = longest > 0 ? 100 * bar.MedianMs / longest : 0;
            html.Open("span", ("class", "stack"), ("style", $"width:{Number(width)}%"));
            foreach (var part in bar.Parts)
            {
                html.Element(
                    "span",
                    part.Text is not null && width * part.Percent / 100 >= LabelledWidth ? part.Text + " %" : "",
                    ("class", "part " + Class(part.Cause)),
                    ("style", $"flex-grow:{Number(part.Percent)}"),
                    (
                        "title",
                        part.Text is null
                            ? $"{LabelOf(part.Cause)}: {Number(part.Percent)} % of the wall time"
                            : $"{LabelOf(part.Cause)}: {part.Text} % of {bar.SerializerMs} ms of CPU time in all runs ({Plural.Of(bar.Samples ?? 0, "sample")})"
                    )
                );
            }

            if (bar.Parts.Count == 0)
                html.Element("span", "", ("class", "part c-unrecorded"), ("style", "flex-grow:1"));
            html.Close()
                .Close()
                .Element(
                    "span",
                    bar.Median.Length > 0 && char.IsAsciiDigit(bar.Median[0]) ? bar.Median + " ms" : bar.Median,
                    ("class", "value")
                )
                .Close()
                .Line();
        }

        html.Close();
    }

    private static string Words(MatrixBar bar) =>
        bar.Parts.Count == 0
            ? "causes: " + Column<object>.NotRecorded
            : string.Join(
                ", ",
                bar.Parts.OrderByDescending(part => part.Percent)
                    .Select(part =>
                        part.Text is null
                            ? $"{LabelOf(part.Cause)} {Number(part.Percent)} % of the wall time"
                            : $"{LabelOf(part.Cause)} {part.Text} % of the CPU time"
                    )
            );

    private static string Number(double value) => value.ToString("0.##", CultureInfo.InvariantCulture);
}
