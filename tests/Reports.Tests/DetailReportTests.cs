using System.CommandLine;
using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analyzer.Commands;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>The tables of processor time, of a made-up trace: recorded as root, and by an ordinary user.</summary>
public sealed class DetailReportTests
{
    [Theory]
    [InlineData("table", false, ReportFormat.Table)]
    [InlineData("table", true, ReportFormat.Table)]
    [InlineData("table", false, ReportFormat.Markdown)]
    [InlineData("table", false, ReportFormat.Json)]
    [InlineData("runs", false, ReportFormat.Table)]
    [InlineData("runs", true, ReportFormat.Csv)]
    public void Detail_of_a_made_up_trace(string report, bool ordinaryUser, ReportFormat format)
    {
        using var output = new StringWriter();
        ReportPrinter.Write(Report(report, ordinaryUser, detail: true), format, output);

        Snapshot.Matches(
            "Reports.Tests",
            $"detail-{report}-{(ordinaryUser ? "user" : "root")}-{format}".ToLowerInvariant(),
            output.ToString()
        );
    }

    [Theory]
    [InlineData(ReportFormat.Json)]
    [InlineData(ReportFormat.Csv)]
    public void Programs_get_the_same_with_and_without_detail(ReportFormat format)
    {
        using var with = new StringWriter();
        using var without = new StringWriter();
        ReportPrinter.Write(Report("runs", false, detail: true), format, with);
        ReportPrinter.Write(Report("runs", false, detail: false), format, without);

        Assert.Equal(without.ToString(), with.ToString());
    }

    [Fact]
    public void Times_of_the_measuring_thread_add_up_in_every_row()
    {
        using var output = new StringWriter();
        ReportPrinter.Write(Report("table", true, detail: false), ReportFormat.Json, output);
        using var json = JsonDocument.Parse(output.ToString());

        foreach (var row in json.RootElement.GetProperty("rows").EnumerateArray())
            Assert.Equal(
                row.GetProperty("wallTotalMs").GetDouble(),
                row.GetProperty("onCpuMs").GetDouble() + row.GetProperty("waitMs").GetDouble() + row.GetProperty("readyMs").GetDouble(),
                5
            );
    }

    [Fact]
    public void Both_commands_take_the_option()
    {
        foreach (var command in (string[])["table", "runs"])
        {
            using var output = new StringWriter();
            Assert.Equal(
                0,
                RootCommandFactory.Run([command, TestFiles.Recording, "--detail"], new InvocationConfiguration { Output = output })
            );
            Assert.Contains("Kernel or unsampled ms", output.ToString(), StringComparison.Ordinal);
        }
    }

    private static Report Report(string report, bool ordinaryUser, bool detail)
    {
        IReadOnlyList<TracedProcess> processes =
        [
            new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [Trace(ordinaryUser)], []),
        ];
        var result = RunAnalysis.Run(processes, []);
        var input = new TraceInput(["made-up"], processes, [], false, [], ["made-up"]);
        return report == "table" ? ReportBuilder.Table(input, result, detail) : ReportBuilder.Runs(input, result, detail);
    }

    private static SyntheticTrace Trace(bool ordinaryUser)
    {
        const int Main = SyntheticTrace.Main;
        var trace = new SyntheticTrace
        {
            Kinds = ordinaryUser ? EventKinds.All & ~EventKinds.ReadyThreads : EventKinds.All,
            Details = ordinaryUser ? EventDetails.Stacks : EventDetails.All,
        }
            .Run(1, 1000, 3000)
            .Run(2, 5000, 6000)
            .Run(3, 8000, 8100, identity: SyntheticTrace.Identity("Xml", RunOperation.Deserialize))
            .SwitchIn(100, Main)
            .Map(1, 0x7000_0000, "/lib/libc.so.6")
            .Named(1, 5, ".NET Server GC")
            .Named(1, 6, ".NET Tiered Com")
            .SwitchOut(1100, Main)
            .SwitchIn(1100, 5)
            .SwitchOut(1400, 5)
            .Readied(1400, Main)
            .SwitchIn(1450, Main)
            .SwitchOut(2000, Main, preempted: true)
            .SwitchIn(2010, Main)
            .SwitchIn(5200, 6)
            .SwitchOut(5300, 6)
            .Sample(1500, Main, 0, 0x1000, 0x7000_0010)
            .Sample(5500, Main, 0, 0x1000);
        return ordinaryUser ? trace : trace.Sample(2500, Main, 1, 0xffffffff81000000, 0x1000, 0x7000_0010);
    }
}
