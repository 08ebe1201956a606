using System.CommandLine;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record features</c>: what each serializer of the built-in suite can do. The suite itself tries it, in processes of its own, and prints the table.</summary>
internal sealed class FeaturesCommand : Command
{
    private readonly FeatureOptionSet _options = new();
    private readonly RuntimeOptions _runtime = new();

    public FeaturesCommand()
        : base(FeatureOptions.Verb, FeatureOptionSet.Description)
    {
        foreach (var option in _options.All)
            Options.Add(option);
        _runtime.AddTo(this, precompile: false);
        SetAction(RunAsync);
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellation)
    {
        if (BuiltInSuite.Missing is { } missing)
            return await RecordingAction.FailAsync(missing, ExitCode.NotPossible).ConfigureAwait(false);
        var options = _options.Read(parsed);
        if (!_runtime.IsGiven(parsed))
            return await PrintAsync(RuntimePlan.OfShipped(BuiltInSuite.Shipped), options, cancellation).ConfigureAwait(false);

        var targets = _runtime.Targets(parsed);
        if (targets.Count > 1 && options.OutputFile.Length > 0)
            return await RecordingAction.FailAsync($"{FeatureOptionSet.OutName} takes the table of one runtime: name one, or leave the option out", ExitCode.Usage).ConfigureAwait(false);
        var plan = await PublishedSuites.PlanAsync(targets, PrecompileMode.Off, cancellation).ConfigureAwait(false);
        var suites = new PublishedSuites(Console.Error);
        await suites.PublishAsync(plan, cancellation).ConfigureAwait(false);
        var exitCode = suites.Problems.Count > 0 ? ExitCode.NotPossible : ExitCode.Done;
        foreach (var build in suites.Ready)
        {
            if (await PrintAsync(build, options, cancellation).ConfigureAwait(false) is not ExitCode.Done and var failed)
                exitCode = failed;
        }

        return exitCode;
    }

    private static async Task<int> PrintAsync(PublishPlan build, FeatureOptions options, CancellationToken cancellation)
    {
        await using var suite = ChildProcess.Start([.. build.Launch, .. options.ToArguments()], Environment.CurrentDirectory, PublishedSuites.EnvironmentOf(build), output: null);
        await suite.WaitForExitAsync(cancellation).ConfigureAwait(false);
        return suite.ExitCode ?? ExitCode.Failed;
    }
}
