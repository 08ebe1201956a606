using System.ComponentModel;
using System.Globalization;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Scenarios;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Runs.Isolation;

/// <summary>
/// Measures each serializer in its own processes, launched several times; the launches of all serializers alternate. If one process
/// measured all, each serializer would change the times of the next: it moves shared methods to other tiers, fills their profile and grows
/// the heap. Several launches also help with a serializer that has two states and stays in one of them for all runs of a process.
/// </summary>
/// <remarks>
/// Settling mostly waits, because the runtime compiles after pauses, so several processes settle at the same time. They make first uses and
/// measured runs one after the other, while the others wait. They end at the same time, because at the end of a recorded process the
/// runtime describes its methods, which takes time.
/// </remarks>
/// <param name="processes">Starts the processes.</param>
/// <param name="console">Receives errors.</param>
/// <param name="output">Receives the processes' other output.</param>
/// <param name="options">The options; first calls are left out.</param>
/// <param name="serializers">The serializers.</param>
/// <param name="stop">Requests to end.</param>
public sealed class IsolatedRunner(
    ChildProcess processes,
    SuiteConsole console,
    TextWriter output,
    SuiteOptions options,
    IReadOnlyList<SerializerDescription> serializers,
    CancellationToken stop
)
{
    /// <summary>
    /// Maximum number of processes that settle at the same time. On two processors the default recording takes 56 s with all 17 at once,
    /// and 60 to 64 s with two batches of nine.
    /// </summary>
    private const int MaxTogether = 20;

    /// <summary>
    /// Memory of a process in bytes: those of the default benchmark took up to 138 MB (VmHWM), but their graphs can be larger.
    /// </summary>
    private const long MemoryOfProcess = 512L << 20;

    /// <summary>Time limit for a process to end after its work, because the sessions that record it end with it.</summary>
    private static readonly TimeSpan s_endLimit = TimeSpan.FromMinutes(1);

    /// <summary>Time limit for the current run of a process that was asked to stop; all earlier runs are on disk.</summary>
    private static readonly TimeSpan s_grace = TimeSpan.FromSeconds(5);

    /// <summary>The processes of all launches, grouped by those that run at the same time.</summary>
    private readonly List<IReadOnlyList<Member>> _batches =
    [
        .. Batches(options with { Tests = [.. options.Tests.Where(test => test != SuiteTest.FirstCall)] }, serializers),
    ];

    /// <summary>Receives whole lines of the processes, whose output is read by a thread each.</summary>
    private readonly TextWriter _output = TextWriter.Synchronized(output);

    /// <summary>Number of runs that other processes make.</summary>
    private int _otherRuns;

    /// <summary>Number of runs of the processes, as far as known.</summary>
    public int PlannedRuns => _batches.Sum(batch => batch.Sum(member => member.PlannedRuns));

    /// <summary>Measures the serializers.</summary>
    /// <param name="ownArguments">Arguments other than the suite's options: files to write.</param>
    /// <param name="otherRuns">Number of runs that this process makes.</param>
    /// <returns>The highest exit code of the processes.</returns>
    public int Run(IReadOnlyList<string> ownArguments, int otherRuns)
    {
        ArgumentNullException.ThrowIfNull(ownArguments);
        _otherRuns = otherRuns;
        var worst = 0;
        foreach (var batch in _batches)
        {
            if (stop.IsCancellationRequested)
                break;
            try
            {
                foreach (var member in batch)
                    member.Process = new SerializerProcess(processes.StartInfo([.. member.Arguments, .. ownArguments]), _output);
                Run(batch);
            }
            catch (Win32Exception exception)
            {
                console.Error(exception.Message);
                worst = Math.Max(worst, 1);
            }
            catch (OperationCanceledException)
            {
                // Running processes are ended below.
            }
            finally
            {
                worst = Math.Max(worst, End(batch));
            }
        }

        return worst;
    }

    private void Run(IReadOnlyList<Member> batch)
    {
        foreach (var member in batch)
            Do(Phase.FirstUse, member);
        foreach (var member in batch)
            Ask(Phase.Settle, member);
        foreach (var member in batch)
            Take(member);
        foreach (var member in batch)
            Do(Phase.Measure, member);
    }

    private void Do(Phase phase, Member member)
    {
        Ask(phase, member);
        Take(member);
    }

    private void Ask(Phase phase, Member member) =>
        member.IsGone = member.IsGone || !member.Process!.Ask(phase, _otherRuns + PlannedRuns - member.PlannedRuns);

    private void Take(Member member)
    {
        if (member.IsGone)
            return;
        if (member.Process!.Answer(stop) is { } runs)
            member.PlannedRuns = runs;
        else
            member.IsGone = true;
    }

    /// <summary>Ends the processes and reports those that ended too early.</summary>
    private int End(IReadOnlyList<Member> batch)
    {
        var worst = 0;
        foreach (var member in batch)
            member.Process?.Finish();
        foreach (var member in batch.Where(member => member.Process is not null))
        {
            using var process = member.Process!;
            if (!process.WaitForEnd(stop.IsCancellationRequested ? s_grace : s_endLimit) && !stop.IsCancellationRequested)
                console.Error(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{member.Name}: its process did not end within {s_endLimit.TotalSeconds} s after its runs and was killed"
                    )
                );
            else if (member.IsGone)
                console.Error(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{member.Name}: its process ended with exit code {process.ExitCode} before it completed its runs"
                    )
                );
            worst = Math.Max(worst, process.ExitCode);
        }

        return worst;
    }

    private static IEnumerable<IReadOnlyList<Member>> Batches(SuiteOptions options, IReadOnlyList<SerializerDescription> serializers)
    {
        var together = (int)Math.Min(MaxTogether, Math.Max(1, (AvailableMemory.Bytes() ?? long.MaxValue) / MemoryOfProcess));
        var batches = (serializers.Count + together - 1) / together;
        for (var launch = 1; launch <= options.LaunchCount && options.Tests.Count > 0; launch++)
        {
            var ofLaunch = options.OfLaunch(launch);
            var order = new SeededOrder(ofLaunch.Seed ?? SuiteOptions.NoSeed).Shuffle(serializers);
            for (var batch = 0; batch < batches; batch++)
                yield return
                [
                    .. order
                        .Where((_, index) => index * batches / order.Count == batch)
                        .Select(serializer => new Member(serializer, ofLaunch, launch)),
                ];
        }
    }

    /// <summary>A serializer in one launch.</summary>
    private sealed class Member(SerializerDescription serializer, SuiteOptions ofLaunch, int launch)
    {
        private readonly SuiteOptions _options = ofLaunch with
        {
            Serializers = [],
            Plugins = [],
            Isolate = null,
            Launches = null,
            Keep = "",
            Verify = false,
            ReferenceTracking = serializer.Settings.ReferenceTracking,
        };

        public string Name => serializer.Name;

        public IEnumerable<string> Arguments =>
            [
                .. _options.ToArguments(),
                WorkloadOptionSet.LaunchName,
                launch.ToString(CultureInfo.InvariantCulture),
                WorkloadOptionSet.OnlyName,
                serializer.Name,
                .. serializer.PluginPath.Length > 0 ? [WorkloadOptionSet.OnlyFromName, serializer.PluginPath] : Array.Empty<string>(),
            ];

        /// <summary>Number of runs of its process, as far as known.</summary>
        public int PlannedRuns { get; set; } = Planned(RunPlan.Of(ofLaunch, [serializer]));

        /// <summary>The process; null before its start.</summary>
        public SerializerProcess? Process { get; set; }

        /// <summary>Whether the process ended before its work was complete.</summary>
        public bool IsGone { get; set; }

        private static int Planned(RunPlan plan) =>
            plan.TotalRuns + Settling.RehearsedRuns(plan.Series.Count(series => series.Kind == RunKind.WarmUp));
    }
}
