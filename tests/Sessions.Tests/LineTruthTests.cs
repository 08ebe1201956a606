using System.Globalization;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
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
        var result = CpuAnalysis.Run(input.Processes, RunAnalysis.Run(input.Processes, []).Runs, query, SymbolFiles.Of(input));

        var (samples, all) = Inclusive(result.Tree!);
        var file = result.Tree!.Select(row => row.Line?.File).OfType<string>().First(path => path.EndsWith("LineTruth.cs", StringComparison.Ordinal));
        var costs = File.ReadLines(file).Select((text, index) => (Line: index + 1, Cost: CostOf().Match(text))).Where(item => item.Cost.Success)
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
