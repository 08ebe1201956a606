using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>
/// Records runs with known issues that rows show, and runs without (RowKnownIssues of TestProgram), with a small budget of generation 0 or
/// without optimization: each is found, and nothing else is.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class RowKnownIssueTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-rows-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Growth_large_objects_and_reflection_are_found()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        var (read, findings) = await FindAsync(withKernel: true, []);

        // The program takes n² steps in one mode, n in the other.
        var growth = Assert.Single(findings, finding => finding.Code == "growth");
        Assert.StartsWith("Searching Run: time grows", growth.Text, StringComparison.Ordinal);
        Assert.Contains("; RowKnownIssues.Find grows most", growth.Text, StringComparison.Ordinal);
        Assert.InRange(growth.Evidence[0].Value, 1.65, 2.35);

        // Full GCs that were not induced but triggered by large objects.
        var large = Assert.Single(findings, finding => finding.Code == "loh-churn");
        Assert.Contains(": Large Run (", large.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("Small", large.Text, StringComparison.Ordinal);
        Assert.Equal(read.Allocations is null, large.Text.Contains("; after esp-record --alloc, ", StringComparison.Ordinal));
        Assert.InRange(
            large.Locations.Count,
            3,
            read.Gcs!.AllRows.Count(row => row is { Generation: 2, IsInduced: false, Run.Identity.Serializer: "Large" })
        );

        var reflection = Assert.Single(findings, finding => finding.Code == "reflection");
        Assert.Contains(": Reflecting Run (", reflection.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("Assigning", reflection.Text, StringComparison.Ordinal);

        Assert.DoesNotContain(findings, finding => finding.Code is "debug-build" or "tiering-off" or "ready-to-run-off" or "gen0-budget");
    }

    [Fact]
    public async Task A_small_budget_is_found_where_small_objects_are_allocated()
    {
        var (_, findings) = await FindAsync(withKernel: false, [("DOTNET_GCgen0size", "0x40000")]);

        var budget = Assert.Single(findings, finding => finding.Code == "gen0-budget");
        Assert.Contains(" Small Run (one every 0.", budget.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("Large", budget.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Code_without_optimization_is_found()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        var (_, findings) = await FindAsync(withKernel: true, [("DOTNET_JITMinOpts", "1")]);

        Assert.Contains(
            "TestProgram.dll",
            Assert.Single(findings, finding => finding.Code == "debug-build").Text,
            StringComparison.Ordinal
        );
    }

    private async Task<(FindingInput Read, IReadOnlyList<Finding> Findings)> FindAsync(
        bool withKernel,
        (string Name, string Value)[] variables
    )
    {
        var recorded = await RecordingRunner
            .RunAsync(
                new RecordOptions
                {
                    Command = PerfRecordingFixture.Command("rows"),
                    Environment = PerfRecordingFixture
                        .Program(PerfRecordingFixture.Command())
                        .Environment.Where(variable => !variables.Any(own => own.Name == variable.Key))
                        .Concat(variables.Select(own => KeyValuePair.Create(own.Name, (string?)own.Value)))
                        .ToDictionary(variable => variable.Key, variable => variable.Value),
                    Folder = Path.Combine(_root, "recording"),
                    Sessions = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None),
                    Kernel = withKernel ? PerfEventPlan.Create(PerfEventScope.Launch) : null,
                    ToolVersion = "test",
                    Output = TextWriter.Null,
                },
                progress: null,
                TestContext.Current.CancellationToken
            )
            .WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);
        Assert.Equal(0, recorded.ExitCode);
        var files = new SymbolFiles(
            recorded.Recording.Host.MachineName,
            recorded.Recording.StartedUtc,
            TimeSpan.FromMilliseconds(recorded.Recording.DurationMs)
        );
        var read = FindingAnalysis.Run(TraceInputReader.Open([recorded.Folder]), [], files);
        Assert.All(read.Result.Runs, run => Assert.Equal("", run.Error));
        return (read, read.Result.Findings);
    }
}
