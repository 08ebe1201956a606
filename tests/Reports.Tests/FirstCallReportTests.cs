using System.CommandLine;
using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.FirstCalls;
using EtwSerializerProfiler.Analyzer.Commands;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>The report on first calls of made-up traces.</summary>
public sealed class FirstCallReportTests
{
    public static TheoryData<ReportFormat, bool> Forms =>
        [.. from format in Enum.GetValues<ReportFormat>() from detail in (bool[])[false, true] select (format, detail)];

    [Theory]
    [MemberData(nameof(Forms))]
    public void Report_of_made_up_traces(ReportFormat format, bool detail)
    {
        var (input, result) = MadeUp();
        using var output = new StringWriter();
        ReportPrinter.Write(
            FirstCallReport.Build(input, result, FirstCallAnalysis.Run(input.Processes, result.Runs, new RunFilter()), detail),
            format,
            output
        );

        Snapshot.Matches("Reports.Tests", $"firstcalls{(detail ? "-detail" : "")}-{format}".ToLowerInvariant(), output.ToString());
    }

    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Json)]
    public void The_table_has_a_section_of_first_calls(ReportFormat format)
    {
        var (input, result) = MadeUp();
        using var output = new StringWriter();
        ReportPrinter.Write(
            ReportBuilder.Table(input, result, firstCalls: FirstCallAnalysis.Run(input.Processes, result.Runs, new RunFilter())),
            format,
            output
        );

        Snapshot.Matches("Reports.Tests", $"table-firstcalls-{format}".ToLowerInvariant(), output.ToString());
    }

    [Fact]
    public void A_recording_without_first_calls_is_3_and_says_what_to_do()
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        Assert.Equal(
            3,
            RootCommandFactory.Run(["firstcalls", TestFiles.Unmarked], new InvocationConfiguration { Output = output, Error = error })
        );
        Assert.Empty(output.ToString());
        Assert.Contains("esp-record -test firstcall", ErrorLines.Check("esp-analyze", error.ToString()).Fix, StringComparison.Ordinal);
        Assert.Equal(
            2,
            RootCommandFactory.Run(
                ["firstcalls", TestFiles.Unmarked, "--kind", "all"],
                new InvocationConfiguration { Output = output, Error = error }
            )
        );
    }

    [Fact]
    public void Json_has_the_assemblies_and_null_for_what_was_not_recorded()
    {
        var (input, result) = MadeUp();
        using var output = new StringWriter();
        ReportPrinter.Write(
            FirstCallReport.Build(input, result, FirstCallAnalysis.Run(input.Processes, result.Runs, new RunFilter())),
            ReportFormat.Json,
            output
        );

        var root = JsonDocument.Parse(output.ToString()).RootElement;
        Assert.Equal("firstcalls", root.GetProperty("report").GetString());
        Assert.Contains(
            root.GetProperty("assemblies").EnumerateArray(),
            row => row.GetProperty("assembly").GetString() == "App.XmlSerializers" && row.GetProperty("outcome").GetString() == "NotFound"
        );
        Assert.Contains(root.GetProperty("rows").EnumerateArray(), row => row.GetProperty("types").ValueKind == JsonValueKind.Null);
    }

    private static (TraceInput Input, AnalysisResult Result) MadeUp()
    {
        IReadOnlyList<TracedProcess> processes =
        [
            Process(Trace(1, "(runtime)", RunOperation.StartRuntime, 0, 1_020).Compile(1_001, 1_010, 1).Launched(-79_000, 1_100)),
            Process(
                Trace(2, "Xml", RunOperation.Construct, 0, 31_000)
                    .Assembly(900, 1, "Early")
                    .Assembly(1_200, 2, "Xml.Lib, Version=1.0.0.0")
                    .Assembly(9_000, 3, "Microsoft.GeneratedCode", dynamic: true)
                    .AssemblyBind(2_000, "App.XmlSerializers, Version=1.0.0.0", found: false)
                    .Compile(700, 800, 1)
                    .Compile(3_000, 9_000, 2)
                    .Compile(9_500, 9_900, 3, module: 30)
                    .TypeLoad(10_000, 10_500, 1, 501)
                    .TypeLoad(10_100, 10_200, 2, 502)
                    .Precompiled(11_000)
                    .Launched(-89_000, 31_100)
            ),
            Process(
                Trace(3, "Xml", RunOperation.FirstSerialize, 1, 41_000)
                    .Assembly(1_200, 2, "Xml.Lib, Version=1.0.0.0")
                    .Compile(3_000, 12_000, 2)
                    .Compile(5_000, 7_000, 9, CodeTier.Tier1, thread: 77)
            ),
            Process(
                Trace(
                        4,
                        "Json",
                        RunOperation.FirstSerialize,
                        1,
                        21_000,
                        EventKinds.All & ~(EventKinds.TypeLoads | EventKinds.PrecompiledMethods)
                    )
                    .Compile(3_000, 8_000, 2, CodeTier.Optimized, dynamic: true)
            ),
            Process(Trace(5, "Json", RunOperation.FirstDeserialize, 1, 22_000, error: "System.Exception: no")),
        ];
        return (new TraceInput(["made-up"], processes, [], false, [], ["made-up"]), RunAnalysis.Run(processes, []));
    }

    private static SyntheticTrace Trace(
        int process,
        string serializer,
        string operation,
        int objects,
        double stop,
        EventKinds capabilities = EventKinds.All,
        string error = ""
    ) =>
        new SyntheticTrace { Kinds = capabilities, ProcessId = process }.Run(
            1,
            1_000,
            stop,
            identity: SyntheticTrace.Identity(serializer, operation, RunKind.FirstCall, objects),
            measurement: SyntheticTrace.Measurement(1_000, stop, error: error)
        );

    private static TracedProcess Process(SyntheticTrace trace) => new(trace.ProcessId, "program", ".NET 10.0", [trace], []) { HeldMs = 15 };
}
