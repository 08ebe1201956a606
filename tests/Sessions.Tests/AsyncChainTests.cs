using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Records chains of async methods (AsyncChains of TestProgram) with and without the steps of async methods.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class AsyncChainTests : IDisposable
{
    private const string Dispatch = "System.Threading.ThreadPoolWorkQueue.Dispatch";

    private readonly string _root = Directory.CreateTempSubdirectory("esp-async-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task A_method_that_continues_after_an_await_is_below_the_methods_that_await_it()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        var (stacks, truth) = await RecordAsync(asyncCallers: true);

        foreach (
            var (name, method, callers) in (ReadOnlySpan<(string, string, string[])>)
                [
                    ("plain", "OuterC", ["OuterB", "OuterA", "Run"]),
                    ("value", "ValueB", ["ValueA", "Run"]),
                    ("first", "Shared", ["FirstA", "Run"]), // through Task.WhenAll
                    ("second", "Shared", ["SecondA", "Run"]),
                    ("all", "AllB", ["AllA", "Run"]),
                    ("any", "AnyB", ["AnyA", "Run"]),
                ]
        )
        {
            var burnt = Of(stacks, name, method);
            var joined = burnt.Where(stack => Callers(stack).SequenceEqual(callers)).Sum(stack => stack.Ms);
            Assert.InRange(joined, 0.95 * burnt.Sum(stack => stack.Ms), double.MaxValue);
            AssertIsWithinChance(joined, truth[name]);
            Assert.DoesNotContain(burnt, stack => Callers(stack).Except(callers).Except(["<Main>$"]).Any());
        }

        // Nothing says who awaits an iterator, two methods await one task, and Task.WhenAll got a completed one: they stay below the thread
        // pool.
        foreach (var (name, method) in (ReadOnlySpan<(string, string)>)[("iterator", "IteratorB"), ("twice", "TwiceC"), ("done", "DoneB")])
        {
            var burnt = Of(stacks, name, method);
            AssertIsWithinChance(burnt.Sum(stack => stack.Ms), truth[name]);
            Assert.All(burnt, stack => Assert.Empty(Callers(stack)));
        }
    }

    [Fact]
    public async Task Without_the_steps_it_is_below_the_thread_pool()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        var (stacks, truth) = await RecordAsync(asyncCallers: false);

        var burnt = Of(stacks, "plain", "OuterC");
        AssertIsWithinChance(burnt.Sum(stack => stack.Ms), truth["plain"]);
        Assert.All(burnt, stack => Assert.Empty(Callers(stack)));
        Assert.Contains(burnt, stack => stack.Frames.Contains(Dispatch));
    }

    /// <summary>Samples come once a millisecond of CPU time.</summary>
    private static void AssertIsWithinChance(double ms, double expected) =>
        Assert.InRange(
            ms,
            expected - (Chance.StandardErrors * Math.Sqrt(expected)),
            expected + (Chance.StandardErrors * Math.Sqrt(expected))
        );

    /// <summary>The stacks in which a method computes; two calls of one method differ by a frame that only one of them has.</summary>
    private static List<(double Ms, List<string> Frames)> Of(List<(double Ms, List<string> Frames)> stacks, string name, string method) =>
        [
            .. stacks.Where(stack =>
                stack.Frames.Contains("AsyncChains.Burn")
                && stack.Frames.Any(frame => IsOf(frame, method))
                && (method != "Shared" || stack.Frames.Contains(name == "first" ? "AsyncChains.BurnFirst" : "AsyncChains.BurnSecond"))
            ),
        ];

    /// <summary>The async methods outside of the one that computes, innermost first.</summary>
    private static List<string> Callers((double Ms, List<string> Frames) stack)
    {
        var methods = stack
            .Frames.Where(frame =>
                frame.EndsWith(".MoveNext", StringComparison.Ordinal) && frame.StartsWith("AsyncChains+", StringComparison.Ordinal)
            )
            .Select(frame => frame[(frame.IndexOf('<', StringComparison.Ordinal) + 1)..frame.IndexOf('>', StringComparison.Ordinal)])
            .ToList();
        methods.Reverse();
        return methods.GetRange(1, methods.Count - 1);
    }

    private static bool IsOf(string frame, string method) => frame.StartsWith($"AsyncChains+<{method}>d", StringComparison.Ordinal);

    /// <summary>Records the program.</summary>
    /// <returns>Exclusive CPU time by stack, outermost frame first, and the program's own times.</returns>
    private async Task<(List<(double Ms, List<string> Frames)> Stacks, Dictionary<string, double> Truth)> RecordAsync(bool asyncCallers)
    {
        await using var output = new StringWriter();
        var recorded = await RecordingRunner
            .RunAsync(
                new RecordOptions
                {
                    Folder = Path.Combine(_root, $"recording-{asyncCallers}"),
                    Command = PerfRecordingFixture.Command("async", "10"),
                    Environment = PerfRecordingFixture
                        .Program(PerfRecordingFixture.Command())
                        .Environment.ToDictionary(variable => variable.Key, variable => variable.Value),
                    Sessions = EventPipePlan.Create(
                        EventPipePlan.SessionNames,
                        AllocationEvents.None,
                        inlineeTypes: false,
                        asyncCallers: asyncCallers
                    ),
                    Kernel = PerfEventPlan.Create(PerfEventScope.Launch),
                    ToolVersion = "test",
                    Output = output,
                },
                progress: null,
                TestContext.Current.CancellationToken
            )
            .WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);
        Assert.Equal(0, recorded.ExitCode);
        var input = TraceInputReader.Open([recorded.Folder]);
        var cpu = CpuAnalysis.Run(
            input.Processes,
            RunAnalysis.Run(input.Processes, []).Runs,
            new CpuQuery(CpuGrouping.Method, false, new RunFilter(), null) { Tree = new CallTreeQuery(0, CallTreeQuery.Deepest, null) },
            SymbolFiles.Of(input)
        );
        var (stacks, path) = (new List<(double, List<string>)>(), new List<string>());
        foreach (var row in cpu.Tree!)
        {
            path.RemoveRange(row.Depth, path.Count - row.Depth);
            path.Add(row.Name);
            if (row.CpuMs > 0)
                stacks.Add((row.CpuMs, [.. path]));
        }

        return (
            stacks,
            output
                .ToString()
                .Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Select(line => line.Split(' '))
                .Where(words => words.Length == 2)
                .ToDictionary(words => words[0], words => double.Parse(words[1], CultureInfo.InvariantCulture))
        );
    }
}
