using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>
/// Records a parser that allocates strings in one method, with that method inlined and with it called: both reports name it as allocating
/// and as triggering the GCs.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class AllocationBlameTests : IDisposable
{
    private const string ReadString = "JsonParser+Reader.ReadString";

    /// <summary>Rounds of 0.78 MB: 4,500 samples, and 75 GCs with a budget of 4 MiB.</summary>
    private const string Rounds = "600";

    private const int SampleRateHz = 10_000;

    private readonly string _root = Directory.CreateTempSubdirectory("esp-blame-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task An_inlined_method_is_blamed_as_a_called_one()
    {
        var inlined = await RecordAsync("inlined", "TestProgram");
        var called = await RecordAsync("called", "TestProgramNotInlined");

        // Samples of a method are a share of all; the difference of two such shares has the errors of both.
        foreach (var method in inlined.Allocated.Keys.Union(called.Allocated.Keys))
        {
            var (mine, truth) = (inlined.Allocated.GetValueOrDefault(method), called.Allocated.GetValueOrDefault(method));
            var mean = (double)(mine + truth) / (inlined.Samples + called.Samples);
            var error = Math.Sqrt(2) * Chance.OfShare(mean, Math.Min(inlined.Samples, called.Samples));
            Assert.True(
                Math.Abs(((double)mine / inlined.Samples) - ((double)truth / called.Samples)) <= error,
                $"{method}: {mine} of {inlined.Samples} samples, in truth {truth} of {called.Samples}"
            );
        }

        foreach (var recorded in (Blame[])[inlined, called])
        {
            Assert.Equal(ReadString, recorded.Allocated.MaxBy(pair => pair.Value).Key);
            Assert.True(
                recorded.Allocated[ReadString] > 0.9 * recorded.Samples,
                $"{recorded.Allocated[ReadString]} of {recorded.Samples} samples"
            );
            var induced = Assert.Single(recorded.Triggers, row => row.Reason == GcReason.Induced);
            Assert.Equal(("JsonParser.AskForGc", 1, 1L), (induced.Method?.Name, induced.Generation, induced.Count));
            var allocating = recorded
                .Triggers.Where(row => row.Reason == GcReason.AllocSmall)
                .GroupBy(row => row.Method?.Name)
                .OrderByDescending(group => group.Sum(row => row.Count))
                .ToList();
            Assert.Equal(ReadString, allocating[0].Key);
            var gcs = allocating.Sum(group => group.Sum(row => row.Count));
            Assert.True(
                allocating[0].Sum(row => row.Count) >= (0.9 - Chance.OfShare(0.9, gcs)) * gcs,
                $"{allocating[0].Sum(row => row.Count)} of {gcs} GCs"
            );
            Assert.Equal(recorded.Gcs, recorded.Triggers.Sum(row => row.Count));
        }

        Assert.Contains(
            inlined.Stacks,
            stack =>
                stack
                    is [
                    { Method.Name: ReadString, IsInlined: true },
                    { Method.Name: "JsonParser+Reader.ParseObject", IsInlined: false },
                        ..,
                    ]
        );
        Assert.DoesNotContain(called.Stacks.SelectMany(stack => stack), frame => frame is { Method.Name: ReadString, IsInlined: true });
        Assert.All(
            (Blame[])[inlined, called],
            recorded =>
                Assert.Equal(
                    (0, 0),
                    (
                        recorded.Check.Counts[CallTreeEdge.ToInlined].ImpossibleEdges,
                        recorded.Check.Counts[CallTreeEdge.FromInlined].ImpossibleEdges
                    )
                )
        );
        Assert.True(inlined.Check.Counts[CallTreeEdge.ToInlined].Edges > 0);
    }

    /// <summary>
    /// The frames of the thread that runs the GC hang below the method that allocated, as the page's flame graphs show it.
    /// </summary>
    [Theory]
    [InlineData("TestProgram")]
    [InlineData("TestProgramNotInlined")]
    public async Task The_time_of_GCs_is_that_of_what_triggered_them(string program)
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        var input = TraceInputReader.Open([
            await RecordAsync("recording", program, PerfEventPlan.Create(PerfEventScope.Launch, SampleRateHz)),
        ]);
        var (symbols, flames) = (new SymbolReading(SymbolFiles.Of(input)), new FlameReading());
        RunAnalysis.Run(input.Processes, [], symbols, flames.Reader(symbols));
        var result = flames.Result(int.MaxValue)!;
        var path = new List<string>();
        var (all, below) = (0L, 0L);
        foreach (var node in Assert.Single(result.Trees).Nodes)
        {
            path.RemoveRange(node.Depth, path.Count - node.Depth);
            var name = result.Frames[node.Frame].Name;
            if (name == "[garbage collection]" && !path.Contains("[broken stack]"))
            {
                all += node.InclusiveSamples;
                below += path.Contains(ReadString) ? node.InclusiveSamples : 0;
            }

            path.Add(name);
        }

        Assert.True(all > 100, $"{all} samples of GCs");

        // Samples of one GC are correlated, so their number does not give the error; but the few GCs that others trigger do not take longer
        // than these.
        Assert.True(below > 0.5 * all, $"{below} of {all} samples of GCs below ReadString");
    }

    private async Task<Blame> RecordAsync(string name, string program) => Read(await RecordAsync(name, program, kernel: null));

    private async Task<string> RecordAsync(string name, string program, PerfEventPlan? kernel)
    {
        var sessions = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.Sampled, inlineInfo: true);
        var environment = PerfRecordingFixture
            .Program(PerfRecordingFixture.Command())
            .Environment.ToDictionary(variable => variable.Key, variable => variable.Value);
        environment["DOTNET_TC_CallCountingDelayMs"] = "0"; // the warm-up is over soon also on a loaded machine
        environment["DOTNET_GCgen0size"] = "400000"; // in hexadecimal; else by the size of the cache
        using var output = new StringWriter();
        var recorded = await RecordingRunner
            .RunAsync(
                new RecordOptions
                {
                    Command = PerfRecordingFixture.Of(program, "json", Rounds),
                    Environment = environment,
                    Folder = Path.Combine(_root, name),
                    Sessions = sessions,
                    Kernel = kernel,
                    Variables = RuntimeVariables.Create(sessions, jitAll: false, _ => null),
                    ToolVersion = "test",
                    Output = output,
                },
                progress: null,
                TestContext.Current.CancellationToken
            )
            .WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);
        Assert.Equal(0, recorded.ExitCode);
        return recorded.Folder;
    }

    private static Blame Read(string folder)
    {
        var input = TraceInputReader.Open([folder]);
        var runs = RunAnalysis.Run(input.Processes, []).Runs;
        var query = new EventQuery(new RunFilter(), null);
        var files = SymbolFiles.Of(input);
        var methods = AllocationAnalysis.Run(input.Processes, runs, query, AllocationGrouping.Method, files);
        var stacks = AllocationAnalysis.Run(input.Processes, runs, query, AllocationGrouping.Stack, files);
        Assert.True(methods.Problems.Count == 0, string.Join('\n', methods.Problems)); // Assert.Empty cuts texts
        Assert.Equal(methods.Events, stacks.Events);
        Assert.Equal(methods.Bytes, stacks.Bytes, 1.0);
        var gcs = GcAnalysis.Run(input.Processes, runs, query, files, GcGrouping.Method);
        var modules = new ModulePaths();
        TraceReading.Read(input.Processes.SelectMany(process => process.Requests(modules)));
        using var calls = new CallIndex(modules.Paths);
        var check = new CallTreeCheck(calls);
        foreach (var row in stacks.AllRows)
            check.AddPath(row.Stack!.Select(frame => (frame.Method.Module, frame.Method.Name, frame.IsInlined)), row.Events);
        return new Blame(
            methods.AllRows.ToDictionary(row => row.Method!.Value.Name, row => row.Events),
            methods.Events,
            [.. stacks.AllRows.Select(row => row.Stack!)],
            gcs.Triggers!.AllRows,
            gcs.AllRows.Count,
            check
        );
    }

    /// <summary>The reports of a recording.</summary>
    private sealed record Blame(
        IReadOnlyDictionary<string, long> Allocated,
        long Samples,
        IReadOnlyList<IReadOnlyList<StackMethod>> Stacks,
        IReadOnlyList<TriggerRow> Triggers,
        int Gcs,
        CallTreeCheck Check
    );
}
