using System.Globalization;
using System.Xml.Linq;
using EtwSerializerProfiler.Reports.Html;

namespace EtwSerializerProfiler.Reports.Tests.Guides;

public sealed class TimeSizeChartTests
{
    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";

    [Fact]
    public void Marks_lie_where_their_axes_have_the_value_and_a_missing_one_has_none()
    {
        var svg = Write([new("A", 10, 1, 1_000), new("B", 100, 10, 100_000), new("C", null, 1_000, 10_000), new("D", null, null, null)]);

        var circles = svg.Descendants(s_svg + "circle").ToDictionary(circle => circle.Value, circle => Position(circle, "cx"));
        Assert.Equal(
            [
                "A, deserialize: 10.000 ms",
                "A, serialize: 1.000 ms",
                "B, deserialize: 100.000 ms",
                "B, serialize: 10.000 ms",
                "C, serialize: 1000.000 ms",
            ],
            circles.Keys.Order(StringComparer.Ordinal)
        );

        // Equal distances for equal ratios: three decades of time, two of size.
        var (first, last) = (circles["A, serialize: 1.000 ms"], circles["C, serialize: 1000.000 ms"]);
        Assert.Equal(first + ((last - first) / 3), circles["B, serialize: 10.000 ms"], 0.1);
        Assert.Equal(circles["B, serialize: 10.000 ms"], circles["A, deserialize: 10.000 ms"]);
        var diamonds = svg.Descendants(s_svg + "path")
            .Select(path => path.Attribute("d")!.Value.Split(['M', ' '])[1])
            .Select(Number)
            .ToList();
        Assert.Equal(3, diamonds.Count);
        Assert.Equal(diamonds[0] + ((diamonds[1] - diamonds[0]) / 2), diamonds[2], 0.1);
        Assert.Equal(
            ["A", "B", "C"],
            svg.Descendants(s_svg + "text").Where(text => text.Attribute("class")!.Value == "end").Select(text => text.Value)
        );
    }

    [Fact]
    public void Without_sizes_there_is_no_chart() => Assert.Null(Written([new("A", 1, 2, null)]));

    private static XElement Write(IReadOnlyList<TimeSizeRow> rows) => XElement.Parse(Written(rows)!).Descendants(s_svg + "svg").Single();

    private static string? Written(IReadOnlyList<TimeSizeRow> rows)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        new TimeSizeChart("Sizes", rows).Write(new HtmlWriter(text));
        return text.ToString() is { Length: > 0 } written ? written : null;
    }

    private static double Position(XElement element, string attribute) => Number(element.Attribute(attribute)!.Value);

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
