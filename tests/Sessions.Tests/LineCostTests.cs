using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Profiles;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>
/// Records a program whose source states the cost of each line, with inlining and without: the lines of the samples have these costs.
/// </summary>
/// <remarks>
/// The bound follows from the number of samples: with 6 standard errors one of 40 comparisons fails by chance in one of 12 million runs.
/// The cost of loops, random lengths and other instructions of a line adds to it.
/// </remarks>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class LineCostTests : IDisposable
{
    private const int SampleRateHz = 5_000;
    private const double StandardErrors = 6;

    /// <summary>Share of the run that a line may differ by, in addition to chance.</summary>
    private const double Allowance = 0.02;

    private const string NotInlined = "TestProgramNotInlined";

    /// <summary>
    /// For code replaced on the stack, the caller is omitted where stack words of an earlier call make two callers possible.
    /// </summary>
    private const string ReplacedLoops = nameof(CodeTier.Tier1Osr);

    /// <summary>Lines that may lack samples for it: one on .NET 10, a property's; two on .NET 9.</summary>
    private const int MaxWithoutCaller = 2;

    private readonly string _root = Directory.CreateTempSubdirectory("esp-lines-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Theory]
    [InlineData("TestProgram")]
    [InlineData(NotInlined)]
    public async Task Lines_have_the_cost_that_the_source_says(string program) =>
        await CompareAsync(
            PerfRecordingFixture.Of(program, "lines"),
            isNotInlined: program == NotInlined,
            program == NotInlined ? [] : new() { ["DOTNET_TC_CallCountingDelayMs"] = "0" }, // else half of the run has nothing inlined yet
            tier: null
        );

    /// <summary>Methods are not promoted by their number of calls, only by loops: by on-stack replacement at once, or never.</summary>
    /// <remarks>
    /// Without the JIT's counters, in which tier 0 spends four fifths of its time otherwise: how the samples divide between a loop and its
    /// counters depends on addresses, and one line had 2.3 times its share of the loops' samples.
    /// </remarks>
    [Theory]
    [InlineData("1", ReplacedLoops)]
    [InlineData("7FFFFFFF", nameof(CodeTier.Tier0))]
    public async Task Lines_of_one_tier_have_the_cost_that_the_source_says(string loopsUntilReplaced, string tier)
    {
        var variables = new Dictionary<string, string>
        {
            ["DOTNET_TC_CallCounting"] = "0",
            ["DOTNET_TieredPGO"] = "0",
            ["DOTNET_TC_OnStackReplacement_InitialCounter"] = loopsUntilReplaced,
            ["DOTNET_OSR_HitLimit"] = loopsUntilReplaced,
        };
        await CompareAsync(PerfRecordingFixture.Command("lines"), isNotInlined: true, variables, tier);
    }

    /// <summary>
    /// Without tiers the JIT does not recompile precompiled code. The runtime writes no maps of such code: its lines are those of the file.
    /// </summary>
    [Fact]
    public async Task Lines_of_precompiled_code_have_the_cost_that_the_source_says()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        await CompareAsync(
            [await PublishAsync(), "lines"],
            isNotInlined: true,
            new() { ["DOTNET_TieredCompilation"] = "0" },
            nameof(CodeTier.ReadyToRun)
        );
    }

    /// <param name="command">The program and its mode.</param>
    /// <param name="isNotInlined">Whether its code has no inlined methods.</param>
    /// <param name="variables">Variables for its runtime.</param>
    /// <param name="tier">Tier of the samples in its loops; null for several.</param>
    private async Task CompareAsync(string[] command, bool isNotInlined, Dictionary<string, string> variables, string? tier)
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        using var output = new StringWriter();
        var recorded = await BothHalves.RecordAsync(
            _root,
            PerfEventPlan.Create(PerfEventScope.Launch, SampleRateHz),
            inlineInfo: true,
            output,
            variables,
            command
        );
        var input = TraceInputReader.Open([recorded.Folder]);
        var query = new CpuQuery(CpuGrouping.Line, true, new RunFilter(), null)
        {
            Tree = new CallTreeQuery(0, CallTreeQuery.Deepest, null),
        };
        var files = SymbolFiles.Of(input);
        var result = CpuAnalysis.Run(input.Processes, RunAnalysis.Run(input.Processes, []).Runs, query, files);

        if (tier is not null)
        {
            var loops = result.Rows.Where(row => row is { Name: "KnownLineCosts.Loops", Samples: > 0 }).ToList();
            Assert.Contains(loops, row => row.Tiers.Contains(tier, StringComparison.Ordinal));
            // A loop begins before it is replaced.
            Assert.All(loops, row => Assert.True(row.Tiers == tier || tier == ReplacedLoops, row.ToString()));
            var (inLoops, withCalled) = (loops.Sum(row => row.Samples), loops.Sum(row => row.InclusiveSamples));
            Assert.True(tier == ReplacedLoops || inLoops > 0.9 * withCalled, $"{inLoops} of {withCalled} samples are the loops' own");
        }

        var check = new LineCostCheck(
            result.Tree!.Select(row => (row.Depth, row.Name, row.Line?.File ?? "", row.Line?.Line ?? 0, row.Samples))
        );
        var lines = check.Lines;
        var file = Path.GetFileName(command[0]) + ".dll";
        var (wrong, withoutCaller) = (new List<string>(), 0);
        foreach (var (line, expected, orNone, share) in lines)
        {
            var bound = StandardErrors * Math.Sqrt(expected * (1 - expected) / check.Samples) + Allowance;
            var isLow = share < expected - bound && !(orNone && isNotInlined);
            if (isLow && tier == ReplacedLoops)
                withoutCaller++;
            else if (isLow || share > expected + bound)
                wrong.Add(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"line {line}: {share:P1} of {check.Samples} samples, expected {expected:P1}"
                    )
                );
        }

        Assert.Equal(15, lines.Count);
        Assert.InRange(withoutCaller, 0, MaxWithoutCaller);
        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
        var own = result.Rows.Where(row => row.Module == file).ToLookup(row => row.Line is not null, row => row.Samples);
        Assert.True(
            own[true].Sum() > 0.95 * own.Sum(rows => rows.Sum()),
            $"{own[true].Sum()} samples of the program have a line, {own[false].Sum()} have none"
        );
        SourceHasTheCosts(result, files);
        ExportsHaveTheLines(input);
    }

    /// <summary>Publishes the program without inlining as users do; skips the test where the compiler's package is unavailable.</summary>
    /// <returns>The program.</returns>
    private async Task<string> PublishAsync()
    {
        var folder = Path.Combine(_root, "published");
        string[] build =
        [
            "publish",
            Path.Combine(TestFiles.Root, "tests", NotInlined),
            "--use-current-runtime",
            "--self-contained",
            "false",
            "-p:PublishReadyToRun=true",
            "-nologo",
            "-nodeReuse:false",
            "-tl:off",
        ];
        string[] places = ["-o", folder, "--artifacts-path", Path.Combine(_root, "artifacts")];
        using var process = Process.Start(new ProcessStartInfo("dotnet", [.. build, .. places]) { RedirectStandardOutput = true })!;
        var said = await process
            .StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken)
            .WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.SkipWhen(
            process.ExitCode != 0
                && (said.Contains("NU1101", StringComparison.Ordinal) || said.Contains("NU1301", StringComparison.Ordinal)),
            said
        );
        Assert.True(process.ExitCode == 0, said);
        return Path.Combine(folder, NotInlined);
    }

    private static void SourceHasTheCosts(CpuResult result, SymbolFiles files)
    {
        var loops = Assert.Single(MethodSource.Of(LineCost.Of(result.Rows), NamePattern.List("KnownLineCosts.Loops"), null, files));
        Assert.Equal("", loops.Problem);
        var (few, many) = (
            loops.Lines.Single(line => line.Text.EndsWith("// cost 1", StringComparison.Ordinal)),
            loops.Lines.Single(line => line.Text.EndsWith("// cost 4", StringComparison.Ordinal))
        );
        Assert.True(many.CpuMs > few.CpuMs && few.CpuMs > 0, $"{few} and {many}");
        Assert.Equal(loops.Lines.Select(line => line.Line).Order(), loops.Lines.Select(line => line.Line));
        Assert.Equal(result.Rows.Where(row => row.Name == "KnownLineCosts.Loops").Sum(row => row.CpuMs), loops.CpuMs, 0.001);
        Assert.NotEmpty(MethodSource.Of(LineCost.Of(result.Rows), NamePattern.List("KnownLineCosts.cs"), 1, files));
        Assert.Empty(MethodSource.Of(LineCost.Of(result.Rows), NamePattern.List("nothing of it"), null, files));
    }

    private static void ExportsHaveTheLines(TraceInput input)
    {
        using var speedscope = Export(input, ProfileFormat.Speedscope);
        Assert.Contains(
            speedscope.RootElement.GetProperty("shared").GetProperty("frames").EnumerateArray(),
            frame =>
                frame.GetProperty("name").GetString() == "KnownLineCosts.Loops"
                && frame.TryGetProperty("line", out var line)
                && line.GetInt32() > 1
                && frame.GetProperty("file").GetString()!.EndsWith("KnownLineCosts.cs", StringComparison.Ordinal)
        );

        using var firefox = Export(input, ProfileFormat.Firefox);
        var lines = firefox
            .RootElement.GetProperty("threads")
            .EnumerateArray()
            .SelectMany(thread =>
            {
                string[] strings = [.. thread.GetProperty("stringArray").EnumerateArray().Select(text => text.GetString()!)];
                var (frames, functions) = (thread.GetProperty("frameTable"), thread.GetProperty("funcTable"));
                return frames
                    .GetProperty("func")
                    .EnumerateArray()
                    .Zip(frames.GetProperty("line").EnumerateArray())
                    .Where(frame => frame.Second.ValueKind == JsonValueKind.Number)
                    .Select(frame =>
                        (
                            Name: strings[functions.GetProperty("name")[frame.First.GetInt32()].GetInt32()],
                            File: strings[functions.GetProperty("fileName")[frame.First.GetInt32()].GetInt32()],
                            Line: frame.Second.GetInt32(),
                            Function: frame.First.GetInt32()
                        )
                    );
            })
            .Where(frame => frame.Name == "KnownLineCosts.Loops")
            .ToList();
        Assert.All(lines, frame => Assert.EndsWith("KnownLineCosts.cs", frame.File, StringComparison.Ordinal));
        Assert.True(
            lines.Select(frame => frame.Line).Distinct().Count() > 1 && lines.Select(frame => frame.Function).Distinct().Count() == 1,
            string.Join(", ", lines)
        );
    }

    private static JsonDocument Export(TraceInput input, ProfileFormat format)
    {
        using var stream = new MemoryStream();
        ProfileExporter.Write(
            ProfileExporter.Read(input, new ProfileExportOptions(format, null) { WithLines = true }, "lines"),
            format,
            stream
        );
        return JsonDocument.Parse(stream.ToArray());
    }
}
