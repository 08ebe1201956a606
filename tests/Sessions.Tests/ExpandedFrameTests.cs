using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>
/// Records code of difficult shapes twice: with inlining, where frames are expanded, and without, where they are physical. Each method of
/// the program has the same share of its part's samples in both.
/// </summary>
/// <remarks>
/// Shares are compared, not times: parts run in turn, so that a change of the machine's speed meets all of them. Bounds follow from the
/// numbers of samples: with 6 standard errors one of 100 comparisons fails by chance in one of 5 million runs. To them comes what the calls
/// cost that only one of the programs makes (<see cref="CallShare"/>).
/// </remarks>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ExpandedFrameTests : IDisposable
{
    private const int SampleRateHz = 10_000;
    private const double StandardErrors = 6;

    /// <summary>
    /// Share of a part that the calls take which only the program without inlining makes: a call on a processor that two threads share, 9
    /// ns against 2 µs of work.
    /// </summary>
    private const double CallShare = 0.005;

    /// <summary>Methods with a smaller share of exclusive samples are compared by their inclusive samples only.</summary>
    private const double MinExclusive = 0.05;
    private const double ExclusiveError = 0.1;

    /// <summary>Methods that begin a part, and the begin of their names' end: a state machine has a number.</summary>
    private static readonly string[] s_parts =
    [
        "InlinedShapes.Recursion",
        "InlinedShapes.Generics",
        "InlinedShapes.Structs",
        "InlinedShapes.Setters",
        "InlinedShapes+<Async>d__",
        "InlinedShapes.Lambdas",
        "InlinedShapes.TailCalls",
        "InlinedShapes.Arguments",
        "InlinedShapes.Finally",
    ];

    private readonly string _root = Directory.CreateTempSubdirectory("esp-frames-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Expanded_frames_agree_with_physical_ones()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        var (expanded, check) = await RecordAsync("inlined", PerfRecordingFixture.Command("frames"));
        var (physical, _) = await RecordAsync("physical", PerfRecordingFixture.Of("TestProgramNotInlined"));

        Assert.Equal(
            (0, 0),
            (check.Counts[CallTreeEdge.ToInlined].ImpossibleEdges, check.Counts[CallTreeEdge.FromInlined].ImpossibleEdges)
        );
        Assert.True(check.Counts[CallTreeEdge.ToInlined].Edges > 20, $"{check.Counts[CallTreeEdge.ToInlined]}");
        Assert.DoesNotContain(physical, row => row.IsInlined && row.Name.StartsWith("InlinedShapes", StringComparison.Ordinal));
        var wrong = new List<string>();
        foreach (var part in s_parts)
        {
            var (mine, truth) = (Under(expanded, part), Under(physical, part));
            var (all, allTruth) = (mine.Samples, truth.Samples);
            Assert.True(all > 100 && allTruth > 100, $"{part}: {all} and {allTruth} samples");
            foreach (var method in mine.Methods.Keys.Union(truth.Methods.Keys))
            {
                var (a, b) = (mine.Methods.GetValueOrDefault(method), truth.Methods.GetValueOrDefault(method));
                Compare("inclusive", method, a.Inclusive, b.Inclusive, CallShare);
                if (b.Exclusive > MinExclusive * allTruth)
                    Compare("exclusive", method, a.Exclusive, b.Exclusive, ExclusiveError * b.Exclusive / allTruth);
            }

            void Compare(string what, string method, long samples, long truthSamples, double allowance)
            {
                var (share, truthShare, mean) = (
                    (double)samples / all,
                    (double)truthSamples / allTruth,
                    (double)(samples + truthSamples) / (all + allTruth)
                );
                var error = StandardErrors * Math.Sqrt(mean * (1 - mean) * (1.0 / all + 1.0 / allTruth));
                if (Math.Abs(share - truthShare) > error + allowance)
                    wrong.Add(
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"{part}: {what} {method} {share:P1} of {all}, in truth {truthShare:P1} of {allTruth} samples (± {error + allowance:P1})"
                        )
                    );
            }
        }

        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    private async Task<(IReadOnlyList<CallTreeRow> Tree, CallTreeCheck Check)> RecordAsync(string name, string[] command)
    {
        using var output = new StringWriter();

        // With one tier both programs run their final code from the start, however loaded the machine is.
        var variables = new Dictionary<string, string> { ["DOTNET_TieredCompilation"] = "0" };
        var root = Directory.CreateDirectory(Path.Combine(_root, name)).FullName;
        var recorded = await BothHalves.RecordAsync(
            root,
            PerfEventPlan.Create(PerfEventScope.Launch, SampleRateHz),
            inlineInfo: true,
            output,
            variables,
            command
        );
        var input = TraceInputReader.Open([recorded.Folder]);
        var modules = new ModulePaths();
        TraceReading.Read(input.Processes.SelectMany(process => process.Requests(modules)));
        var query = new CpuQuery(CpuGrouping.Method, true, new RunFilter(), null)
        {
            Tree = new CallTreeQuery(0, CallTreeQuery.Deepest, null),
        };
        var tree = CpuAnalysis.Run(input.Processes, RunAnalysis.Run(input.Processes, []).Runs, query, SymbolFiles.Of(input)).Tree!;
        using var calls = new CallIndex(modules.Paths);
        var check = new CallTreeCheck(calls);
        check.Add(
            tree.Select(row => (row.Depth, row.Module, row.Kind == CodeKind.Managed ? row.Name : "", row.IsInlined, row.InclusiveSamples))
        );
        return (tree, check);
    }

    /// <summary>The samples of a part, and those of each of the program's methods in it; inclusive ones once a stack.</summary>
    private static (long Samples, Dictionary<string, (long Inclusive, long Exclusive)> Methods) Under(
        IReadOnlyList<CallTreeRow> tree,
        string part
    )
    {
        var all = 0L;
        var methods = new Dictionary<string, (long Inclusive, long Exclusive)>();
        var path = new List<string>();
        foreach (var row in tree)
        {
            path.RemoveRange(row.Depth, path.Count - row.Depth);
            var isIn = path.Exists(name => name.StartsWith(part, StringComparison.Ordinal));
            var begins = !isIn && row.Name.StartsWith(part, StringComparison.Ordinal);
            if (begins)
                all += row.InclusiveSamples;
            if ((isIn || begins) && row.Name.StartsWith("InlinedShapes", StringComparison.Ordinal))
            {
                var (inclusive, exclusive) = methods.GetValueOrDefault(row.Name);
                methods[row.Name] = (inclusive + (path.Contains(row.Name) ? 0 : row.InclusiveSamples), exclusive + row.Samples);
            }

            path.Add(row.Name);
        }

        return (all, methods);
    }
}
