using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Records runs of known behaviour with both halves; every number is compared with the program's own clocks.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ProgramClockTests : IDisposable
{
    /// <summary>
    /// Of each switch a part is in the thread's clock and its samples, and not between the records: measured 6 µs, 20 µs on a loaded
    /// machine.
    /// </summary>
    internal const double SwitchMs = 0.05;

    private const int Milliseconds = 500;

    /// <summary>
    /// Longest tick of Linux (CONFIG_HZ 100). CLOCK_PROCESS_CPUTIME_ID has the time of a thread on another processor up to its last tick
    /// (thread_group_cputime in kernel/sched/cputime.c).
    /// </summary>
    private const double TickMs = 10;

    /// <summary>
    /// A stall between two readings of clocks (an interrupt, the host's other guests) is in one time and not in the other. It does not
    /// come back in each recording, as a wrong definition does.
    /// </summary>
    private const int MaxRecordings = 3;

    private readonly string _root = Directory.CreateTempSubdirectory("esp-processor-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Times_of_runs_are_those_of_the_programs_own_clocks()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        for (var recording = 1; ; recording++)
        {
            var differences = await RecordAndCompareAsync(Path.Combine(_root, FormattableString.Invariant($"{recording}")));
            if (differences.Count == 0)
                return;
            Assert.True(recording < MaxRecordings, string.Join('\n', differences));

            // In the report of a test that passes, so that a fault that comes and goes is seen.
            TestContext.Current.AddWarning(string.Join('\n', differences));
        }
    }

    [Fact]
    public Task The_same_holds_for_an_ordinary_user() => OrdinaryUser.RunAsync(typeof(ProgramClockTests), minTests: 1);

    /// <summary>Times that differ from the program's clock by more than the tolerance.</summary>
    private static async Task<List<string>> RecordAndCompareAsync(string root)
    {
        var differences = new List<string>();
        Directory.CreateDirectory(root);
        var (input, said) = await RecordAsync(root);
        var runs = RunAnalysis.Run(input.Processes, []).Runs.ToDictionary(run => run.Identity.Serializer);
        var hasReadyEvents = runs["Sleep"].Measuring!.ReadySource == ReadySource.ReadyEvent;

        var spans = new ProcessorSpans();
        input.Processes.Single(process => process.Sources.Count > 0).Read(spans);

        foreach (var (name, run) in runs)
        {
            var times = run.Measuring!;
            Assert.Equal(run.WallMs, times.OnCpuMs + times.WaitMs + times.ReadyMs, 6);

            // CPU time of thread and process: 2 %, and the time between the edges of window and clocks, in which other threads may run.
            var switches = SwitchMs * (times.VoluntarySwitches + times.InvoluntarySwitches)!.Value;
            var switchesOfAll = SwitchMs * spans.All.Count(span => span.Stop >= run.StartTicks && span.Stop <= run.StopTicks);
            var edges = ((Math.Abs(run.StartDifferenceUs!.Value) + Math.Abs(run.StopDifferenceUs!.Value)) / 1000) + switches + 0.2;
            var ownMs = CpuMeasures.OwnThread.ValueOf(run)!.Value;
            Compare(ownMs, times.OnCpuMs, (0.02 * ownMs) + edges, $"{name}: CPU of the thread");
            Compare(
                said[name].ProcessCpuMs,
                run.CpuMs!.Value,
                (0.02 * said[name].ProcessCpuMs)
                    + (edges * Environment.ProcessorCount)
                    + switchesOfAll
                    + (TickMs * spans.OthersAt(run, edges)),
                $"{name}: CPU of the process"
            );
            var (gcMs, jitMs) = (CpuMeasures.GcThreads.ValueOf(run), CpuMeasures.JitThreads.ValueOf(run));
            Assert.True(times.OnCpuMs + gcMs + jitMs <= run.CpuMs + 1e-6, $"{name}: {times.OnCpuMs} + {gcMs} + {jitMs} of {run.CpuMs} ms");
        }

        CheckFaults(runs["Faults"], spans, PerfEventPermissions.Read().Kernel);
        CheckSleep(runs["Sleep"], said["Sleep"].AccountMs, hasReadyEvents);
        CheckFight(runs["Fight"], said["Fight"].AccountMs);

        // The server collector has a thread for each processor.
        Assert.True(CpuMeasures.GcThreads.ValueOf(runs["Collect"]) > 0, "no CPU time on threads of the collector");
        Assert.Equal(0, CpuMeasures.GcThreads.ValueOf(runs["Sleep"]));
        AssertHotMethodsAreCompiledOnTheCompilersThread(input.Processes.Single(process => process.Sources.Count > 0));
        return differences;

        void Compare(double expected, double actual, double tolerance, string what)
        {
            if (Math.Abs(actual - expected) > tolerance)
                differences.Add(
                    FormattableString.Invariant(
                        $"{what}: {actual:0.000} ms, the program's clock says {expected:0.000} ms (± {tolerance:0.000})"
                    )
                );
        }
    }

    /// <summary>
    /// The run touches new pages, which is the kernel's work: 90 % of its thread's CPU time, as measured. The process's other threads do
    /// not count: how much the compiler does during the run depends on the machine.
    /// </summary>
    private static void CheckFaults(Run run, ProcessorSpans spans, bool samplesKernel)
    {
        var ownMs = CpuMeasures.OwnThread.ValueOf(run)!.Value;
        var unsampledMs = SampleMeasures.Unsampled.ValueOf(run);
        var (userMs, kernelMs) = spans.SampledMsOf(run);
        Assert.True(ownMs >= Milliseconds, $"{ownMs} ms");
        Assert.True(userMs < 0.7 * ownMs, $"{userMs} of {ownMs} ms in user mode");
        if (samplesKernel)
        {
            Assert.True(kernelMs > 0.3 * ownMs, $"{kernelMs} of {ownMs} ms in the kernel");
            Assert.True(run.Samples!.KernelPercent > 0);
            Assert.True(unsampledMs < 0.3 * run.CpuMs, $"{unsampledMs} of {run.CpuMs} ms without samples");
        }
        else
        {
            Assert.Equal(0, kernelMs);
            Assert.Null(run.Samples!.KernelPercent);
            Assert.True(unsampledMs > 0.3 * ownMs, $"{unsampledMs} ms without samples, of {ownMs} ms of the thread");
        }
    }

    private static void CheckSleep(Run run, double sleptMs, bool hasReadyEvents)
    {
        var times = run.Measuring!;
        Assert.True(times.OnCpuMs < 0.1 * Milliseconds, $"{times.OnCpuMs} ms of CPU time asleep");
        Assert.True(times.VoluntarySwitches >= 1);

        // From the switch-out to the timer: the requested time minus the time between the call and the switch-out; up to the next
        // instruction: the time that the program measured.
        Assert.InRange(times.WaitMs, Milliseconds - times.OnCpuMs - times.ReadyMs, hasReadyEvents ? sleptMs : run.WallMs);
    }

    private static void CheckFight(Run run, double foughtMs)
    {
        var times = run.Measuring!;

        // The event of a wait for a lock lies inside the call that gets it; the rest of the call spins, or is ready to.
        Assert.InRange(run.ContentionMs!.Value, foughtMs - times.OnCpuMs - times.ReadyMs - 1, foughtMs + 1);
        Assert.True(run.Contentions >= 1);
        Assert.True(
            times.WaitMs >= run.ContentionMs - times.OnCpuMs - times.ReadyMs - 1,
            $"waited {times.WaitMs} of {run.ContentionMs} ms for the lock"
        );
    }

    private static void AssertHotMethodsAreCompiledOnTheCompilersThread(TracedProcess process)
    {
        var layout = new ProcessLayout();
        var tiers = new Tier1Threads();
        process.Read(layout);
        process.Read(tiers);

        Assert.NotEmpty(tiers.Threads);
        Assert.All(tiers.Threads, thread => Assert.Equal(ThreadRole.Compilation, RuntimeThreads.RoleOf(layout.ThreadName(thread))));
    }

    private static async Task<(TraceInput Input, Dictionary<string, (double ProcessCpuMs, double AccountMs)> Said)> RecordAsync(string root)
    {
        using var output = new StringWriter();
        var variables = new Dictionary<string, string>
        {
            ["DOTNET_gcServer"] = "1",
            ["DOTNET_TC_CallCountingDelayMs"] = "0", // hot methods are compiled again at once, however loaded the machine is
        };
        var recorded = await BothHalves.RecordAsync(
            root,
            output,
            variables,
            "processor",
            Milliseconds.ToString(CultureInfo.InvariantCulture)
        );
        var said = output
            .ToString()
            .Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => line.Split(' '))
            .ToDictionary(
                words => words[0],
                words =>
                    (double.Parse(words[1], CultureInfo.InvariantCulture) / 1e6, double.Parse(words[2], CultureInfo.InvariantCulture) / 1e6)
            );
        return (TraceInputReader.Open([recorded.Folder]), said);
    }

    /// <summary>When threads of the process were on a processor, and where samples found the measuring one.</summary>
    private sealed class ProcessorSpans : IEventSubscriber
    {
        private readonly Dictionary<long, long> _since = [];
        private readonly List<(long Time, long CpuTicks, bool IsKernel)> _samples = []; // of the measuring thread

        public List<(bool IsMeasuring, long Start, long Stop)> All { get; } = [];

        /// <inheritdoc />
        public void Subscribe(EventHub hub)
        {
            hub.Subscribe((in SwitchedIn switched) => _since[switched.At.ThreadId] = switched.At.Time);
            hub.Subscribe(
                (in CpuSample sample) =>
                {
                    if (IsMeasuring(sample.At))
                        _samples.Add((sample.At.Time, sample.CpuTicks, sample.IsKernel));
                }
            );
            hub.Subscribe(
                (in SwitchedOut switched) =>
                {
                    All.Add((IsMeasuring(switched.At), _since.GetValueOrDefault(switched.At.ThreadId), switched.At.Time));
                }
            );
        }

        /// <summary>CPU time of the measuring thread by samples, in ms.</summary>
        public (double User, double Kernel) SampledMsOf(Run run)
        {
            var samples = _samples
                .Where(sample => sample.Time >= run.StartTicks && sample.Time <= run.StopTicks)
                .ToLookup(sample => sample.IsKernel, sample => sample.CpuTicks / 1e6);
            return (samples[false].Sum(), samples[true].Sum());
        }

        /// <summary>How many threads other than the measuring one were on a processor at the start or at the stop of a run.</summary>
        /// <param name="run">The run.</param>
        /// <param name="edgeMs">How far the run's edges may be from those of the program's clock.</param>
        public int OthersAt(Run run, double edgeMs)
        {
            var edge = (long)(edgeMs * 1e6);
            return All.Count(span =>
                !span.IsMeasuring
                && (
                    (span.Start <= run.StartTicks + edge && span.Stop >= run.StartTicks - edge)
                    || (span.Start <= run.StopTicks + edge && span.Stop >= run.StopTicks - edge)
                )
            );
        }

        // The main thread measures.
        private static bool IsMeasuring(EventAt at) => at.ThreadId == at.ProcessId;
    }

    /// <summary>Threads on which methods were compiled again, optimized.</summary>
    private sealed class Tier1Threads : IEventSubscriber
    {
        public HashSet<long> Threads { get; } = [];

        /// <inheritdoc />
        public void Subscribe(EventHub hub) => hub.Subscribe<MethodCode>(OnMethodCode);

        private void OnMethodCode(in MethodCode code)
        {
            if (!code.IsRundown && code.Tier == CodeTier.Tier1)
                Threads.Add(code.At.ThreadId);
        }
    }
}
