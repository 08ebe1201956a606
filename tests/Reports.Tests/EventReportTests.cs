using System.CommandLine;
using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.Jit;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Analysis.Requests;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Analyzer.Commands;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>The reports on events of a made-up trace.</summary>
public sealed class EventReportTests
{
    private static readonly EventQuery s_all = new(new RunFilter(), null);

    public static TheoryData<string, ReportFormat> Reports =>
        [
            .. from name in (string[])
                [
                    "alloc",
                    "alloc-method",
                    "alloc-serializer",
                    "alloc-stack",
                    "alloc-ticks",
                    "exceptions",
                    "exceptions-run",
                    "locks",
                    "locks-method",
                    "jit",
                    "waits",
                    "waits-reason",
                    "waits-thread",
                    "waits-stack",
                    "requests",
                    "gc",
                    "gc-method",
                    "gc-stack",
                ]
            from format in Enum.GetValues<ReportFormat>()
            select (name, format),
        ];

    [Theory]
    [MemberData(nameof(Reports))]
    public void Report_of_a_made_up_trace(string name, ReportFormat format)
    {
        using var output = new StringWriter();
        ReportPrinter.Write(Build(name, s_all), format, output);

        Snapshot.Matches("Reports.Tests", $"events-{name}-{format}".ToLowerInvariant(), output.ToString());
    }

    [Theory]
    [InlineData("alloc")]
    [InlineData("alloc-stack")]
    [InlineData("exceptions")]
    [InlineData("exceptions-run")]
    [InlineData("locks")]
    [InlineData("jit")]
    [InlineData("waits")]
    [InlineData("requests")]
    [InlineData("gc")]
    [InlineData("gc-method")]
    public void Fewer_rows_than_there_are_say_so_and_sums_stay(string name)
    {
        var all = Build(name, s_all);
        var report = Build(name, s_all with { Top = 1 });

        Assert.Single(report.Sections[0].Values);
        Assert.Contains("--top shows more", report.Closing[^1], StringComparison.Ordinal);
        Assert.Equal(all.Closing[0], report.Closing[0]);
    }

    [Theory]
    [InlineData("alloc", "System.Byte[]")]
    [InlineData("exceptions", "System.InvalidOperationException")]
    [InlineData("locks", "0x")]
    [InlineData("jit", "Tier")]
    [InlineData("waits", "Events")]
    [InlineData("gc", "AllocSmall")]
    public void The_commands_read_a_recording_in_every_format(string command, string expected)
    {
        foreach (var format in (string[])["table", "csv", "json", "markdown"])
        {
            var (code, output, _) = Run(command, TestFiles.Recording, "--kind", "all", "--format", format);
            Assert.Equal(0, code);
            Assert.Contains(expected, output, StringComparison.Ordinal);
            if (format == "json")
                Assert.Equal(command, JsonDocument.Parse(output).RootElement.GetProperty("report").GetString());
        }
    }

    [Fact]
    public void What_was_not_recorded_is_3_and_says_what_to_do()
    {
        foreach (
            var (command, advice) in (ReadOnlySpan<(string, string)>)
                [
                    ("exceptions", "session 'clr'"),
                    ("locks", "session 'code'"),
                    ("jit", "session 'code'"),
                    ("waits", "session 'code'"),
                    ("requests", "--no-requests"),
                ]
        )
        {
            var (code, output, error) = Run(command, TestFiles.Unmarked);
            Assert.Equal((3, ""), (code, output));
            Assert.Contains(advice, ErrorLines.Check("esp-analyze", error).Fix, StringComparison.Ordinal);
        }

        Assert.Equal(0, Run("alloc", TestFiles.Unmarked).Code); // has ticks and GCs
        Assert.Equal(0, Run("gc", TestFiles.Unmarked).Code);
        Assert.Equal(2, Run("gc", TestFiles.Recording, "--serializer", "Nobody").Code);
    }

    /// <summary>A program is one run, of no serializer and no test. Readers of the CSV find the columns at the same positions.</summary>
    [Fact]
    public void Reports_on_a_program_without_marks_have_no_columns_of_benchmarks()
    {
        foreach (var command in (string[])["alloc", "gc"])
        {
            var table = Run(command, TestFiles.Unmarked).Output;
            Assert.Contains(" │ ", table, StringComparison.Ordinal);
            Assert.DoesNotContain("Serializer", table, StringComparison.Ordinal);
            Assert.DoesNotContain("│ Test ", table, StringComparison.Ordinal);
            Assert.DoesNotContain("│ N ", table, StringComparison.Ordinal);
            Assert.Contains("serializer,", Run(command, TestFiles.Unmarked, "-f", "csv").Output, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("alloc")]
    [InlineData("alloc", "x", "--by", "row")]
    [InlineData("gc", "x", "--by", "type")]
    [InlineData("exceptions", "x", "--by", "type")]
    [InlineData("exceptions", "x", "--stacks", "0")]
    [InlineData("gc", "x", "--top", "0")]
    [InlineData("jit", "x", "--run", "first")]
    [InlineData("waits", "x", "--kind", "warm")]
    public void Wrong_usage_is_2(params string[] arguments) => Assert.Equal(2, Run(arguments).Code);

    [Fact]
    public void A_dump_of_a_throw_that_no_row_has_is_said()
    {
        var trace = Trace(EventKinds.All);
        IReadOnlyList<TracedProcess> processes = [new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [trace], [])];
        var result = RunAnalysis.Run(processes, []);
        string Closing(InputRecording recording) =>
            string.Join(
                '\n',
                EventReports
                    .Exceptions(
                        new TraceInput(["made-up"], processes, [recording], false, [], ["made-up"]),
                        result,
                        ExceptionAnalysis.Run(
                            processes,
                            result.Runs,
                            s_all,
                            new SymbolFiles("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero),
                            [recording],
                            ExceptionGrouping.Method
                        )
                    )
                    .Closing
            );

        Assert.DoesNotContain("dumps/100-1.dmp", Closing(Dumped()), StringComparison.Ordinal);
        Assert.Contains(
            "dumps/100-1.dmp was taken at a throw of System.FormatException that is not in these rows",
            Closing(Dumped("between the runs")),
            StringComparison.Ordinal
        );
    }

    private static Report Build(string name, EventQuery query)
    {
        var trace = Trace(name == "alloc-ticks" ? EventKinds.All & ~EventKinds.AllocationSamples : EventKinds.All);
        var other = new SyntheticTrace { ProcessId = 200 }.Pause(1210, 1260);
        IReadOnlyList<TracedProcess> processes =
        [
            new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [trace], []),
            .. name.StartsWith("gc", StringComparison.Ordinal)
                ? [new TracedProcess(200, "other", ".NET 10.0", [other], [])]
                : (TracedProcess[])[],
        ];
        var input = new TraceInput(["made-up"], processes, [], false, [], ["made-up"]);
        var result = RunAnalysis.Run(processes, []);
        var files = new SymbolFiles("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero);
        return name switch
        {
            "exceptions" => EventReports.Exceptions(input, result, ExceptionAnalysis.Run(processes, result.Runs, query, files)),
            "exceptions-run" => EventReports.Exceptions(
                input,
                result,
                ExceptionAnalysis.Run(processes, result.Runs, query, files, [Dumped()], ExceptionGrouping.Run),
                stacks: 2
            ),
            "locks" => EventReports.Locks(input, result, LockAnalysis.Run(processes, result.Runs, query, files)),
            "locks-method" => EventReports.Locks(
                input,
                result,
                LockAnalysis.Run(processes, result.Runs, query, files, LockGrouping.Method)
            ),
            "jit" => EventReports.Compilations(input, result, JitAnalysis.Run(processes, result.Runs, query, files)),
            "waits" => Waits(WaitGrouping.Method),
            "waits-reason" => Waits(WaitGrouping.Reason),
            "waits-thread" => Waits(WaitGrouping.Thread),
            "waits-stack" => Waits(WaitGrouping.Stack),
            "requests" => EventReports.Requests(input, result, RequestAnalysis.Run(processes, result.Runs, query, files)),
            "gc" => Gcs(GcGrouping.Gc),
            "gc-method" => Gcs(GcGrouping.Method),
            "gc-stack" => Gcs(GcGrouping.Stack),
            _ => EventReports.Allocations(
                input,
                result,
                AllocationAnalysis.Run(
                    processes,
                    result.Runs,
                    query,
                    name switch
                    {
                        "alloc-method" => AllocationGrouping.Method,
                        "alloc-serializer" => AllocationGrouping.Serializer,
                        "alloc-stack" => AllocationGrouping.Stack,
                        _ => AllocationGrouping.Type,
                    },
                    files
                )
            ),
        };

        Report Waits(WaitGrouping grouping) =>
            EventReports.Waits(input, result, WaitAnalysis.Run(processes, result.Runs, query, files, grouping));

        Report Gcs(GcGrouping grouping) =>
            EventReports.Gcs(
                input,
                result,
                GcAnalysis.Run(processes, result.Runs, query with { Filter = new RunFilter { AllKinds = true } }, files, grouping)
            );
    }

    /// <summary>The recording with a dump of the second exception.</summary>
    private static InputRecording Dumped(string message = "second") =>
        new(
            "",
            "",
            new Recording(
                1,
                "test",
                DateTime.UnixEpoch,
                0,
                true,
                "",
                [],
                "",
                false,
                new RecordingHost("elsewhere", "Linux", "X64", "", 2, 0),
                [],
                [],
                "",
                []
            )
            {
                Dumps =
                [
                    new RecordedDump(
                        "dumps/100-1.dmp",
                        SyntheticTrace.Process,
                        "System.FormatException:2",
                        "heap",
                        1_200_010,
                        1_200_020,
                        1_201_000,
                        1_000_000_000,
                        1
                    )
                    {
                        Held = true,
                        ExceptionType = "System.FormatException",
                        Message = message,
                        ThreadId = SyntheticTrace.Main,
                    },
                ],
            }
        );

    private static SyntheticTrace Trace(EventKinds capabilities) =>
        new SyntheticTrace { Kinds = capabilities }
            .Run(1, 1000, 3000)
            .Run(2, 5000, 6000, identity: SyntheticTrace.Identity("Xml", RunOperation.Deserialize))
            .Module("/app/Lib.dll")
            .Code(1, 0x1000, "System.Runtime.EH", "Throw", 1)
            .Code(1, 0x3000, "System.Threading.Monitor", "Enter", 3)
            .Code(1, 0x4000, "Lib.Parser", "ReadString", 4)
            .Code(1, 0x5000, "System.GC", "Collect", 5)
            .Code(1, 0x2000, "Lib.Parser", "Parse", 2)
            .Inlined(1, [(2, 1, 0), (4, 0, 0)], (0, 0), (1, 0x80))
            .Named(1, 9, "holder")
            .Named(1, 11, ".NET Tiered Compilation Worker")
            .Throw(1100, "System.FormatException", "a first\nmessage of two lines", unchecked((int)0x80131537), stack: [0x1010, 0x2010])
            .Throw(1200, "System.FormatException", "second", unchecked((int)0x80131537), rethrown: true, stack: [0x1010, 0x2010])
            .Throw(5100, "System.IO.IOException", "no stack", 5)
            .Sampled(1100, "System.Byte[]", 10_024, stack: 0x2010)
            .Sampled(1200, "System.Byte[]", 10_024, stack: 0x2010)
            .Sampled(1250, "System.String", 424, stack: [0x2090, 0x2010])
            .Sampled(1300, "Lib.Node", 32)
            .Sampled(5100, "System.Char[]", 400_000, AllocationKind.Large)
            .Tick(1100, "System.Byte[]", 102_400, stack: 0x2010)
            .Tick(5100, "System.Char[]", 400_000, AllocationKind.Large)
            .Contention(1100, 1600, SyntheticTrace.Main, 0xABC, 9, 0x3010, 0x2010)
            .Contention(5100, 5200, 7, 0xDEF, 0)
            .Jit(1100, 1500, 1, "Lib.Parser", "Parse", CodeTier.Tier0, 100, 1000, stack: 0x2010)
            .Jit(5200, 5800, 1, "Lib.Parser", "Parse", CodeTier.Tier1, 100, 700, thread: 11)
            .Jit(5200, 5210, 5, "", "", CodeTier.Optimized, 5, 6, thread: 12)
            .SwitchIn(500, SyntheticTrace.Main)
            .SwitchOutStack(1099, SyntheticTrace.Main, 1, 0xffffffff81000000, 0x3010, 0x2010)
            .SwitchOut(1100, SyntheticTrace.Main)
            .Readied(1550, SyntheticTrace.Main)
            .SwitchIn(1600, SyntheticTrace.Main)
            .SwitchOut(2000, SyntheticTrace.Main)
            .SwitchIn(2050, SyntheticTrace.Main)
            .Request(1100, 1350, "a:1", "/items/1", "[id, 1]")
            .Request(1400, 1500, "a:2", "/items/2", "[id, 2]", status: 404)
            .Request(1150, 1300, "r1", "/items/7", status: null, host: "shop:80")
            .Request(5500, null, "a:3", "/hangs")
            .Request(null, 1050, "a:0", "/before")
            .Triggered(1200.5, stack: [0x2090, 0x2010])
            .Triggered(4000.5, stack: [0x5010, 0x2010])
            .FullGc(1200, 1400, 1, 1, GcReason.AllocLarge, GcKind.Blocking, 2_000_000, 1_500_000, 300_000)
            .FullGc(4000, 4100, 2, 2, GcReason.Induced, GcKind.Blocking, 2_000_000, 1_500_000, 300_000)
            .Pause(5100, 5150)
            .Gc(5110, 3, 2, GcKind.Background);

    private static (int Code, string Output, string Error) Run(params string[] arguments)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        var code = RootCommandFactory.Run(arguments, new InvocationConfiguration { Output = output, Error = error });
        return (code, output.ToString(), error.ToString());
    }
}
