using System.CommandLine;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Sessions.Launch;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record features</c>: what each serializer of the built-in suite can do. The suite itself tries it, in processes of its own, and prints the table.</summary>
internal sealed class FeaturesCommand : Command
{
    private readonly FeatureOptionSet _options = new();

    public FeaturesCommand()
        : base(FeatureOptions.Verb, FeatureOptionSet.Description)
    {
        foreach (var option in _options.All)
            Options.Add(option);
        SetAction((result, cancellation) => RunAsync(_options.Read(result), cancellation));
    }

    private static async Task<int> RunAsync(FeatureOptions options, CancellationToken cancellation)
    {
        if (BuiltInSuite.Missing is { } missing)
        {
            await Console.Error.WriteLineAsync($"esp-record: {missing}").ConfigureAwait(false);
            return ExitCode.NotPossible;
        }

        await using var suite = ChildProcess.Start([BuiltInSuite.Executable, .. options.ToArguments()], Environment.CurrentDirectory, BuiltInSuite.Environment, output: null);
        await suite.WaitForExitAsync(cancellation).ConfigureAwait(false);
        return suite.ExitCode ?? ExitCode.Failed;
    }
}
