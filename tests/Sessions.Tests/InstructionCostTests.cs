using System.Globalization;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.JitDumps;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Instructions;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>
/// Records the lines of known cost (KnownLineCosts) with the code's bytes: the instructions of a line have its cost, and samples lie on
/// instructions.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed partial class InstructionCostTests : IDisposable
{
    /// <summary>Share of a loop's line that its body has at least: the rest is what stands before the loop.</summary>
    private const double MinShareOfLoop = 0.9;

    private readonly string _root = Directory.CreateTempSubdirectory("esp-instructions-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Instructions_have_the_cost_of_their_line()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        var folder = Path.Combine(_root, "recording");
        var variables = RuntimeVariables
            .CreateForCode(folder, _ => null)
            .ToDictionary(variable => variable.Name, variable => variable.Value);
        using var output = new StringWriter();
        var recorded = await BothHalves.RecordAsync(
            _root,
            PerfEventPlan.Create(PerfEventScope.Launch, 5_000),
            inlineInfo: true,
            output,
            variables,
            PerfRecordingFixture.Of("TestProgram", "lines")
        );
        var input = TraceInputReader.Open([recorded.Folder]);
        var process = Assert.Single(input.Processes);
        var path = Path.Combine(recorded.Folder, JitDump.FileNameOf(process.ProcessId));
        var dump = JitDump.Read(path);
        Assert.Null(dump.Damage);

        var (rows, costs) = Read(input);
        LinesHaveTheCostsOfTheirInstructions(rows, costs);
        LinesThatOnlyCallHaveInstructions(rows, costs);
        LoopsHaveTheirCostInTheirBody(rows, costs);
        Assert.Empty(costs.Problems);
        SamplesLieOnInstructionsOfWholeMethods(process, dump);

        // Nothing else of the analysis depends on the dump.
        var bytes = File.ReadAllBytes(path);
        File.Delete(path);
        var (without, missing) = Read(TraceInputReader.Open([recorded.Folder]));
        Assert.Equal(rows, without);
        var hot = HotLine(rows, "// cost 4");
        Assert.Empty(missing.CodeOf("KnownLineCosts.Loops", hot));
        Assert.NotEmpty(missing.IlOf("KnownLineCosts.Loops", hot));
        Assert.Contains(
            "the code's bytes were not recorded; record with --code",
            Assert.Single(missing.Problems),
            StringComparison.Ordinal
        );
        DamagedDumpsAreNoCrash(recorded.Folder, path, bytes, rows);
    }

    private static (List<CpuRow> Rows, InstructionCosts Costs) Read(TraceInput input)
    {
        var files = SymbolFiles.Of(input);
        var result = CpuAnalysis.Run(
            input.Processes,
            RunAnalysis.Run(input.Processes, []).Runs,
            new CpuQuery(CpuGrouping.Line, false, new RunFilter(), null) { WithInstructions = true },
            files
        );

        // Rows are compared by their values, which causes are not.
        return ([.. result.Rows.Select(row => row with { Causes = null })], result.Instructions!);
    }

    private static void LinesHaveTheCostsOfTheirInstructions(List<CpuRow> rows, InstructionCosts costs)
    {
        var lines = rows.Where(row => row.Line is not null && row.Samples > 0).GroupBy(row => (row.Name, Line: row.Line!)).ToList();
        Assert.True(lines.Count >= 3, $"{lines.Count} lines");
        foreach (var line in lines)
        {
            foreach (
                var instructions in (IReadOnlyList<CostedInstruction>[])
                    [costs.IlOf(line.Key.Name, line.Key.Line), costs.CodeOf(line.Key.Name, line.Key.Line)]
            )
            {
                Assert.Equal(line.Sum(row => row.Samples), instructions.Sum(instruction => instruction.Samples));
                Assert.Equal(line.Sum(row => row.CpuMs), instructions.Sum(instruction => instruction.CpuMs), 1e-6);
            }
        }
    }

    /// <summary>A line that only calls has no samples of its own.</summary>
    private static void LinesThatOnlyCallHaveInstructions(List<CpuRow> rows, InstructionCosts costs)
    {
        var lines = rows.Where(row => row is { Name: "KnownLineCosts.Round", Line: not null })
            .GroupBy(row => row.Line!)
            .Where(line => line.All(row => row.Samples == 0))
            .Select(line => line.Key)
            .ToList();
        Assert.True(lines.Count >= 3, $"{lines.Count} lines");
        Assert.All(
            lines,
            line =>
                Assert.Contains(
                    costs.IlOf("KnownLineCosts.Round", line),
                    instruction => instruction.Text.StartsWith("call", StringComparison.Ordinal)
                )
        );
        Assert.Contains(
            lines,
            line =>
                costs.CodeOf("KnownLineCosts.Round", line).Any(instruction => instruction.Text.StartsWith("call", StringComparison.Ordinal))
        );
    }

    private static void LoopsHaveTheirCostInTheirBody(List<CpuRow> rows, InstructionCosts costs)
    {
        var line = HotLine(rows, "// cost 4");
        var il = costs.IlOf("KnownLineCosts.Loops", line);
        var all = il.Sum(instruction => instruction.Samples);
        var multiplied = il.TakeWhile(instruction => instruction.Text != "mul").Count();
        var ofBody = il.Take(multiplied).Sum(instruction => instruction.Samples); // the statement that multiplies begins before it
        Assert.True(ofBody >= MinShareOfLoop * all, $"{ofBody} of {all} samples are of the statement that multiplies");
        Assert.Contains(il, instruction => instruction.Text == "ldc.i4 1664525");

        var inBodies = 0L;
        foreach (var piece in costs.CodeOf("KnownLineCosts.Loops", line).GroupBy(instruction => instruction.Start))
        {
            Assert.Contains(piece, instruction => instruction.Text.StartsWith("imul", StringComparison.Ordinal));
            foreach (var instruction in piece)
            {
                if (
                    BackwardJump().Match(instruction.Text) is { Success: true } jump
                    && long.Parse(jump.Groups[1].ValueSpan, NumberStyles.HexNumber, CultureInfo.InvariantCulture) is var to
                    && to < instruction.Offset
                )
                    inBodies += piece.Where(other => other.Offset >= to && other.Offset <= instruction.Offset).Sum(other => other.Samples);
            }
        }

        Assert.True(inBodies >= MinShareOfLoop * all, $"{inBodies} of {all} samples lie in the loop's body");
    }

    /// <summary>An interrupted instruction's address is one at which an instruction begins, if the bytes are those that ran.</summary>
    private static void SamplesLieOnInstructionsOfWholeMethods(TracedProcess process, JitDump dump)
    {
        var bytes = File.ReadAllBytes(dump.Path);
        var starts = new Dictionary<ulong, HashSet<ulong>>();
        foreach (var code in dump.Codes.Where(code => code.Name.Contains("[TestProgram] KnownLineCosts", StringComparison.Ordinal)))
        {
            var instructions = Disassembler.Read(bytes.AsSpan((int)code.BytesAt, (int)code.Size).ToArray(), code.Start, _ => null);
            Assert.DoesNotContain(instructions, instruction => instruction.Text.StartsWith("db ", StringComparison.Ordinal));
            Assert.Equal(
                code.Size,
                instructions.Aggregate(
                    0u,
                    (at, instruction) =>
                    {
                        Assert.Equal(at, instruction.Offset);
                        return at + instruction.Length;
                    }
                )
            );
            starts[code.Start] = [.. instructions.Select(instruction => code.Start + instruction.Offset)];
        }

        var leaves = new Leaves();
        TraceReading.Read(process.Requests(leaves));
        var ordered = starts.Keys.Order().ToList();
        var sizes = dump.Codes.ToLookup(code => code.Start, code => code.Size);
        var (on, off) = (0, 0);
        foreach (var address in leaves.Addresses)
        {
            var at = ordered.BinarySearch(address);
            at = at >= 0 ? at : ~at - 1;
            if (at < 0 || address - ordered[at] >= sizes[ordered[at]].Max())
                continue;
            if (starts[ordered[at]].Contains(address))
                on++;
            else
                off++;
        }

        Assert.True(on > 500 && off == 0, $"{on} samples lie on instructions, {off} between");
    }

    private static void DamagedDumpsAreNoCrash(string folder, string path, byte[] bytes, List<CpuRow> rows)
    {
        var hot = HotLine(rows, "// cost 4");
        var random = new Random(1);
        for (var round = 0; round < 6; round++)
        {
            var damaged = round % 2 == 0 ? bytes[..random.Next(bytes.Length)] : (byte[])bytes.Clone();
            for (var change = 0; change < 200 && damaged.Length > 0; change++)
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            File.WriteAllBytes(path, damaged);
            var (read, costs) = Read(TraceInputReader.Open([folder]));
            Assert.Equal(rows, read);
            foreach (var piece in costs.CodeOf("KnownLineCosts.Loops", hot).GroupBy(instruction => instruction.Start))
                Assert.Equal(piece.Select(instruction => instruction.Offset).Order(), piece.Select(instruction => instruction.Offset));
            Assert.NotNull(costs.Problems);
        }
    }

    private static SourceLine HotLine(List<CpuRow> rows, string end)
    {
        var texts = File.ReadAllLines(Path.Combine(TestFiles.Root, "tests", "TestProgram", "KnownLineCosts.cs"));
        return rows.First(row =>
            row.Name == "KnownLineCosts.Loops" && row.Line is { } line && texts[line.Line - 1].EndsWith(end, StringComparison.Ordinal)
        ).Line!;
    }

    [GeneratedRegex(@"^j\w+ \+0x([0-9a-f]+)$")]
    private static partial Regex BackwardJump();

    private sealed class Leaves : IEventSubscriber
    {
        public List<ulong> Addresses { get; } = [];

        public void Subscribe(EventHub hub) =>
            hub.Subscribe<CpuSample>(
                (in CpuSample sample) =>
                {
                    if (sample is { IsKernel: false, Frames.Length: > 0 })
                        Addresses.Add(sample.CodeAddress(0));
                }
            );
    }
}
