using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Profiles;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Records a program whose source says what each of its lines costs, with inlining and without: the lines of the samples have these costs.</summary>
/// <remarks>The bound follows from the number of samples: with 6 standard errors one of 40 comparisons fails by chance in one of 12 million runs. To them comes what loops, random lengths and the odd other instruction of a line cost.</remarks>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed partial class LineTruthTests : IDisposable
{
    private const int SampleRateHz = 5_000;
    private const double StandardErrors = 6;

    /// <summary>Share of the run that a line may differ by, besides chance.</summary>
    private const double Allowance = 0.02;

    private const string NotInlined = "TestProgramNotInlined";

    private readonly string _root = Directory.CreateTempSubdirectory("esp-lines-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Theory]
    [InlineData("TestProgram")]
    [InlineData(NotInlined)]
    public async Task Lines_have_the_cost_that_the_source_says(string program)
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        using var output = new StringWriter();
        var recorded = await BothHalves.RecordAsync(_root, PerfEventPlan.Create(PerfEventScope.Launch, SampleRateHz), inlineInfo: true, output, new Dictionary<string, string>(), PerfRecordingFixture.Of(program, "lines"));
        var input = TraceInputReader.Open([recorded.Folder]);
        var query = new CpuQuery(CpuGrouping.Line, true, new RunFilter(), null) { Tree = new CallTreeQuery(0, CallTreeQuery.Deepest, null) };
        var files = SymbolFiles.Of(input);
        var result = CpuAnalysis.Run(input.Processes, RunAnalysis.Run(input.Processes, []).Runs, query, files);

        var (samples, all) = Inclusive(result.Tree!);
        var costs = File.ReadLines(Path.Combine(TestFiles.Root, "tests", "TestProgram", "LineTruth.cs")).Select((text, index) => (Line: index + 1, Cost: CostOf().Match(text))).Where(item => item.Cost.Success)
            .Select(item => (item.Line, Cost: int.Parse(item.Cost.Groups[1].ValueSpan, CultureInfo.InvariantCulture), OrNone: item.Cost.Groups[2].Success && program == NotInlined)).ToList();

        // The lines of Outer and Inner lie below those of Sums.
        const double Parts = 36;
        var wrong = new List<string>();
        foreach (var (line, cost, orNone) in costs)
        {
            var (share, truth) = (samples.GetValueOrDefault(line) / (double)all, cost / Parts);
            var bound = StandardErrors * Math.Sqrt(truth * (1 - truth) / all) + Allowance;
            if (share > truth + bound || (share < truth - bound && !orNone))
                wrong.Add(string.Create(CultureInfo.InvariantCulture, $"line {line}: {share:P1} of {all} samples, in truth {truth:P1}"));
        }

        Assert.Equal(15, costs.Count);
        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
        Assert.True(result.LinePercent > 95, $"{result.LinePercent} % of the managed leaf frames have a line");
        SourceHasTheCosts(result, files);
        ExportsHaveTheLines(input);
    }

    private static void SourceHasTheCosts(CpuResult result, SymbolFiles files)
    {
        var loops = Assert.Single(MethodSource.Of(LineCost.Of(result.Rows), NamePattern.List("LineTruth.Loops"), null, files));
        Assert.Equal("", loops.Problem);
        var (few, many) = (loops.Lines.Single(line => line.Text.EndsWith("// cost 1", StringComparison.Ordinal)), loops.Lines.Single(line => line.Text.EndsWith("// cost 4", StringComparison.Ordinal)));
        Assert.True(many.CpuMs > few.CpuMs && few.CpuMs > 0, $"{few} and {many}");
        Assert.Equal(loops.Lines.Select(line => line.Line).Order(), loops.Lines.Select(line => line.Line));
        Assert.Equal(result.Rows.Where(row => row.Name == "LineTruth.Loops").Sum(row => row.CpuMs), loops.CpuMs, 0.001);
        Assert.NotEmpty(MethodSource.Of(LineCost.Of(result.Rows), NamePattern.List("LineTruth.cs"), 1, files));
        Assert.Empty(MethodSource.Of(LineCost.Of(result.Rows), NamePattern.List("nothing of it"), null, files));
    }

    private static void ExportsHaveTheLines(TraceInput input)
    {
        using var speedscope = Export(input, ProfileFormat.Speedscope);
        Assert.Contains(speedscope.RootElement.GetProperty("shared").GetProperty("frames").EnumerateArray(), frame =>
            frame.GetProperty("name").GetString() == "LineTruth.Loops" && frame.TryGetProperty("line", out var line) && line.GetInt32() > 1 && frame.GetProperty("file").GetString()!.EndsWith("LineTruth.cs", StringComparison.Ordinal));

        using var firefox = Export(input, ProfileFormat.Firefox);
        var lines = firefox.RootElement.GetProperty("threads").EnumerateArray().SelectMany(thread =>
        {
            string[] strings = [.. thread.GetProperty("stringArray").EnumerateArray().Select(text => text.GetString()!)];
            var (frames, functions) = (thread.GetProperty("frameTable"), thread.GetProperty("funcTable"));
            return frames.GetProperty("func").EnumerateArray().Zip(frames.GetProperty("line").EnumerateArray()).Where(frame => frame.Second.ValueKind == JsonValueKind.Number)
                .Select(frame => (Name: strings[functions.GetProperty("name")[frame.First.GetInt32()].GetInt32()], File: strings[functions.GetProperty("fileName")[frame.First.GetInt32()].GetInt32()], Line: frame.Second.GetInt32(), Function: frame.First.GetInt32()));
        }).Where(frame => frame.Name == "LineTruth.Loops").ToList();
        Assert.All(lines, frame => Assert.EndsWith("LineTruth.cs", frame.File, StringComparison.Ordinal));
        Assert.True(lines.Select(frame => frame.Line).Distinct().Count() > 1 && lines.Select(frame => frame.Function).Distinct().Count() == 1, string.Join(", ", lines));
    }

    private static JsonDocument Export(TraceInput input, ProfileFormat format)
    {
        using var stream = new MemoryStream();
        ProfileExporter.Write(ProfileExporter.Read(input, new ProfileExportOptions(format, null) { WithLines = true }, "lines"), format, stream);
        return JsonDocument.Parse(stream.ToArray());
    }

    [GeneratedRegex(@"// cost (\d+)( or none)?$")]
    private static partial Regex CostOf();

    /// <summary>Samples by line of the program, once a stack, and those of all its lines.</summary>
    private static (Dictionary<int, long> ByLine, long All) Inclusive(IReadOnlyList<CallTreeRow> tree)
    {
        var byLine = new Dictionary<int, long>();
        var all = 0L;
        var path = new List<(string Name, int Line)>();
        foreach (var row in tree)
        {
            path.RemoveRange(row.Depth, path.Count - row.Depth);
            var line = row.Line is { } known && known.File.EndsWith("LineTruth.cs", StringComparison.Ordinal) ? known.Line : 0;
            if (line > 0 && !path.Exists(frame => frame.Line == line))
                byLine[line] = byLine.GetValueOrDefault(line) + row.InclusiveSamples;
            if (row.Name.StartsWith("LineTruth", StringComparison.Ordinal) && !path.Exists(frame => frame.Name.StartsWith("LineTruth", StringComparison.Ordinal)))
                all += row.InclusiveSamples;
            path.Add((row.Name, line));
        }

        return (byLine, all);
    }
}
