using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Comparison;
using EtwSerializerProfiler.Reports.Html;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Reports.Tests.Html;

/// <summary>The page of a comparison.</summary>
public sealed class HtmlDiffTests
{
    private const ulong Entry = 0x1000;
    private const ulong Parse = 0x2000;
    private const ulong Libc = 0x7000_0000;

    [Fact]
    public void Diff_writes_a_page_with_the_tables_it_prints()
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "d.html");
        var (code, output, error) = AnalyzeTool.Run("diff", TestFiles.Recording, TestFiles.Recording, "--html", file, "--format", "json");

        Assert.Equal((0, ""), (code, error));
        Assert.Equal(AnalyzeTool.Run("diff", TestFiles.Recording, TestFiles.Recording, "--format", "json").Output, output);
        var page = new PageText(File.ReadAllText(file));
        Assert.Equal("Base", page.Tables("table")[0][0][4]);
        Assert.Contains("not recorded", page.Section("flames").Value, StringComparison.Ordinal);
    }

    [Fact]
    [NeedsBrowser]
    public async Task The_difference_of_the_graphs_is_a_mean_run_of_each_side()
    {
        var report = Compare(Trace(parseSamples: 2), Trace(parseSamples: 9));
        Assert.Equal((4, 4), Assert.Single(report.FlameRuns).Value);
        const string Script = """
            setTimeout(() => { const seen = document.createElement("pre"); seen.id = "seen"; seen.textContent = $$("#flame-view .frame").map(frame => frame.getAttribute("aria-label") + " | " + (frame.style.background.includes("slower") ? "red" : frame.style.background.includes("faster") ? "blue" : "gray")).join("\n"); document.body.append(seen); }, 500);
            """;
        var seen = (await Browser.RunAsync(MadeUpReport.Write(report), Script, 1280)).Split('\n');

        Assert.Contains("T.Parse [lib.dll]: base 2.000 ms a run, other 9.000 ms, difference +7.000 ms; samples 8 and 36 | red", seen);
        Assert.Contains(
            seen,
            line =>
                line.StartsWith("EtwSerializerProfiler.Workload.Serializers.XmlText.Read", StringComparison.Ordinal)
                && line.EndsWith(
                    "base 5.000 ms a run, other 12.000 ms, difference +7.000 ms; samples 20 and 48 | red",
                    StringComparison.Ordinal
                )
        );
    }

    [Fact]
    public void A_row_that_is_explained_is_not_repeated_by_its_wall_time_and_tables_keep_to_a_page()
    {
        using var text = new StringWriter();
        ReportPrinter.Write(
            Compare(Trace(parseSamples: 2), Trace(parseSamples: 9), factorOut: ["Reflection"]).Tables,
            ReportFormat.Table,
            text
        );

        var lines = text.ToString().Split('\n');
        Assert.Contains(
            lines,
            line => line.StartsWith("Mean time per run in ms, and the ratio without Reflection", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(lines, line => line.Contains("Wall time in ms", StringComparison.Ordinal));
        Assert.All(
            lines.Where(line => line.Contains('│', StringComparison.Ordinal)),
            line => Assert.InRange(line.TrimEnd().Length, 1, 100)
        );
    }

    [Fact]
    public void Sides_with_other_mixes_of_object_counts_have_no_picture()
    {
        var report = Compare(
            Trace(2),
            Trace(2)
                .Run(
                    99,
                    900_000,
                    950_000,
                    identity: SyntheticTrace.Identity("XmlSerializer", RunOperation.Deserialize, objects: 5, number: 1)
                )
        );

        Assert.Empty(report.FlameRuns);
        Assert.Null(report.Flames);
        Assert.Contains(
            report.Tables.Closing,
            line =>
                line.Contains("XmlSerializer Deserialize", StringComparison.Ordinal)
                && line.StartsWith("Not in the flame graphs", StringComparison.Ordinal)
        );
    }

    /// <summary>Four runs, each with three samples in the entry itself and some in its callees.</summary>
    private static SyntheticTrace Trace(int parseSamples)
    {
        var trace = new SyntheticTrace()
            .Module("/app/esp-workload.dll", 1)
            .Module("/app/lib.dll", 2)
            .Map(1, Libc, "/lib/libc.so.6")
            .Code(1, Entry, "EtwSerializerProfiler.Workload.Serializers.XmlText", "Read", 1, module: 1)
            .Code(1, Parse, "T", "Parse", 2, module: 2);
        for (var run = 0; run < 4; run++)
        {
            var start = 100_000 + (100_000 * run);
            trace.Run(
                run + 1,
                start,
                start + 50_000,
                identity: SyntheticTrace.Identity("XmlSerializer", RunOperation.Deserialize, number: run + 1)
            );
            for (var sample = 0; sample < 3 + parseSamples; sample++)
                trace.Sample(
                    start + 100 + (1000 * sample),
                    1,
                    0,
                    sample < parseSamples ? [Parse + 8, Entry + 8, Libc + 8] : [Entry + 16, Libc + 8]
                );
        }

        return trace;
    }

    private static HtmlReport Compare(SyntheticTrace before, SyntheticTrace after, IReadOnlyList<string>? factorOut = null)
    {
        var (baseline, other) = (new FlameReading(), new FlameReading());
        var query = new ComparisonQuery(new RunFilter(), new ComparisonOptions()) { FactorOut = factorOut };
        var compared = ComparisonAnalysis.Compare(Side("base", before, baseline), Side("other", after, other), query);
        return HtmlReportPrinter.Comparison(compared, new DiffQuery(query), baseline, other);
    }

    private static ComparedSide Side(string name, SyntheticTrace trace, FlameReading flames)
    {
        var symbols = new SymbolReading(new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero));
        IReadOnlyList<TracedProcess> processes = [new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [trace], [])];
        var result = RunAnalysis.Run(processes, [], symbols, flames.Reader(symbols), causeMethods: true);
        return new ComparedSide(name, [new ComparedRecording(name, new TraceInput([name], processes, [], false, [], [name]), result)]);
    }
}
