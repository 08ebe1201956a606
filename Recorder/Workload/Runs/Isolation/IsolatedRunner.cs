using System.ComponentModel;
using System.Globalization;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Scenarios;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Runs.Isolation;

/// <summary>
/// Measures each serializer in processes of its own, launched several times; the launches of all serializers alternate. If one process measures all, a serializer changes the times of the next ones: it
/// moves shared methods to other tiers, fills their profile and grows the heap. And a serializer with two states stays in one of them for all of its runs.
/// </summary>
/// <remarks>
/// Settling is mostly waiting, because the runtime compiles after pauses. So several processes settle at the same time. They make first uses and measured runs in turn, while the others wait. They end at
/// the same time: at the end of a recorded process the runtime describes its methods, which takes time.
/// </remarks>
/// <param name="processes">Starts the processes.</param>
/// <param name="console">Receives errors.</param>
/// <param name="output">Receives what the processes write for people.</param>
/// <param name="options">What to do; first calls are left out.</param>
/// <param name="serializers">The serializers.</param>
/// <param name="stop">Asks to end.</param>
public sealed class IsolatedRunner(
    ChildProcess processes, SuiteConsole console, TextWriter output, SuiteOptions options, IReadOnlyList<SerializerDescription> serializers, CancellationToken stop)
{
    /// <summary>Processes that settle at the same time. On two processors the default recording takes 56 s with all 17 at once, and 60 to 64 s with two times nine.</summary>
    private const int MaxTogether = 20;

    /// <summary>Memory of a process, in bytes: those of the default benchmark took up to 138 MB (VmHWM), and their graphs can be larger.</summary>
    private const long MemoryOfProcess = 512L << 20;

    /// <summary>A process has this long to end after its work: the sessions that record it end with it.</summary>
    private static readonly TimeSpan s_endLimit = TimeSpan.FromMinutes(1);

    /// <summary>A process that was asked to stop has this long for its current run; every run before it is on disk.</summary>
    private static readonly TimeSpan s_grace = TimeSpan.FromSeconds(5);

    /// <summary>The processes of all launches, those that run at the same time together.</summary>
    private readonly List<IReadOnlyList<Member>> _batches = [.. Batches(options with { Tests = [.. options.Tests.Where(test => test != SuiteTest.FirstCall)] }, serializers)];

    /// <summary>Runs that are none of these processes'.</summary>
    private int _otherRuns;

    /// <summary>Runs that the processes make, as far as is known.</summary>
    public int PlannedRuns => _batches.Sum(batch => batch.Sum(member => member.PlannedRuns));

    /// <summary>Measures the serializers.</summary>
    /// <param name="ownArguments">Arguments that are none of the suite's options: files to write.</param>
    /// <param name="otherRuns">Runs of the benchmark that this process makes.</param>
    /// <returns>The largest exit code of the processes.</returns>
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
                    member.Process = new SerializerProcess(processes.StartInfo([.. member.Arguments, .. ownArguments]), output);
                Run(batch);
            }
            catch (Win32Exception exception)
            {
                console.Error(exception.Message);
                worst = Math.Max(worst, 1);
            }
            catch (OperationCanceledException)
            {
                // What is running is ended below.
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

    private void Ask(Phase phase, Member member) => member.IsGone = member.IsGone || !member.Process!.Ask(phase, _otherRuns + PlannedRuns - member.PlannedRuns);

    private void Take(Member member)
    {
        if (member.IsGone)
            return;
        if (member.Process!.Answer(stop) is { } runs)
            member.PlannedRuns = runs;
        else
            member.IsGone = true;
    }

    /// <summary>Ends the processes; says of those that ended too early.</summary>
    private int End(IReadOnlyList<Member> batch)
    {
        var worst = 0;
        foreach (var member in batch)
            member.Process?.Finish();
        foreach (var member in batch.Where(member => member.Process is not null))
        {
            using var process = member.Process!;
            if (!process.WaitForEnd(stop.IsCancellationRequested ? s_grace : s_endLimit) && !stop.IsCancellationRequested)
                console.Error(string.Create(CultureInfo.InvariantCulture, $"{member.Name}: its process did not end within {s_endLimit.TotalSeconds} s after its runs and was killed"));
            else if (member.IsGone)
                console.Error(string.Create(CultureInfo.InvariantCulture, $"{member.Name}: its process ended with exit code {process.ExitCode} before its runs were made"));
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
                yield return [.. order.Where((_, index) => index * batches / order.Count == batch).Select(serializer => new Member(serializer, ofLaunch, launch))];
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
            WorkloadOptionSet.LaunchName, launch.ToString(CultureInfo.InvariantCulture),
            WorkloadOptionSet.OnlyName, serializer.Name,
            .. serializer.PluginPath.Length > 0 ? [WorkloadOptionSet.OnlyFromName, serializer.PluginPath] : Array.Empty<string>(),
        ];

        /// <summary>Runs that its process makes, as far as is known.</summary>
        public int PlannedRuns { get; set; } = RunPlan.Of(ofLaunch, [serializer]).TotalRuns;

        /// <summary>The process, once it was started.</summary>
        public SerializerProcess? Process { get; set; }

        /// <summary>Whether the process ended before its work was done.</summary>
        public bool IsGone { get; set; }
    }
}
