using System.Globalization;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Draws a chart on two logarithmic axes as SVG, with the names of the lines beside their ends.</summary>
internal static class LogChart
{
    private const double Width = 660;
    private const double Left = 56;
    private const double Right = 226;
    private const double Top = 14;
    private const double Bottom = 34;

    /// <summary>Minimum distance of two names.</summary>
    private const double LineHeight = 16;

    /// <summary>Minimum distance of the labels of two object counts.</summary>
    private const double CountWidth = 52;

    /// <summary>Number of colours; further lines repeat them with dashes.</summary>
    private const int Colours = 10;

    public static void Write(HtmlWriter html, string title, IReadOnlyList<LogSeries> series)
    {
        var points = series.SelectMany(item => item.Points).Where(point => point.Value > 0).ToList();
        var counts = points.Select(point => point.N).Distinct().Order().ToList();
        var height = Math.Max(300, (LineHeight * series.Count) + Top + Bottom);
        var x = new LogAxis(counts[0], counts[^1], Left, Width - Right);
        var y = new LogAxis(points.Min(point => point.Value), points.Max(point => point.Value), height - Bottom, Top + 6);
        html.Open("figure")
            .Element("figcaption", title)
            .Open("div", ("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", title));
        html.Open(
                "svg",
                ("viewBox", $"0 0 {LogAxis.Number(Width)} {LogAxis.Number(height)}"),
                ("role", "img"),
                ("aria-label", Words(title, series)),
                ("class", "chart"),
                ("style", $"--h:{LogAxis.Number(height)}"),
                ("preserveAspectRatio", "xMinYMin slice"),
                ("xmlns", "http://www.w3.org/2000/svg")
            )
            .Line();
        foreach (var value in y.Ticks())
        {
            html.Void(
                "line",
                ("class", "grid"),
                ("x1", LogAxis.Number(Left)),
                ("x2", LogAxis.Number(Width - Right)),
                ("y1", LogAxis.Number(y.At(value))),
                ("y2", LogAxis.Number(y.At(value)))
            );
            html.Element(
                "text",
                LogAxis.Label(value),
                ("class", "tick end"),
                ("x", LogAxis.Number(Left - 6)),
                ("y", LogAxis.Number(y.At(value) + 4))
            );
        }

        var named = double.NegativeInfinity;
        foreach (var count in counts)
        {
            html.Void(
                "line",
                ("class", "grid"),
                ("x1", LogAxis.Number(x.At(count))),
                ("x2", LogAxis.Number(x.At(count))),
                ("y1", LogAxis.Number(Top)),
                ("y2", LogAxis.Number(height - Bottom))
            );
            if (x.At(count) - named < CountWidth)
                continue;
            named = x.At(count);
            html.Element(
                "text",
                count.ToString(CultureInfo.InvariantCulture),
                ("class", "tick middle"),
                ("x", LogAxis.Number(x.At(count))),
                ("y", LogAxis.Number(height - Bottom + 18))
            );
        }

        html.Line();
        foreach (var (item, labelAt) in Placed(series, y, height))
            Line(html, item, labelAt, x, y);
        html.Close().Close();

        // For pages too narrow for names beside the lines.
        html.Open("ul", ("class", "legend names"));
        foreach (var item in series)
            html.Open("li")
                .Element("span", "", ("class", FormattableString.Invariant($"swatch b{item.Colour % Colours}")))
                .Text(Name(item))
                .Close();
        html.Close().Close().Line();
    }

    private static void Line(HtmlWriter html, LogSeries series, double labelAt, LogAxis x, LogAxis y)
    {
        var shown = series.Points.Where(point => point.Value > 0).ToList();
        html.Open("g", ("class", FormattableString.Invariant($"s{series.Colour % Colours}{(series.Colour >= Colours ? " dashed" : "")}")));
        html.Void(
            "polyline",
            ("points", string.Join(' ', shown.Select(point => $"{LogAxis.Number(x.At(point.N))},{LogAxis.Number(y.At(point.Value))}")))
        );
        foreach (var point in shown)
            html.Open("circle", ("cx", LogAxis.Number(x.At(point.N))), ("cy", LogAxis.Number(y.At(point.Value))), ("r", "3.5"))
                .Element("title", string.Create(CultureInfo.InvariantCulture, $"{series.Name}, N={point.N}: {point.Value:0.000}"))
                .Close();
        var (fromX, fromY) = (x.At(shown[^1].N) + 5, y.At(shown[^1].Value));
        html.Void(
            "path",
            ("class", "leader"),
            ("d", $"M{LogAxis.Number(fromX)} {LogAxis.Number(fromY)}L{LogAxis.Number(Width - Right + 20)} {LogAxis.Number(labelAt)}")
        );
        html.Element("text", Name(series), ("x", LogAxis.Number(Width - Right + 24)), ("y", LogAxis.Number(labelAt + 4))).Close().Line();
    }

    private static string Name(LogSeries series) =>
        series.Name + (series.Exponent is { } exponent ? ": " + exponent.ToString("0.00;-0.00;0.00", CultureInfo.InvariantCulture) : "");

    /// <summary>Positions of the names: as near to the ends of their lines as possible without overlap.</summary>
    private static List<(LogSeries Series, double LabelAt)> Placed(IReadOnlyList<LogSeries> series, LogAxis y, double height)
    {
        var placed = series
            .Where(item => item.Points.Any(point => point.Value > 0))
            .Select(item => (Series: item, LabelAt: y.At(item.Points.Last(point => point.Value > 0).Value)))
            .OrderBy(item => item.LabelAt)
            .ToList();
        for (var i = 1; i < placed.Count; i++)
            placed[i] = placed[i] with { LabelAt = Math.Max(placed[i].LabelAt, placed[i - 1].LabelAt + LineHeight) };
        var max = height - Bottom;
        for (var i = placed.Count - 1; i >= 0; i--)
        {
            placed[i] = placed[i] with { LabelAt = Math.Min(placed[i].LabelAt, max) };
            max = placed[i].LabelAt - LineHeight;
        }

        return placed;
    }

    private static string Words(string title, IReadOnlyList<LogSeries> series) =>
        $"{title}. "
        + string.Join(
            "; ",
            series.Select(item =>
                $"{item.Name}: "
                + string.Join(
                    ", ",
                    item.Points.Select(point => string.Create(CultureInfo.InvariantCulture, $"{point.Value:0.000} at {point.N}"))
                )
            )
        );
}

/// <summary>A line of a chart.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Colour">Index of its colour, the same in all charts of a test.</param>
/// <param name="Exponent">Growth exponent; null when unknown.</param>
/// <param name="Points">Its points, by object count; all greater than 0.</param>
internal sealed record LogSeries(string Name, int Colour, double? Exponent, IReadOnlyList<(int N, double Value)> Points);
