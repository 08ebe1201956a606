using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>
/// Records programs that mark no runs and measure themselves (LockFight, Blocked, Finalizers of TestProgram), and compares the findings
/// with their measurements.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ProgramFindingTests : IDisposable
{
    /// <summary>Event of the runtime that names types.</summary>
    private const int BulkType = 15;

    /// <summary>Requested events that some programs mostly consist of.</summary>
    private const int AllocationSampled = 303;
    private const int ExceptionThrown = 80;
    private const int ContentionStart = 81;
    private const int ContentionStop = 91;

    private static readonly Guid s_rundown = new("a669021c-c450-4609-a035-5af59af4df18");

    private readonly string _root = Directory.CreateTempSubdirectory("esp-programs-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task The_finding_of_a_fight_for_a_lock_sums_up_all_threads_that_wait()
    {
        var (recorded, truth) = await RecordAsync("fight");
        var read = Read(recorded);
        var findings = FindingRules.Check(read);

        var finding = Assert.Single(findings, finding => finding.Code == "lock-wait");
        Assert.Equal(FindingConfidence.Certain, finding.Confidence);
        Assert.Matches(
            $@"^threads wait for locks: TestProgram Run \(\d+ % of thread time waits, \d+ ms of {LockFight.Threads} threads in LockFight.GetOrAdd for a System.Threading.(Monitor|Lock)",
            finding.Text
        );
        Assert.Contains("; esp-analyze locks FOLDER --by method ", finding.Text, StringComparison.Ordinal);
        Assert.InRange(finding.Evidence[0].Value, 0.001, 100);

        // At most the program's own sum; at least the time that it measured between two events.
        Assert.InRange(finding.Evidence[1].Value, 0.95 * truth["certainMs"], truth["waitedMs"]);
        var site = read.Locks!.Sites.AllRows[0];
        Assert.Equal(("LockFight.GetOrAdd", LockFight.Threads, 1), (site.Method!.Value.Name, site.Threads, site.Locks));
        Assert.Equal(finding.Evidence[1].Value, site.Ms);
        Assert.DoesNotContain(findings, other => other.Text.Contains("marks no runs", StringComparison.Ordinal));
    }

    /// <summary>
    /// The program's clock includes the time in which a thread that waited is ready or compiles; the waits are its sums minus that time,
    /// never more.
    /// </summary>
    [Fact]
    public async Task Waits_for_a_lock_for_tasks_and_for_time_are_those_of_the_programs_own_clock()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        Assert.SkipUnless(
            PerfEventPermissions.Read().Kernel,
            "stacks of context switches need root, CAP_PERFMON or kernel.perf_event_paranoid=1"
        );
        var (recorded, truth) = await RecordAsync(
            inlineInfo: true,
            PerfEventPlan.Create(PerfEventScope.Launch, switchStackBytes: PerfEventPlan.DefaultSwitchStackBytes),
            "blocked"
        );
        var input = TraceInputReader.Open([recorded.Folder]);
        var waits = WaitAnalysis.Run(
            input.Processes,
            RunAnalysis.Run(input.Processes, []).Runs,
            new EventQuery(new RunFilter(), null),
            Files(recorded)
        );

        var readyMs = waits.Threads.AllRows.Sum(thread => thread.ReadyMs);
        foreach (
            var (name, reason, method, isPool) in (ReadOnlySpan<(string, WaitReason, string, bool)>)
                [
                    ("lockMs", WaitReason.Lock, "Blocked.GetOrAdd", false),
                    ("taskMs", WaitReason.Task, "Blocked.Load", true),
                    ("sleepMs", WaitReason.Sleep, "Blocked.Nap", true),
                ]
        )
        {
            var site = Assert.Single(waits.Sites, site => site.Reason == reason && site.Own?.Name == method);
            Assert.Equal(isPool, site.IsPool);
            Assert.InRange(site.Ms, (0.95 * truth[name]) - readyMs, truth[name]);
        }

        var lockers = waits.Threads.AllRows.Where(thread => thread.Name.StartsWith("locker-", StringComparison.Ordinal)).ToList();
        Assert.Equal(Blocked.Lockers, lockers.Count);
        Assert.All(lockers, thread => Assert.Equal((WaitReason.Lock, "Blocked.GetOrAdd"), (thread.Reason, thread.Method?.Name)));

        var findings = FindingRules.Check(Read(recorded));
        Assert.Contains(
            $" threads in Blocked.Load); await the task ",
            Assert.Single(findings, finding => finding.Code == "sync-over-async").Text,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "in Blocked.Nap); await Task.Delay",
            Assert.Single(findings, finding => finding.Code == "pool-sleep").Text,
            StringComparison.Ordinal
        );
        Assert.InRange(Assert.Single(findings, finding => finding.Code == "lock-wait").Evidence[0].Value, 1, 100);

        // Idle workers and threads of the runtime do not hide that.
        Assert.Equal(WaitReason.Idle, waits.Reasons[^1].Reason);
        Assert.InRange(
            waits.Reasons.Where(row => row.Reason == WaitReason.Unknown).Sum(row => row.Ms),
            0,
            0.25 * waits.Reasons.Where(row => row.Reason != WaitReason.Idle).Sum(row => row.Ms)
        );
    }

    [Fact]
    public async Task GCs_that_the_program_asks_for_and_finalizers_are_counted_and_the_caller_is_named()
    {
        var (recorded, truth) = await RecordAsync("finalizers", "20", "5000");
        var read = Read(recorded);
        var findings = FindingRules.Check(read);

        // The program counts its GCs while it makes objects; more may come before and after.
        var induced = Assert.Single(findings, finding => finding.Code == "induced-gc");
        Assert.Matches(
            @"^the program induces most of its GCs: TestProgram Run \(20 of \d+, \d+ ms of pauses, by Finalizers.TidyUp, allocates Finalizers \d+ %.* in Finalizers.Make\); remove the call",
            induced.Text
        );
        Assert.Equal(20, induced.Evidence[0].Value);
        Assert.InRange(induced.Evidence[1].Value, truth["gcs"], read.Gcs!.AllRows.Count);
        Assert.DoesNotContain(findings, finding => finding.Code == "gc-pause");

        // The runtime finalizes objects of its own, too.
        var finalized = Assert.Single(findings, finding => finding.Code == "finalizers");
        Assert.StartsWith("many objects were finalized: TestProgram Run (100,", finalized.Text, StringComparison.Ordinal);
        Assert.InRange(Assert.Single(finalized.Evidence).Value, truth["finalized"], truth["finalized"] + 500);
    }

    /// <summary>
    /// No kind of event fills more than half of a file, except for what the program does all the time (allocating, throwing, contending for
    /// a lock) and the rundown's method names. No file has types. A file of few events is not flooded: half of them may be samples of
    /// allocations, whose number is random.
    /// </summary>
    [Theory]
    [InlineData("finalizers 5 5000")]
    [InlineData("fight", ContentionStart, ContentionStop)]
    [InlineData("blocked")]
    [InlineData("collect 2 200")]
    [InlineData("throw 5000", ExceptionThrown)]
    [InlineData("json 20", AllocationSampled)]
    [InlineData("events", AllocationSampled)]
    public async Task No_kind_of_event_that_was_not_asked_for_floods_a_file_of_a_programs_recording(string mode, params int[] asked)
    {
        var (recorded, _) = await RecordAsync(mode.Split(' '));

        foreach (var session in Assert.Single(recorded.Recording.Processes).Sessions)
        {
            var kinds = CountKinds(Path.Combine(recorded.Folder, session.File));
            var all = kinds.Values.Sum();
            Assert.NotEqual(0, all);
            Assert.All(
                kinds.Where(kind =>
                    kind.Key.Provider != s_rundown
                    && !(kind.Key.Provider == ClrTraceEventParser.ProviderGuid && asked.Contains(kind.Key.Id))
                ),
                kind => Assert.InRange(kind.Value, 0, Math.Max(all / 2, 100))
            );
            Assert.InRange(kinds.GetValueOrDefault((ClrTraceEventParser.ProviderGuid, BulkType)), 0, 0.05 * all);
        }
    }

    private static Dictionary<(Guid Provider, int Id), int> CountKinds(string path)
    {
        var kinds = new Dictionary<(Guid, int), int>();
        using var source = new EventPipeEventSource(new MemoryStream(FileContent.Read(path)));
        source.AllEvents += data =>
            kinds[(data.ProviderGuid, (int)data.ID)] = kinds.GetValueOrDefault((data.ProviderGuid, (int)data.ID)) + 1;
        source.Process();
        return kinds;
    }

    private static FindingInput Read(RecordingResult recorded) =>
        FindingAnalysis.Read(TraceInputReader.Open([recorded.Folder]), [], Files(recorded));

    private static SymbolFiles Files(RecordingResult recorded) =>
        new(recorded.Recording.Host.MachineName, recorded.Recording.StartedUtc, TimeSpan.FromMilliseconds(recorded.Recording.DurationMs));

    private Task<(RecordingResult Recorded, Dictionary<string, double> Truth)> RecordAsync(params string[] arguments) =>
        RecordAsync(inlineInfo: true, arguments);

    private Task<(RecordingResult Recorded, Dictionary<string, double> Truth)> RecordAsync(bool inlineInfo, params string[] arguments) =>
        RecordAsync(inlineInfo, null, arguments);

    /// <summary>Records a mode of TestProgram; with its output, lines of name and number.</summary>
    private async Task<(RecordingResult Recorded, Dictionary<string, double> Truth)> RecordAsync(
        bool inlineInfo,
        PerfEventPlan? kernel,
        params string[] arguments
    )
    {
        using var output = new StringWriter();
        var recorded = await RecordingRunner
            .RunAsync(
                new RecordOptions
                {
                    Command = PerfRecordingFixture.Command(arguments),
                    Environment = PerfRecordingFixture
                        .Program(PerfRecordingFixture.Command())
                        .Environment.ToDictionary(variable => variable.Key, variable => variable.Value),
                    Folder = Path.Combine(_root, "recording"),
                    Sessions = EventPipePlan.Create(
                        EventPipePlan.SessionNames,
                        AllocationEvents.Sampled,
                        inlineInfo: inlineInfo,
                        inlineeTypes: false
                    ),
                    Kernel = kernel,
                    ToolVersion = "test",
                    Output = output,
                },
                progress: null,
                TestContext.Current.CancellationToken
            )
            .WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);
        Assert.Equal(0, recorded.ExitCode);
        var truth = output
            .ToString()
            .Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => line.Split(' '))
            .Where(words => words.Length == 2)
            .ToDictionary(words => words[0], words => double.Parse(words[1], CultureInfo.InvariantCulture));
        return (recorded, truth);
    }
}
