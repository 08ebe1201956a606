using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>
/// The report of source lines and their instructions, of made-up costs. Sessions.Tests compares those of a recorded program with the truth.
/// </summary>
public sealed class SourceReportTests
{
    private const ulong First = 0x7F00_0000_1000,
        Second = 0x7F00_0000_2000;

    private static readonly MethodSource s_parse = new(
        "App.Parser.Parse",
        "/src/Parser.cs",
        [
            new CostedLine(10, "\tpublic int Parse()", 0, 0, 0, 0),
            new CostedLine(11, "\t\twhile (_at < _end) _sum += Next();", 30, 30, 6, 50)
            {
                Causes = Times(("", 34), ("gcCollection", 9), ("gcAllocation", 1), ("jit", 5), ("locks", 1)),
                Instructions =
                [
                    new(InstructionKind.Il, "App.Parser.Parse", 0, 0x1A, "ldarg.0", 28, 28),
                    new(InstructionKind.Il, "App.Parser.Parse", 0, 0x1B, "call App.Parser::Next()", 0, 0),
                    new(InstructionKind.Il, "App.Parser.Parse", 0, 0x20, "blt.s IL_001a", 2, 2),
                    new(InstructionKind.MachineCode, "App.Parser.Parse [Tier1]", First, 0x40, "add eax, [rbx+0x10]", 24, 24),
                    new(InstructionKind.MachineCode, "App.Parser.Parse [Tier1]", First, 0x43, "jl +0x0040", 0, 0),
                    new(InstructionKind.MachineCode, "App.Program.Main [Tier1Osr]", Second, 0x8, "add eax, ecx", 6, 6),
                ],
            },
            new CostedLine(12, "\t\treturn _sum;", 0, 0, 0, 0),
        ],
        ""
    );

    private static readonly MethodSource s_changed = new(
        "App.Query.Run",
        "/src/Query.cs",
        [
            new CostedLine(7, "", 3, 3, 0, 4)
            {
                Causes = Times(("", 3), ("locks", 1)),
                Instructions = [new(InstructionKind.Il, "App.Query.Run", 0, 0, "ldarg.1", 3, 3)],
            },
        ],
        "/src/Query.cs was changed since the program was built"
    );

    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Markdown)]
    [InlineData(ReportFormat.Csv)]
    [InlineData(ReportFormat.Json)]
    public void Instructions_stand_below_their_line(ReportFormat format) =>
        Snapshot.Matches("Reports.Tests", $"source-instructions-{format}".ToLowerInvariant(), Printed(format, withInstructions: true));

    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Csv)]
    public void Lines_alone_have_no_columns_of_instructions(ReportFormat format) =>
        Snapshot.Matches("Reports.Tests", $"source-{format}".ToLowerInvariant(), Printed(format, withInstructions: false));

    [Fact]
    public void Rows_of_a_kind_add_up_to_their_line()
    {
        using var document = JsonDocument.Parse(Printed(ReportFormat.Json, withInstructions: true));
        var rows = document
            .RootElement.GetProperty("rows")
            .EnumerateArray()
            .Where(row => row.GetProperty("method").GetString() == "App.Parser.Parse")
            .ToList();

        Assert.Equal(30, SamplesOf("line"));
        Assert.Equal(30, SamplesOf("il"));
        Assert.Equal(30, SamplesOf("asm"));
        Assert.Equal("0x7f0000001040", rows.First(row => row.GetProperty("kind").GetString() == "asm").GetProperty("address").GetString());

        long SamplesOf(string kind) =>
            rows.Where(row => row.GetProperty("kind").GetString() == kind).Sum(row => row.GetProperty("samples").GetInt64());
    }

    [Fact]
    public void Own_code_and_causes_add_up_to_the_inclusive_time()
    {
        using var document = JsonDocument.Parse(Printed(ReportFormat.Json, withInstructions: true));
        var line = document
            .RootElement.GetProperty("rows")
            .EnumerateArray()
            .Single(row => row.GetProperty("line").GetInt32() == 11 && row.GetProperty("kind").GetString() == "line");

        Assert.Equal((34, 10, 5, 1), (Of("ownMs"), Of("gcMs"), Of("jitCompilerMs"), Of("locksMs")));
        Assert.Equal((9, 1), (Of("gcCollectionMs"), Of("gcAllocationMs")));
        Assert.Equal(
            50,
            Of("ownMs")
                + CauseCatalog.Groups.Sum(group =>
                    Of(
                        group switch
                        {
                            "GC" => "gcMs",
                            "JIT" => "jitCompilerMs",
                            "I/O" => "ioMs",
                            _ => char.ToLowerInvariant(group[0]) + group[1..] + "Ms",
                        }
                    )
                )
        );

        double Of(string key) => line.GetProperty(key).GetDouble();
    }

    /// <summary>A word for a cause of 8 % and more, and of 4 samples and more; few samples of all are marked.</summary>
    [Theory]
    [InlineData("", 100)]
    [InlineData("", 93, "jit", 7)]
    [InlineData("JIT 8 %", 92, "jit", 8)]
    [InlineData("GC 60, JIT 30 %", 10, "gcCollection", 60, "jit", 30)]
    [InlineData("formatting 50 %", 30, "text", 50, "exceptions", 20)]
    [InlineData("~locks 20 %", 16, "locks", 4)]
    [InlineData("", 1, "locks", 3)]
    public void Causes_worth_a_word_stand_beside_a_line(
        string expected,
        int own,
        string first = "locks",
        int ofFirst = 0,
        string second = "locks",
        int ofSecond = 0
    ) => Assert.Equal(expected, CauseLetters.OfLine(Times(("", own), (first, ofFirst), (second, ofSecond))));

    [Theory]
    [InlineData("X64", null)]
    [InlineData("", null)]
    [InlineData("Arm64", "no machine code: only x64 code is disassembled, and this was recorded on Arm64")]
    public void Code_of_another_processor_is_not_disassembled(string architecture, string? expected)
    {
        var recording = RecordingFile.Read(TestFiles.Recording);
        var input = new TraceInput(
            ["r1"],
            [],
            [new InputRecording("", "r1", recording with { Host = recording.Host with { Architecture = architecture } })],
            false,
            [],
            []
        );

        Assert.Equal(expected, SourceReport.ProcessorProblem(input));
    }

    /// <summary>The given number of samples of 1 ms of each cause; the empty cause is own code.</summary>
    private static CauseTimes Times(params ReadOnlySpan<(string Cause, int Samples)> parts)
    {
        var times = new CauseTimes { TicksPerSecond = 1000 };
        foreach (var (cause, samples) in parts)
        {
            for (var sample = 0; sample < samples; sample++)
                times.Add(cause.Length > 0 ? CauseCatalog.IndexOf(cause) : -1, 1);
        }

        return times;
    }

    private static string Printed(ReportFormat format, bool withInstructions)
    {
        var input = new TraceInput(["r1"], [], [], false, [], ["r1/perf.data"]);
        var cpu = new CpuResult
        {
            Query = new CpuQuery(CpuGrouping.Line, false, new RunFilter(), null) { WithInstructions = withInstructions },
            Rows = [],
            RowsTotal = 0,
            Processes = ["App 1"],
            Runs = 1,
            Samples = 40,
            CpuMs = 40,
            KernelSamples = null,
            NamedLeaves = 40,
            ManagedLeaves = 40,
            NamedManagedLeaves = 40,
            StubLeaves = 0,
            LeavesWithLine = 33,
            BrokenStacks = 0,
            ExpandedStacks = null,
            UnexpandedFrames = null,
            InlinedMethods = null,
            NamedInlinedMethods = null,
            RecoveredStacks = null,
            SymbolProblems = [],
        };
        MethodSource[] methods = [s_parse, s_changed];
        using var output = new StringWriter();
        ReportPrinter.Write(
            SourceReport.Build(
                input,
                AnalysisResult.OfFindings([]),
                cpu,
                withInstructions
                    ? methods
                    :
                    [
                        .. methods.Select(method =>
                            method with
                            {
                                Lines = [.. method.Lines.Select(line => line with { Instructions = [] })],
                            }
                        ),
                    ]
            ),
            format,
            output
        );
        return output.ToString();
    }
}
