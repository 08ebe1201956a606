using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Html;

namespace EtwSerializerProfiler.Reports.Tests.Html;

/// <summary>Source code on the page: as text, with its costs, and absent from a page to share.</summary>
public sealed class HtmlSourceTests
{
    private static readonly MethodSource s_source = new(
        "App.Parser.Read",
        "/src/Parser.cs",
        [
            new CostedLine(6, "\tif (a < b && text is \"</pre><script>\")", 1, 10, 0, 10),
            new CostedLine(7, "return 1;", 0, 0, 0, 0),
            new CostedLine(40, "return Read(b);", 9, 290.04, 0, 300),
        ],
        ""
    );

    [Fact]
    public void Lines_are_text_with_their_costs()
    {
        var page = new PageText(Write(Page([s_source])));

        Assert.Equal(
            "     10.0       6      if (a < b && text is \"</pre><script>\")\n                7  return 1;\n                 …\n    290.0      40  return Read(b);\n",
            page.Section("source").Descendants().Single(element => element.Name.LocalName == "pre").Value
        );
        Assert.Equal(
            ["    290.0      40  return Read(b);"],
            page.Section("source").Descendants().Where(element => element.Name.LocalName == "b").Select(element => element.Value)
        );
        Assert.Contains("App.Parser.Read: 300.0 ms", page.Section("source").Value, StringComparison.Ordinal);
    }

    [Fact]
    public void Causes_stand_between_time_and_number()
    {
        var times = new CauseTimes { TicksPerSecond = 1000 };
        for (var sample = 0; sample < 290; sample++)
            times.Add(CauseCatalog.IndexOf(sample < 100 ? "jit" : "locks"), 1);
        var page = new PageText(Write(Page([s_source with { Lines = [s_source.Lines[0], s_source.Lines[2] with { Causes = times }] }])));

        var empty = new string(' ', "  locks 66, JIT 34 %".Length);
        Assert.Equal(
            $"     10.0{empty}       6      if (a < b && text is \"</pre><script>\")\n         {empty}        …\n    290.0  locks 66, JIT 34 %      40  return Read(b);\n",
            page.Section("source").Descendants().Single(element => element.Name.LocalName == "pre").Value
        );
    }

    [Fact]
    public void A_file_that_is_not_to_be_had_has_numbers_and_the_reason() =>
        Assert.Contains(
            "/src/Parser.cs; source not available: the file does not exist.",
            new PageText(Write(Page([s_source with { Problem = "the file does not exist" }]))).Section("source").Value,
            StringComparison.Ordinal
        );

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_page_for_others_has_no_source(bool share)
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "r.html");
        HtmlReportPrinter.WriteFile(Page([s_source]), file, share);

        Assert.Equal(!share, File.ReadAllText(file).Contains("Parser.cs", StringComparison.Ordinal));
    }

    [Fact]
    public void Without_lines_there_is_no_part_of_them() =>
        Assert.DoesNotContain("Source lines", Write(Page([])), StringComparison.Ordinal);

    private static HtmlReport Page(IReadOnlyList<MethodSource> sources)
    {
        var (_, page) = MadeUpReport.Build(CausesReportTests.Trace());
        return page with
        {
            Sources = sources,
            Programs = [Section.ForPeople("program", Array.Empty<string>(), (Column<string>[])[new("a", "A", text => text)])],
        };
    }

    private static string Write(HtmlReport page) => MadeUpReport.Write(page);
}
