using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Completion;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>
/// <c>esp-record features</c>: shows the features of each serializer of the built-in suite. The suite tries them in separate processes and
/// prints the table.
/// </summary>
internal sealed class FeaturesCommand : Command
{
    private readonly FeatureOptionSet _options = new();
    private readonly RuntimeOptions _runtime = new();

    public FeaturesCommand()
        : base(FeatureOptions.Verb, FeatureOptionSet.Description)
    {
        this.WithExamples(
            ("esp-record features", "Which features does each serializer have: cycles, polymorphism, versions …?"),
            (
                "esp-record features -serializer MemoryPack,MessagePack --format markdown --out features.md",
                "Compare two serializers in a Markdown table."
            )
        );
        foreach (var option in _options.All)
            Options.Add(option);
        _runtime.AddTo(this, precompile: false);
        _options.Serializer.CompleteList(SuiteCompletions.Serializers);
        SetAction(RunAsync);
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellation)
    {
        if (BuiltInSuite.Missing is { } missing)
            return parsed.Fail(missing, ExitCode.NotPossible);
        var options = _options.Read(parsed);
        if (!_runtime.IsGiven(parsed))
            return await PrintAsync(RuntimePlan.OfShipped(BuiltInSuite.Shipped), options, cancellation).ConfigureAwait(false);

        var targets = _runtime.Targets(parsed);
        if (targets.Count > 1 && options.OutputFile.Length > 0)
            return parsed.Fail(
                new Problem(
                    "the file can hold the table of only one runtime",
                    $"{FeatureOptionSet.OutName} {options.OutputFile}",
                    $"name one runtime, or leave {FeatureOptionSet.OutName} out"
                ),
                ExitCode.Usage
            );
        var plan = await PublishedSuites.PlanAsync(parsed, targets, PrecompileMode.Off, cancellation).ConfigureAwait(false);
        var suites = new PublishedSuites(parsed);
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
        var environment = PublishedSuites.EnvironmentOf(build);
        environment[FeatureOptions.NativeAotVariable] = await PublishedSuites.NativeAotProgramAsync(cancellation).ConfigureAwait(false);
        await using var suite = ChildProcess.Start(
            [.. build.Launch, .. options.ToArguments()],
            Environment.CurrentDirectory,
            environment,
            output: null
        );
        await suite.WaitForExitAsync(cancellation).ConfigureAwait(false);
        return suite.ExitCode ?? ExitCode.Failed;
    }
}
