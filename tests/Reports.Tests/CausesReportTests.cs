using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>The matrix serializer × cause of a made-up trace.</summary>
public sealed class CausesReportTests
{
    private const ulong Libc = 0x7000_0000;

    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Markdown)]
    [InlineData(ReportFormat.Csv)]
    [InlineData(ReportFormat.Json)]
    public void Report_of_a_made_up_trace(ReportFormat format) => Check($"causes-{format}", new CausesQuery(new RunFilter()), format);

    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Csv)]
    public void Report_by_run(ReportFormat format) => Check($"causes-runs-{format}", new CausesQuery(new RunFilter(), ByRun: true), format);

    [Fact]
    public void Report_of_single_causes_in_percent() =>
        Check("causes-detail-percent", new CausesQuery(new RunFilter(), Detail: true, Percent: true), ReportFormat.Table);

    [Fact]
    public void Rows_add_up_in_every_cell_that_is_printed()
    {
        var report = Report(new CausesQuery(new RunFilter()));
        foreach (var row in report.Sections[0].Texts)
        {
            var cells = report
                .Sections[0]
                .Headers.Zip(row)
                .Where(cell => cell.First.EndsWith(" ms", StringComparison.Ordinal))
                .ToDictionary(cell => cell.First, cell => double.Parse(cell.Second, CultureInfo.InvariantCulture));
            var outside = (string[])
                ["Harness ms", "Broken ms", "GC threads ms", "JIT threads ms", "Other threads ms", "Other processes ms"];
            Assert.Equal(
                cells["Serializer ms"],
                cells.Where(cell => cell.Key != "Serializer ms" && !outside.Contains(cell.Key)).Sum(cell => cell.Value),
                6
            );
        }

        using var output = new StringWriter();
        ReportPrinter.Write(report, ReportFormat.Json, output);
        using var json = JsonDocument.Parse(output.ToString());
        var causes = json.RootElement.GetProperty("causes");
        Assert.Equal(
            causes.GetProperty("processMs").GetDouble(),
            causes.GetProperty("serializerMs").GetDouble() + causes.GetProperty("outsideMs").GetDouble(),
            6
        );
        Assert.Equal(
            causes.GetProperty("processMs").GetDouble(),
            json.RootElement.GetProperty("rows").EnumerateArray().Sum(row => row.GetProperty("processMs").GetDouble()),
            6
        );
    }

    /// <summary>A recording of one process tree has no data on the machine: the value is missing, not 0.</summary>
    [Fact]
    public void Other_processes_of_a_tree_recording_were_not_recorded()
    {
        var trace = new SyntheticTrace { Kinds = EventKinds.All & ~EventKinds.OtherProcesses }
            .Run(1, 1000, 3000)
            .Sample(1100, 1, 0, Libc + 8);
        var report = Report(new CausesQuery(new RunFilter()), trace);

        var section = report.Sections[0];
        Assert.Null(section.Values[0][section.Keys.ToList().IndexOf("otherProcessesMs")]);
        Assert.DoesNotContain("Other processes ms", section.Headers);
        Assert.Contains(report.Closing, line => line.StartsWith("Other processes meanwhile: not recorded", StringComparison.Ordinal));
        Assert.Null(report.Summary.Single(item => item.Key == "otherProcessesMs").Value);
    }

    [Fact]
    public void Groups_are_the_sums_of_their_causes()
    {
        var section = Report(new CausesQuery(new RunFilter())).Sections[0];
        foreach (var row in section.Values)
        {
            var values = section.Keys.Zip(row).ToDictionary(cell => cell.First, cell => cell.Second);
            Assert.Equal(
                Ms("reflectionMs"),
                Ms("reflectionGetMs") + Ms("reflectionSetMs") + Ms("reflectionInvokeMs") + Ms("reflectionMetadataMs")
            );
            Assert.Equal(
                Ms("gcMs"),
                Ms("gcAllocationMs") + Ms("gcCollectionMs") + Ms("gcBackgroundMs") + Ms("gcSuspensionMs") + Ms("gcWriteBarrierMs")
            );

            double Ms(string key) => Assert.IsType<double>(values[key]);
        }

        Assert.Equal(section.Keys.Count, section.Keys.Distinct().Count());
        Assert.Equal(CauseColumns.All.Count, section.Keys.Count);
    }

    [Fact]
    public void A_filter_that_leaves_nothing_says_what_there_is() =>
        Assert.Contains(
            "XmlSerializer",
            Assert.Throws<NoRunMatchesException>(() => Report(new CausesQuery(new RunFilter { Serializer = "Jil" }))).Message,
            StringComparison.Ordinal
        );

    [Theory]
    [InlineData("causes", "x", "--wpa", "--detail")]
    [InlineData("causes", "x", "--top", "3")]
    [InlineData("causes", "x", "--stacktags", "y")]
    [InlineData("cpu", "x", "--stacktags", "y")]
    [InlineData("cpu", "x", "--by", "tag", "--tree")]
    public void Wrong_usage_is_2(params string[] arguments) => Assert.Equal(2, AnalyzeTool.Run(arguments).Code);

    [Fact]
    public void A_recording_without_samples_is_3() => Assert.Equal(3, AnalyzeTool.Run("causes", TestFiles.Recording).Code);

    /// <summary>Two serializers with known stacks, and one with an unknown entry.</summary>
    internal static SyntheticTrace Trace()
    {
        const ulong Xml = 0x1000,
            Binary = 0x1200,
            Own = 0x2000,
            Set = 0x3000,
            Create = 0x3200,
            Number = 0x3400,
            Touch = 0x1400,
            Clr = 0x7100_0000;
        return new SyntheticTrace()
            .Run(1, 1000, 3000, identity: SyntheticTrace.Identity("XmlSerializer", RunOperation.Deserialize))
            .Run(2, 5000, 7000, identity: SyntheticTrace.Identity("XmlSerializer", RunOperation.Deserialize, number: 2))
            .Run(3, 9000, 12000, identity: SyntheticTrace.Identity("BinaryFormatter", RunOperation.Deserialize))
            .Run(4, 14000, 15000, identity: SyntheticTrace.Identity("MyOwn"))
            .Module("/app/esp-workload.dll", 1)
            .Module("/fx/System.Private.Xml.dll", 2)
            .Module("/fx/System.Private.CoreLib.dll", 3)
            .Code(1, Xml, "EtwSerializerProfiler.Workload.Serializers.XmlText", "Read", 1, module: 1)
            .Code(1, Binary, "EtwSerializerProfiler.Workload.Serializers.BinaryFormatterSerializer", "Read", 2, module: 1)
            .Code(1, Touch, "EtwSerializerProfiler.Workload.Data.BookShelfModel", "Touch", 3, module: 1)
            .Code(1, Own, "System.Xml.XmlReader", "Read", 4, module: 2)
            .Code(1, Set, "System.Reflection.FieldInfo", "SetValue", 5, module: 3)
            .Code(1, Create, "System.Activator", "CreateInstance", 6, module: 3)
            .Code(1, Number, "System.Number", "ParseInt32", 7, module: 3)
            .Map(1, Libc, "/lib/libc.so.6")
            .Map(1, Clr, "/lib/libcoreclr.so")
            .Named(1, 11, ".NET BGC")
            .Named(1, 12, ".NET Tiered Com")
            .Sample(1100, 1, 0, Own + 8, Xml + 8, Libc + 8)
            .Sample(1200, 1, 0, Number + 8, Own + 8, Xml + 8, Libc + 8)
            .Sample(1300, 1, 0, Touch + 8, Libc + 8)
            .Sample(1400, 12, 0, Clr + 8, Libc + 8)
            .Sample(5100, 1, 0, Own + 8, Xml + 8, Libc + 8)
            .Sample(5200, 1, 0, Create + 8, Xml + 8, Libc + 8)
            .Pause(9100, 9400)
            .Sample(9200, 1, 0, Clr + 8, Binary + 8, Libc + 8)
            .Sample(9500, 1, 0, Clr + 8, Set + 8, Binary + 8, Libc + 8)
            .Sample(9600, 1, 0, Set + 8, Binary + 8, Libc + 8)
            .Sample(9700, 1, 1, 0xffffffff81000000, Binary + 8, Libc + 8)
            .Sample(9800, 11, 0, Clr + 8, Libc + 8)
            .Sample(9900, 1, 0, Clr + 8)
            .Sample(14100, 1, 0, Set + 8, Touch + 8, Libc + 8)
            .OtherProcess(2000, 77)
            .OtherProcess(4000, 77)
            .OtherProcess(10000, 77)
            .OtherProcess(11000, 78);
    }

    private static void Check(string name, CausesQuery query, ReportFormat format)
    {
        using var output = new StringWriter();
        ReportPrinter.Write(Report(query), format, output);

        Snapshot.Matches("Reports.Tests", name.ToLowerInvariant(), output.ToString());
    }

    private static Report Report(CausesQuery query, SyntheticTrace? trace = null)
    {
        IReadOnlyList<TracedProcess> processes =
        [
            new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [trace ?? Trace()], []),
        ];
        return CausesReport.Build(
            new TraceInput(["made-up"], processes, [], false, [], ["made-up"]),
            RunAnalysis.Run(processes, []),
            query,
            []
        );
    }
}
