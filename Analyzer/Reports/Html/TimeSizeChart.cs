using System.Globalization;
using static EtwSerializerProfiler.Reports.Html.LogAxis;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>
/// Draws the times of both directions and the data size of each serializer as SVG, one row per serializer: times on the lower axis, size
/// on the upper one. It uses marks instead of bars, because the axes are logarithmic and have no zero.
/// </summary>
/// <param name="Title">Title of the chart.</param>
/// <param name="Rows">The rows from top to bottom; those without a value are left out.</param>
internal sealed record TimeSizeChart(string Title, IReadOnlyList<TimeSizeRow> Rows)
{
    private const double Width = 760;
    private const double Left = 190;
    private const double Right = 24;
    private const double Top = 44;
    private const double Bottom = 40;
    private const double RowHeight = 20;

    /// <summary>Distance of the outermost marks from the ends of the axes.</summary>
    private const double Margin = 10;

    /// <summary>Half the width of a mark.</summary>
    private const double Mark = 5;

    /// <summary>Writes the chart; nothing without times and sizes.</summary>
    public void Write(HtmlWriter html)
    {
        var rows = Rows.Where(row => row.Times.Any() || row.DataBytes > 0).ToList();
        var times = rows.SelectMany(row => row.Times).ToList();
        var sizes = rows.Where(row => row.DataBytes > 0).Select(row => row.DataBytes!.Value).ToList();
        if (times.Count == 0 || sizes.Count == 0)
            return;
        var height = Top + (RowHeight * rows.Count) + Bottom;
        var time = new LogAxis(times.Min(), times.Max(), Left + Margin, Width - Right - Margin);
        var size = new LogAxis(sizes.Min(), sizes.Max(), Left + Margin, Width - Right - Margin);
        html.Open("figure")
            .Element(
                "figcaption",
                Title + ". ● deserialize and ○ serialize: ms, lower axis. ◆ data: bytes, upper axis. Further left is better."
            )
            .Open("div", ("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", Title));
        html.Open(
                "svg",
                ("viewBox", $"0 0 {Number(Width)} {Number(height)}"),
                ("role", "img"),
                ("aria-label", Title + ". " + string.Join("; ", rows.Select(row => row.Words))),
                ("class", "chart sizes"),
                ("xmlns", "http://www.w3.org/2000/svg")
            )
            .Line();
        foreach (var value in time.Ticks())
        {
            var x = Number(time.At(value));
            html.Void("line", ("class", "grid"), ("x1", x), ("x2", x), ("y1", Number(Top - 8)), ("y2", Number(height - Bottom)));
            html.Element("text", Label(value), ("class", "tick middle"), ("x", x), ("y", Number(height - Bottom + 16)));
        }

        foreach (var value in size.Ticks())
        {
            var x = Number(size.At(value));
            html.Void("line", ("class", "grid"), ("x1", x), ("x2", x), ("y1", Number(Top - 14)), ("y2", Number(Top - 8)));
            html.Element("text", Label(value), ("class", "tick middle"), ("x", x), ("y", Number(Top - 20)));
        }

        html.Element("text", "ms", ("class", "tick end"), ("x", Number(Left - 8)), ("y", Number(height - Bottom + 16)));
        html.Element("text", "bytes", ("class", "tick end"), ("x", Number(Left - 8)), ("y", Number(Top - 20))).Line();
        for (var i = 0; i < rows.Count; i++)
            Row(html, rows[i], Top + (RowHeight * (i + 0.5)), time, size);
        html.Close().Close().Close().Line();
    }

    private static void Row(HtmlWriter html, TimeSizeRow row, double y, LogAxis time, LogAxis size)
    {
        html.Element("text", row.Name, ("class", "end"), ("x", Number(Left - 8)), ("y", Number(y + 4)));
        if (row.Times.Count() == 2)
            html.Void(
                "line",
                ("class", "s0"),
                ("x1", Number(time.At(row.Times.First()))),
                ("x2", Number(time.At(row.Times.Last()))),
                ("y1", Number(y)),
                ("y2", Number(y))
            );
        Circle("s0", row.SerializeMs, "hollow", $"{row.Name}, serialize");
        Circle("s0", row.DeserializeMs, "", $"{row.Name}, deserialize");
        if (row.DataBytes is > 0 and var bytes)
        {
            var x = size.At(bytes);
            html.Open(
                    "path",
                    ("class", "s1 diamond"),
                    (
                        "d",
                        $"M{Number(x - Mark)} {Number(y)}L{Number(x)} {Number(y - Mark)}L{Number(x + Mark)} {Number(y)}L{Number(x)} {Number(y + Mark)}Z"
                    )
                )
                .Element("title", string.Create(CultureInfo.InvariantCulture, $"{row.Name}, data: {bytes:N0} bytes"))
                .Close();
        }

        html.Line();

        void Circle(string colour, double? value, string shape, string name)
        {
            if (value is not > 0)
                return;
            html.Open("g", ("class", colour))
                .Open("circle", ("class", shape), ("cx", Number(time.At(value.Value))), ("cy", Number(y)), ("r", Number(Mark - 0.5)))
                .Element("title", string.Create(CultureInfo.InvariantCulture, $"{name}: {value:0.000} ms"))
                .Close()
                .Close();
        }
    }
}

/// <summary>A serializer in the chart; null where a value is missing.</summary>
/// <param name="Name">The serializer.</param>
/// <param name="DeserializeMs">Median wall time of deserializing in ms.</param>
/// <param name="SerializeMs">Median wall time of serializing in ms.</param>
/// <param name="DataBytes">Size of the serialized data in bytes.</param>
internal sealed record TimeSizeRow(string Name, double? DeserializeMs, double? SerializeMs, double? DataBytes)
{
    /// <summary>The times that it has, all greater than 0.</summary>
    public IEnumerable<double> Times => new[] { DeserializeMs, SerializeMs }.Where(value => value > 0).Select(value => value!.Value);

    /// <summary>The row in words, for those who do not see it.</summary>
    public string Words =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{Name}: deserialize {DeserializeMs:0.000} ms, serialize {SerializeMs:0.000} ms, data {DataBytes:N0} bytes"
        );
}
