using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>The report of source lines and their instructions, of made-up costs. Sessions.Tests compares those of a recorded program with the truth.</summary>
public sealed class SourceReportTests
{
    private const ulong First = 0x7F00_0000_1000, Second = 0x7F00_0000_2000;

    private static readonly MethodSource s_parse = new(
        "App.Parser.Parse", "/src/Parser.cs",
        [
            new CostedLine(10, "\tpublic int Parse()", 0, 0, 0, 0),
            new CostedLine(11, "\t\twhile (_at < _end) _sum += Next();", 30, 30, 6, 50)
            {
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
        "");

    private static readonly MethodSource s_changed = new("App.Query.Run", "/src/Query.cs", [new CostedLine(7, "", 3, 3, 0, 4) { Instructions = [new(InstructionKind.Il, "App.Query.Run", 0, 0, "ldarg.1", 3, 3)] }], "/src/Query.cs was changed since the program was built");

    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Markdown)]
    [InlineData(ReportFormat.Csv)]
    [InlineData(ReportFormat.Json)]
    public void Instructions_stand_below_their_line(ReportFormat format) => Snapshot.Matches("Reports.Tests", $"source-instructions-{format}".ToLowerInvariant(), Printed(format, withInstructions: true));

    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Csv)]
    public void Lines_alone_have_no_columns_of_instructions(ReportFormat format) => Snapshot.Matches("Reports.Tests", $"source-{format}".ToLowerInvariant(), Printed(format, withInstructions: false));

    [Fact]
    public void Rows_of_a_kind_add_up_to_their_line()
    {
        using var document = JsonDocument.Parse(Printed(ReportFormat.Json, withInstructions: true));
        var rows = document.RootElement.GetProperty("rows").EnumerateArray().Where(row => row.GetProperty("method").GetString() == "App.Parser.Parse").ToList();

        Assert.Equal(30, SamplesOf("line"));
        Assert.Equal(30, SamplesOf("il"));
        Assert.Equal(30, SamplesOf("asm"));
        Assert.Equal("0x7f0000001040", rows.First(row => row.GetProperty("kind").GetString() == "asm").GetProperty("address").GetString());

        long SamplesOf(string kind) => rows.Where(row => row.GetProperty("kind").GetString() == kind).Sum(row => row.GetProperty("samples").GetInt64());
    }

    [Theory]
    [InlineData("X64", null)]
    [InlineData("", null)]
    [InlineData("Arm64", "no machine code: only x64 code is disassembled, and this was recorded on Arm64")]
    public void Code_of_another_processor_is_not_disassembled(string architecture, string? expected)
    {
        var recording = RecordingFile.Read(TestFiles.Recording);
        var input = new TraceInput(["r1"], [], [new InputRecording("", "r1", recording with { Host = recording.Host with { Architecture = architecture } })], false, [], []);

        Assert.Equal(expected, SourceReport.ProcessorProblem(input));
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
            NamedLeafs = 40,
            ManagedLeafs = 40,
            NamedManagedLeafs = 40,
            StubLeafs = 0,
            LeafsWithLine = 33,
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
            SourceReport.Build(input, AnalysisResult.OfFindings([]), cpu, withInstructions ? methods : [.. methods.Select(method => method with { Lines = [.. method.Lines.Select(line => line with { Instructions = [] })] })]),
            format, output);
        return output.ToString();
    }
}
