using System.Globalization;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>
/// Records runs with known issues and runs without (KnownIssues of TestProgram): each is found, and the runs without have no finding.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class KnownIssueTests : IDisposable
{
    private static readonly string[] s_codes =
    [
        "lock-scaling",
        "lock-wait",
        "datacontract-lock",
        "exceptions",
        "exception-storm",
        "base64",
        "contract-format",
        "xml-codegen",
    ];

    private readonly string _root = Directory.CreateTempSubdirectory("esp-known-issues-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Known_issues_are_found_where_they_are(bool withKernel)
    {
        if (withKernel)
            PerfRecordingFixture.SkipUnlessPermitted();
        using var output = new StringWriter();
        var recorded = await RecordAsync(output, withKernel);
        var waitedMs = double.Parse(
            Assert.Single(output.ToString().Split('\n'), line => line.StartsWith("lockMs ", StringComparison.Ordinal)).Split(' ')[1],
            CultureInfo.InvariantCulture
        );
        var files = new SymbolFiles(
            recorded.Recording.Host.MachineName,
            recorded.Recording.StartedUtc,
            TimeSpan.FromMilliseconds(recorded.Recording.DurationMs)
        );
        var read = FindingAnalysis.Read(TraceInputReader.Open([recorded.Folder]), [], files);
        var findings = FindingRules.Check(read);
        Assert.All(read.Result.Runs, run => Assert.Equal("", run.Error));

        // Exceptions: as many as the program threw, in the method that threw; the method that checks first throws none.
        // A quarter of the CPU time and more makes them a storm.
        var exceptions = Assert.Single(findings, finding => finding.Code is "exceptions" or "exception-storm");
        Assert.Contains(
            $": Throwing Run N={KnownIssues.Objects} ({KnownIssues.Refused} per run, ",
            exceptions.Text,
            StringComparison.Ordinal
        );
        Assert.Matches("mostly System.FormatException( \"no number\")? in KnownIssues.Parse\\); ", exceptions.Text);
        Assert.Equal(
            [KnownIssues.Refused, KnownIssues.Refused / (double)KnownIssues.Objects],
            exceptions.Evidence.Take(2).Select(figure => figure.Value)
        );
        Assert.Equal(Row("Throwing", 1).AllRuns[0].RunId, Assert.Single(exceptions.Locations).RunId);
        var share = exceptions.Evidence.Where(figure => figure.Unit == "%").Select(figure => (double?)figure.Value).SingleOrDefault();
        Assert.Equal(exceptions.Code == "exception-storm", share >= 25);
        if (withKernel && Row("Throwing", 1).Causes!.Samples >= 100)
            Assert.InRange(share!.Value, 10, 100);

        // Locks: not longer than by the program's own clock. If the program measured that its threads did not scale, the finding says so.
        var waits = read.Locks!.AllRows.Where(wait => wait.Runs.Serializer == "Locked").ToList();
        Assert.InRange(waits.Sum(wait => wait.Ms), 0.001, waitedMs);
        CheckLocks(
            KnownIssues.Threads * Own(Row("Locked", 1)) / Own(Row("Locked", KnownIssues.Threads)),
            recorded.Recording.Host.LogicalProcessors,
            findings,
            Row("Locked", KnownIssues.Threads)
        );

        // Code for XmlSerializer: made in the warm-up that used it first, after no assembly of its name was found.
        var code = Assert.Single(findings, finding => finding.Code == "xml-codegen");
        Assert.StartsWith(
            $"XmlSerializer generates code at run time: process {read.Result.Runs[0].ProcessId} (in run 1, WarmUp of Xml Run N=1, ",
            code.Text,
            StringComparison.Ordinal
        );
        Assert.Equal(1, code.Evidence[0].Value);
        Assert.True(code.Evidence[1].Value > 0 && code.Evidence[2].Value > 0, code.Text);
        Assert.Equal(1, Assert.Single(code.Locations).RunId);

        Assert.Equal(2, findings.Count(finding => s_codes.Contains(finding.Code) && finding.Code is not ("lock-scaling" or "lock-wait")));

        SummaryRow Row(string serializer, int threads) =>
            Assert.Single(read.Result.Rows, row => row.Key.Serializer == serializer && row.Key.ThreadCount == threads);
    }

    /// <summary>
    /// The finding depends on the speedup of two threads by the program's own clock, which on a busy machine can have any value; near the
    /// rule's limits (1.4 and 3) both answers are right.
    /// </summary>
    private static void CheckLocks(double speedUp, int processors, IReadOnlyList<Finding> findings, SummaryRow locked)
    {
        var locks = findings.Where(finding => finding.Code is "lock-scaling" or "lock-wait").ToList();
        if (processors > 1 && speedUp is < 1.3 or > 1.5 and < 2.8)
            Assert.Equal(speedUp < 1.3 ? ["lock-scaling"] : [], locks.Select(finding => finding.Code));
        foreach (var finding in locks)
        {
            Assert.Equal(finding.Code == "lock-scaling" ? FindingConfidence.Likely : FindingConfidence.Possible, finding.Confidence);
            Assert.Contains($": Locked Run x{KnownIssues.Threads} N={KnownIssues.Naps} (", finding.Text, StringComparison.Ordinal);
            Assert.Matches(
                " % of thread time waits, \\d+ ms of [1-4] threads? in KnownIssues.LockedNap for a System.Threading.Monitor",
                finding.Text
            );
            Assert.DoesNotContain("Free", finding.Text, StringComparison.Ordinal);
            Assert.Contains(
                locked.AllRuns,
                run =>
                    run.RunId == Assert.Single(finding.Locations).RunId
                    && finding.Locations[0].StartMs >= run.StartMs - 0.001
                    && finding.Locations[0].StopMs <= run.StopMs + 0.001
            );
        }
    }

    /// <summary>Median of a row's wall times by the program's own clock, in ms.</summary>
    private static double Own(SummaryRow row) =>
        Analysis.Statistics.Median([.. row.AllRuns.Select(run => run.WallMs - (run.DurationDifferenceUs!.Value / 1000))])!.Value;

    private async Task<RecordingResult> RecordAsync(StringWriter output, bool withKernel)
    {
        var recorded = await RecordingRunner
            .RunAsync(
                new RecordOptions
                {
                    Command = PerfRecordingFixture.Command("known-issues"),
                    Environment = PerfRecordingFixture
                        .Program(PerfRecordingFixture.Command())
                        .Environment.ToDictionary(variable => variable.Key, variable => variable.Value),
                    Folder = Path.Combine(_root, "recording"),
                    Sessions = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None, startup: StartupEvents.Assemblies),
                    Kernel = withKernel ? PerfEventPlan.Create(PerfEventScope.Launch) : null,
                    ToolVersion = "test",
                    Output = output,
                },
                progress: null,
                TestContext.Current.CancellationToken
            )
            .WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);
        Assert.Equal(0, recorded.ExitCode);
        return recorded;
    }
}
