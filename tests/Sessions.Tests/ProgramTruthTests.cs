using System.Globalization;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Records programs that mark no runs and know what they did (LockFight, Finalizers of TestProgram), and compares the findings with it.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ProgramTruthTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-programs-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task The_finding_of_a_fight_for_a_lock_sums_up_all_threads_that_wait()
    {
        var (read, truth) = await RecordAsync("fight");
        var findings = FindingRules.Check(read);

        var finding = Assert.Single(findings, finding => finding.Code == "lock-wait");
        Assert.Equal(FindingConfidence.Certain, finding.Confidence);
        Assert.Matches($@"^threads wait for locks: TestProgram Run \(\d+ % of thread time waits, \d+ ms of {LockFight.Threads} threads in LockFight.GetOrAdd for a System.Threading.(Monitor|Lock)", finding.Text);
        Assert.Contains("; esp-analyze locks --by method ", finding.Text, StringComparison.Ordinal);
        Assert.InRange(finding.Evidence[0].Value, 0.001, 100);

        // Never more than the program's own sum; at least what it knows to lie between two events.
        Assert.InRange(finding.Evidence[1].Value, 0.95 * truth["certainMs"], truth["waitedMs"]);
        var site = read.Locks!.Sites.AllRows[0];
        Assert.Equal(("LockFight.GetOrAdd", LockFight.Threads, 1), (site.Method!.Value.Name, site.Threads, site.Locks));
        Assert.Equal(finding.Evidence[1].Value, site.Ms);
        Assert.DoesNotContain(findings, other => other.Text.Contains("marks no runs", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Collections_that_the_program_asks_for_and_finalizers_are_counted_and_the_caller_is_named()
    {
        var (read, truth) = await RecordAsync("finalizers", "20", "5000");
        var findings = FindingRules.Check(read);

        // All that are counted while the program makes objects; a collection more may come before or behind.
        var induced = Assert.Single(findings, finding => finding.Code == "induced-gc");
        Assert.Matches(@"^the program asks for most of its collections: TestProgram Run \(20 of \d+, \d+ ms of pauses, by Finalizers.TidyUp\); remove the call", induced.Text);
        Assert.Equal(20, induced.Evidence[0].Value);
        Assert.InRange(induced.Evidence[1].Value, truth["collections"], read.Gcs!.AllRows.Count);
        Assert.DoesNotContain(findings, finding => finding.Code == "gc-pause");

        // The runtime finalizes objects of its own, too.
        var finalized = Assert.Single(findings, finding => finding.Code == "finalizers");
        Assert.StartsWith("many objects were finalized: TestProgram Run (100,", finalized.Text, StringComparison.Ordinal);
        Assert.InRange(Assert.Single(finalized.Evidence).Value, truth["finalized"], truth["finalized"] + 500);
    }

    /// <summary>What was read of a mode of TestProgram, and what it printed: a line each of name and number.</summary>
    private async Task<(FindingInput Read, Dictionary<string, double> Truth)> RecordAsync(params string[] arguments)
    {
        using var output = new StringWriter();
        var recorded = await RecordingRunner.RunAsync(
            new RecordOptions
            {
                Command = PerfRecordingFixture.Command(arguments),
                Environment = PerfRecordingFixture.Program(PerfRecordingFixture.Command()).Environment.ToDictionary(variable => variable.Key, variable => variable.Value),
                Folder = Path.Combine(_root, "recording"),
                Sessions = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None),
                ToolVersion = "test",
                Output = output,
            },
            progress: null,
            TestContext.Current.CancellationToken).WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);
        Assert.Equal(0, recorded.ExitCode);
        var truth = output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(' ')).Where(words => words.Length == 2)
            .ToDictionary(words => words[0], words => double.Parse(words[1], CultureInfo.InvariantCulture));
        var files = new SymbolFiles(recorded.Recording.Host.MachineName, recorded.Recording.StartedUtc, TimeSpan.FromMilliseconds(recorded.Recording.DurationMs));
        return (FindingAnalysis.Read(TraceInputReader.Open([recorded.Folder]), [], files), truth);
    }
}
