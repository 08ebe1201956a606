using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>
/// Records a program that spends known shares of its time in methods that the JIT inlines, with and without what was inlined.
/// </summary>
/// <remarks>
/// What a part's frames cannot show, as measured: instructions of the loop itself (at most 1 % of the part), and samples whose leaf keeps
/// no frame pointer, which hides the loop with all that was inlined into it (1 % of the reflection part, 3 % of CreateInstance of a type
/// argument, 78 % of CreateInstance of a type, by frame pointers alone). The latter are counted in the recording itself: samples of the
/// part without the frame of its loop.
/// </remarks>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class InlinedFramesTests : IDisposable
{
    /// <summary>CPU time of each part.</summary>
    private const int PartMilliseconds = 600;

    /// <summary>Share of a part that is the loop's own.</summary>
    private const double LoopShare = 0.05;

    private readonly string _root = Directory.CreateTempSubdirectory("esp-inlined-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    /// <summary>
    /// With the types of what was inlined, as the suite is recorded, and without them, as programs of the user's own are: IL then names the
    /// methods.
    /// </summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Time_in_inlined_methods_is_theirs(bool inlineeTypes)
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        var (result, took) = await RecordAsync(inlineInfo: true, inlineeTypes);
        var all = Parts().Sum(part => Under(result, part.Outer).Samples);
        foreach (var part in Parts())
        {
            var seen = Under(result, part.Outer, part.Loop, part.Work);
            var share = took[part.Name] / took.Values.Sum();
            var (expected, error) = (share * all, Chance.OfShare(share, all) * all);
            Assert.InRange(seen.Samples, expected - error, expected + error);
            if (part.Work.Length == 0)
                continue;
            Assert.True(
                seen.InWork >= expected * (1 - LoopShare) - seen.Hidden - error && seen.InWork <= expected + error,
                $"{part.Name}: {seen} of {expected:0} ± {error:0}"
            );

            // Nothing but the inlined frames shows the method that was called.
            var called = Under(result, part.Outer, part.Loop, part.Called);
            Assert.True(
                called.InWork >= 0.8 * seen.InLoop,
                $"{part.Name}: {called.InWork} samples in {part.Called[0]}, {seen.InLoop} in the loop"
            );
            Assert.Contains(result.Tree!, row => row.IsInlined && row.Name == part.Called[0] && row.Module == "System.Private.CoreLib.dll");
        }

        Assert.True(result.ExpandedStacks > 0.25 * all, $"{result.ExpandedStacks} of {all} samples expanded");
        Assert.True(result.NamedInlinedPercent > 95, $"{result.NamedInlinedMethods} of {result.InlinedMethods} inlined methods named");
    }

    [Fact]
    public async Task Without_inline_trees_it_reads_as_their_callers()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        var (result, _) = await RecordAsync(inlineInfo: false);
        Assert.Null(result.ExpandedStacks);
        Assert.DoesNotContain(result.Tree!, row => row.IsInlined);
        foreach (var part in Parts().Where(part => part.Work.Length > 0))
        {
            var called = Under(result, part.Outer, part.Loop, part.Called);
            Assert.True(called.Samples > 0, part.Name);
            Assert.True(
                called.InWork <= 0.05 * called.Samples,
                $"{part.Name}: {called.InWork} of {called.Samples} samples in {part.Called[0]}"
            );
        }
    }

    private static (string Name, string Outer, string Loop, string[] Work, string[] Called)[] Parts()
    {
        const string Activator = "System.Activator.CreateInstance";
        const string Field = "System.Reflection.FieldInfo.SetValue";
        return
        [
            (
                "fields",
                "Inlining.SetFields",
                "Inlining.FieldLoop",
                [Field, "System.Reflection.RtFieldInfo.SetValue", "System.Reflection.FieldAccessor.SetValue"],
                [Field]
            ),
            (
                "type",
                "Inlining.CreateByType",
                "Inlining.TypeLoop",
                [Activator, "System.RuntimeType.CreateInstanceDefaultCtor"],
                [Activator]
            ),
            (
                "generic",
                "Inlining.CreateByArgument",
                "Inlining.ArgumentLoop",
                [Activator, "System.RuntimeType.CreateInstanceOfT"],
                [Activator]
            ),
            ("plain", "Inlining.Calculate", "Inlining.PlainLoop", [], []),
        ];
    }

    private async Task<(CpuResult Result, Dictionary<string, double> Took)> RecordAsync(bool inlineInfo, bool inlineeTypes = true)
    {
        using var output = new StringWriter();

        // Calls are counted from the first one on, so that the warm-up is over soon also on a loaded machine.
        var variables = new Dictionary<string, string> { ["DOTNET_TC_CallCountingDelayMs"] = "0" };
        var recorded = await BothHalves.RecordAsync(
            _root,
            output,
            variables,
            inlineInfo,
            ["inlining", PartMilliseconds.ToString(CultureInfo.InvariantCulture)],
            inlineeTypes
        );
        Assert.Equal(inlineInfo, recorded.Recording.Variables.Count > 0);
        var input = TraceInputReader.Open([recorded.Folder]);
        var runs = RunAnalysis.Run(input.Processes, []).Runs;
        var files = new SymbolFiles(
            recorded.Recording.Host.MachineName,
            recorded.Recording.StartedUtc,
            TimeSpan.FromMilliseconds(recorded.Recording.DurationMs)
        );
        var query = new CpuQuery(CpuGrouping.Method, true, new RunFilter(), null)
        {
            Tree = new CallTreeQuery(0, CallTreeQuery.Deepest, null),
        };
        var words = output.ToString().Split([' ', '\n', '\r'], StringSplitOptions.RemoveEmptyEntries);
        var took = words.Chunk(2).ToDictionary(pair => pair[0], pair => double.Parse(pair[1], CultureInfo.InvariantCulture) / 1e6);
        return (CpuAnalysis.Run(input.Processes, runs, query, files), took);
    }

    /// <summary>
    /// Counts the samples in and below a method of the program: all, those in its loop, those in some work it calls, and those in neither.
    /// </summary>
    private static Counts Under(CpuResult result, string outer, string loop = "", params string[] work)
    {
        var counts = new Counts(0, 0, 0, 0);
        var (outerDepth, loopDepth, workDepth) = (-1, -1, -1);
        foreach (var row in result.Tree!)
        {
            if (row.Depth <= outerDepth)
                outerDepth = loopDepth = workDepth = -1;
            if (row.Depth <= loopDepth)
                loopDepth = -1;
            if (row.Depth <= workDepth)
                workDepth = -1;
            if (outerDepth < 0 && row.Name == outer)
                (outerDepth, counts) = (
                    row.Depth,
                    counts with
                    {
                        Samples = counts.Samples + row.InclusiveSamples,
                        Hidden = counts.Hidden + row.InclusiveSamples,
                    }
                );
            if (outerDepth < 0)
                continue;
            if (loopDepth < 0 && row.Name == loop)
                (loopDepth, counts) = (
                    row.Depth,
                    counts with
                    {
                        InLoop = counts.InLoop + row.InclusiveSamples,
                        Hidden = counts.Hidden - (workDepth < 0 ? row.InclusiveSamples : 0),
                    }
                );
            if (workDepth < 0 && work.Contains(row.Name))
                (workDepth, counts) = (
                    row.Depth,
                    counts with
                    {
                        InWork = counts.InWork + row.InclusiveSamples,
                        Hidden = counts.Hidden - (loopDepth < 0 ? row.InclusiveSamples : 0),
                    }
                );
        }

        return counts;
    }

    private sealed record Counts(long Samples, long InLoop, long InWork, long Hidden);
}
