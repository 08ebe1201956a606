using System.CommandLine;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.Publishing;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>
/// Records the built-in suite on the runtimes of <c>--runtime</c> and <c>--precompile</c>. It publishes all builds first, so that no build
/// runs during a measurement.
/// </summary>
/// <param name="runtime">The two options.</param>
/// <param name="recording">The options of every recording.</param>
/// <param name="optionsOf">Creates the options for recording a build into a folder.</param>
/// <param name="leftOutOf">Asks a build which serializers it leaves out; throws when it leaves out all.</param>
internal sealed class RuntimeRecording(
    RuntimeOptions runtime,
    RecordingOptionSet recording,
    Func<PublishPlan, string, RecordOptions> optionsOf,
    Func<PublishPlan, CancellationToken, Task<IReadOnlyList<LeftOutSerializer>>> leftOutOf
)
{
    /// <summary>Records, or prints the plan.</summary>
    /// <returns>The exit code.</returns>
    public async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellation)
    {
        using var signals = new InterruptSignals(cancellation);
        var folder = recording.Folder(parsed);
        var several = runtime.AsksForSeveral(parsed);
        var plan = await PublishedSuites
            .PlanAsync(parsed, runtime.Targets(parsed), runtime.Precompile(parsed), signals.Token)
            .ConfigureAwait(false);
        if (recording.IsDryRun(parsed))
            return await PrintAsync(parsed, plan, several, folder).ConfigureAwait(false);

        RecordingSeries.CheckFolder(folder);
        var suites = new PublishedSuites(parsed);
        var leftOut = new Dictionary<PublishPlan, IReadOnlyList<LeftOutSerializer>>();
        try
        {
            await suites.PublishAsync(plan, signals.Token).ConfigureAwait(false);
            if (suites.Ready.Count == 0)
                return ExitCode.NotPossible; // each reported its reason
            await suites
                .KeepAsync(async build => leftOut[build] = await leftOutOf(build, signals.Token).ConfigureAwait(false))
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return parsed.Fail(
                new Problem(
                    "interrupted while the suite was published; nothing was recorded",
                    folder,
                    "record again, and wait for the end"
                ),
                ExitCode.Interrupted
            );
        }

        if (suites.Ready.Count == 0)
            return ExitCode.Usage;
        var members = suites.Ready.ConvertAll(build => new SeriesMember(
            build.Label,
            optionsOf(build, several ? Path.Combine(folder, build.FolderName) : folder).Without(leftOut[build])
        ));
        return several
            ? await RecordSeriesAsync(parsed, members, suites.Problems, folder, signals).ConfigureAwait(false)
            : await RecordOneAsync(parsed, members[0], signals).ConfigureAwait(false);
    }

    private async Task<int> RecordOneAsync(ParseResult parsed, SeriesMember member, InterruptSignals signals)
    {
        using var snapshots = new SnapshotSignal();
        var result = await RecordingAction
            .RecordAsync(
                parsed,
                progress =>
                    RecordingRunner.RunAsync(member.Options with { Snapshots = snapshots.Requests }, progress, signals.Token, signals.Kill),
                member.Label
            )
            .ConfigureAwait(false);
        return await RecordingAction.ReportAsync(parsed, result, recording).ConfigureAwait(false);
    }

    private async Task<int> RecordSeriesAsync(
        ParseResult parsed,
        List<SeriesMember> members,
        List<Problem> problems,
        string folder,
        InterruptSignals signals
    )
    {
        using var snapshots = new SnapshotSignal();
        ProgressLine? line = null;
        var result = await RecordingSeries
            .RunAsync(
                folder,
                RecordingAction.ToolVersion,
                members.ConvertAll(member => member with { Options = member.Options with { Snapshots = snapshots.Requests } }),
                [.. problems.Select(problem => problem.ToString())],
                member =>
                {
                    line?.Clear();
                    return line = RecordingAction.Progress(parsed, member.Label);
                },
                signals.Token,
                signals.Kill
            )
            .ConfigureAwait(false);
        line?.Clear();
        return await RecordingAction.ReportAsync(parsed, result, recording).ConfigureAwait(false);
    }

    private async Task<int> PrintAsync(ParseResult parsed, RuntimePlan plan, bool several, string folder)
    {
        foreach (var build in plan.Builds)
        {
            await PlanPrinter
                .PrintAsync(build, new WorkloadPublisher(BuiltInSuite.Project).IsCurrent(build), parsed.InvocationConfiguration.Output)
                .ConfigureAwait(false);
            await PlanPrinter
                .PrintAsync(
                    optionsOf(build, several ? Path.Combine(folder, build.FolderName) : folder),
                    parsed.InvocationConfiguration.Output
                )
                .ConfigureAwait(false);
        }

        foreach (var problem in plan.Problems)
            parsed.Fail(problem, ExitCode.NotPossible);
        return plan.Builds.Count == 0 ? ExitCode.NotPossible : ExitCode.Done;
    }
}
