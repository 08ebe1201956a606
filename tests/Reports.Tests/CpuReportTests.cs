using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>The report of CPU samples, of a made-up trace: symbols of a real one depend on the machine's files.</summary>
public sealed class CpuReportTests
{
    private const ulong Kernel = 0xffffffff81000000;

    [Theory]
    [InlineData(CpuGrouping.Method, ReportFormat.Table)]
    [InlineData(CpuGrouping.Method, ReportFormat.Markdown)]
    [InlineData(CpuGrouping.Method, ReportFormat.Csv)]
    [InlineData(CpuGrouping.Method, ReportFormat.Json)]
    [InlineData(CpuGrouping.Module, ReportFormat.Table)]
    [InlineData(CpuGrouping.Namespace, ReportFormat.Table)]
    [InlineData(CpuGrouping.Thread, ReportFormat.Table)]
    public void Report_of_a_made_up_trace(CpuGrouping grouping, ReportFormat format)
    {
        using var output = new StringWriter();
        ReportPrinter.Write(Report(Trace(), new CpuQuery(grouping, false, new RunFilter(), null)), format, output);

        Snapshot.Matches("Reports.Tests", $"cpu-{grouping}-{format}".ToLowerInvariant(), output.ToString());
    }

    [Theory]
    [InlineData(CpuGrouping.Method, ReportFormat.Table)]
    [InlineData(CpuGrouping.Method, ReportFormat.Markdown)]
    [InlineData(CpuGrouping.Method, ReportFormat.Csv)]
    [InlineData(CpuGrouping.Method, ReportFormat.Json)]
    [InlineData(CpuGrouping.Module, ReportFormat.Table)]
    [InlineData(CpuGrouping.Thread, ReportFormat.Table)]
    [InlineData(CpuGrouping.Thread, ReportFormat.Csv)]
    public void Tree_of_a_made_up_trace(CpuGrouping grouping, ReportFormat format)
    {
        using var output = new StringWriter();
        ReportPrinter.Write(
            Report(
                Trace(),
                new CpuQuery(grouping, false, new RunFilter(), null) { Tree = new CallTreeQuery(0, CallTreeQuery.Deepest, null) }
            ),
            format,
            output
        );

        Snapshot.Matches("Reports.Tests", $"tree-{grouping}-{format}".ToLowerInvariant(), output.ToString());
    }

    [Theory]
    [InlineData(false, ReportFormat.Table)]
    [InlineData(false, ReportFormat.Json)]
    [InlineData(true, ReportFormat.Table)]
    public void Just_my_code_of_a_made_up_trace(bool tree, ReportFormat format)
    {
        using var output = new StringWriter();
        ReportPrinter.Write(
            Report(
                Trace(),
                new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null)
                {
                    JustMyCode = true,
                    Tree = tree ? new CallTreeQuery(0, CallTreeQuery.Deepest, null) : null,
                }
            ),
            format,
            output
        );

        Snapshot.Matches("Reports.Tests", $"cpu-mine-{(tree ? "tree-" : "")}{format}".ToLowerInvariant(), output.ToString());
    }

    [Fact]
    public void A_tree_as_deep_as_one_can_be_is_written_in_every_format()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Code(1, 0x1000, "T", "A", 1)
            .Sample(1100, 1, 0, [.. Enumerable.Repeat(0x1010UL, 1000)]);
        foreach (var format in Enum.GetValues<ReportFormat>())
        {
            using var output = new StringWriter();
            ReportPrinter.Write(
                Report(
                    trace,
                    new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null)
                    {
                        Tree = new CallTreeQuery(0, CallTreeQuery.Deepest, null),
                    }
                ),
                format,
                output
            );
            Assert.Contains("T.A", output.ToString(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_cut_tree_says_so_and_a_process_that_was_asked_for_is_named()
    {
        var report = Report(
            Trace(),
            new CpuQuery(CpuGrouping.Method, false, new RunFilter(), 2)
            {
                Tree = new CallTreeQuery(0, CallTreeQuery.Deepest, 2),
                Process = "100",
            }
        );

        Assert.StartsWith("CPU samples of program 100 in 2 runs: 5", report.Closing[0], StringComparison.Ordinal);
        Assert.Equal("Nodes: 2 of 7; --min-percent, --depth and --top show more", report.Closing[1]);
    }

    [Fact]
    public void Without_the_right_to_sample_the_kernel_its_share_is_not_recorded()
    {
        var trace = new SyntheticTrace { Details = EventDetails.Stacks }
            .Run(1, 1000, 3000)
            .Sample(1100, 1, 0, 0x1000);
        var report = Report(trace, new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null));

        Assert.Contains("in kernel mode not recorded", report.Closing[0], StringComparison.Ordinal);
        Assert.Null(report.Summary.Single(pair => pair.Key == "kernelSamples").Value);
        Assert.Equal("not recorded", report.Sections[0].Texts[0][^1]);
    }

    [Fact]
    public void Inlined_methods_are_marked_for_people_and_reported_to_programs()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Module("/app/Json.dll")
            .Code(1, 0x1000, "T", "A", 1)
            .Code(1, 0x2000, "T", "B", 2)
            .Inlined(1, [(2, 1, 0), (1, 0, 0)], (1, 0))
            .Sample(1100, 1, 0, 0x2010)
            .Sample(1200, 1, 0, 0x1010);
        var rows = Report(trace, new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null));
        var tree = Report(
            trace,
            new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null) { Tree = new CallTreeQuery(0, CallTreeQuery.Deepest, null) }
        );

        Assert.Equal(["T.A", "T.A [inlined]", "T.B"], rows.Sections[0].Texts.Select(row => row[0]).Order(StringComparer.Ordinal));
        var (name, mark) = (rows.Sections[0].Keys.ToList().IndexOf("method"), rows.Sections[0].Keys.ToList().IndexOf("isInlined"));
        Assert.Equal(
            ["T.A False", "T.A True", "T.B False"],
            rows.Sections[0].Values.Select(row => $"{row[name]} {row[mark]}").Order(StringComparer.Ordinal)
        );
        Assert.Contains(tree.Sections[0].Texts, row => row[^1].EndsWith("T.A [inlined] [Json.dll]", StringComparison.Ordinal));
        Assert.Contains("inlined frames: 50.0 % of samples expanded, 0 frames unexpanded", rows.Closing[0], StringComparison.Ordinal);
        Assert.Equal(
            (50.0, 1, 100.0),
            (
                rows.Summary.Single(pair => pair.Key == "expandedSamplePercent").Value,
                rows.Summary.Single(pair => pair.Key == "inlinedMethods").Value,
                rows.Summary.Single(pair => pair.Key == "namedInlinedMethodPercent").Value
            )
        );
        Assert.Contains(
            "inlined frames: not recorded",
            Report(Trace(), new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null)).Closing[0],
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Fewer_rows_than_there_are_say_so()
    {
        var report = Report(Trace(), new CpuQuery(CpuGrouping.Method, true, new RunFilter(), 2));

        Assert.Equal("Rows: 2 of 6; --top shows more", report.Closing[1]);
        Assert.Equal(2, report.Sections[0].Values.Count);
    }

    [Fact]
    public void Runs_without_a_sample_read_so()
    {
        using var output = new StringWriter();
        ReportPrinter.Write(
            Report(new SyntheticTrace().Run(1, 1000, 3000), new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null)),
            ReportFormat.Table,
            output
        );

        Assert.Contains("(no samples)", output.ToString(), StringComparison.Ordinal);
        Assert.Contains(
            "CPU samples in 1 run: 0 (0 ms), in kernel mode -; leaf frames named: managed - of 0 (stubs of known kind - more), all -; inlined frames: not recorded; callers recovered: -; broken stacks -",
            output.ToString(),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void All_formats_carry_the_same_rows()
    {
        var report = Report(Trace(), new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null));
        using var output = new StringWriter();
        ReportPrinter.Write(report, ReportFormat.Json, output);
        using var json = JsonDocument.Parse(output.ToString());

        Assert.Equal(1, json.RootElement.GetProperty("schema").GetInt32());
        Assert.Equal(5, json.RootElement.GetProperty("summary").GetProperty("samples").GetInt64());
        var rows = json.RootElement.GetProperty("rows").EnumerateArray().ToList();
        Assert.Equal(report.Sections[0].Texts.Count, rows.Count);
        Assert.Equal(5, rows.Sum(row => row.GetProperty("samples").GetInt64()));
        Assert.Equal(100.0, rows.Sum(row => row.GetProperty("percent").GetDouble()), 4);
    }

    [Fact]
    public void A_recording_without_samples_is_3_and_says_what_to_do()
    {
        var (code, output, error) = Run("cpu", TestFiles.Recording);

        Assert.Equal((3, ""), (code, output));
        Assert.Contains("--sessions clr,code,perf", ErrorLines.Check("esp-analyze", error).Fix, StringComparison.Ordinal);
        Assert.Equal(3, Run("cpu", TestFiles.Unmarked).Code);
    }

    [Theory]
    [InlineData("cpu")]
    [InlineData("cpu", "x", "--by", "row")]
    [InlineData("cpu", "x", "--top", "0")]
    [InlineData("cpu", "x", "--run", "first")]
    [InlineData("cpu", "x", "--kind", "warm")]
    [InlineData("cpu", "x", "--depth", "3")]
    [InlineData("cpu", "x", "--tree", "--depth", "0")]
    [InlineData("cpu", "x", "--tree", "--depth", "401")]
    [InlineData("cpu", "x", "--tree", "--min-percent", "101")]
    [InlineData("cpu", "x", "--tree", "--inclusive")]
    [InlineData("cpu", "x", "--just-my-code", "--by", "tag")]
    [InlineData("cpu", "x", "--just-my-code", "--by", "thread")]
    [InlineData("cpu", "x", "--my-code", ",")]
    public void Wrong_usage_is_2(params string[] arguments) => Assert.Equal(2, Run(arguments).Code);

    private static SyntheticTrace Trace() =>
        new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Run(2, 4000, 5000)
            .Module("/app/Json.dll")
            .Code(1, 0x1000, "Json.Writer", "Write", 1)
            .Code(1, 0x2000, "Json.Text.Encoder`1[System.Char]", "Encode", 2, CodeTier.ReadyToRun)
            .Map(1, 0x7000_0000, "/lib/libc.so.6")
            .Map(1, 0x7100_0000, "/lib/libnative.so")
            .Map(1, 0x7200_0000, "/memfd:doublemapper (deleted)")
            .Named(1, SyntheticTrace.Main, "esp-workload")
            .Sample(1100, 1, 0, 0x2010, 0x1010, 0x7000_0010)
            .Sample(1200, 1, 0, 0x2010, 0x1010, 0x7000_0010)
            .Sample(1300, 1, 0, 0x7200_0010, 0x1010, 0x7000_0010)
            .Sample(1400, 1, 1, Kernel, 0x7100_0010)
            .Sample(4500, 9, 0, 0x1010, 0x7000_0010)
            .Sample(3500, 1, 0, 0x1010);

    private static Report Report(SyntheticTrace trace, CpuQuery query)
    {
        IReadOnlyList<TracedProcess> processes = [new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [trace], [])];
        var result = RunAnalysis.Run(processes, []);
        var cpu = CpuAnalysis.Run(processes, result.Runs, query, new SymbolFiles("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero));
        return ReportBuilder.Cpu(new TraceInput(["made-up"], processes, [], false, [], ["made-up"]), result, cpu);
    }
}
