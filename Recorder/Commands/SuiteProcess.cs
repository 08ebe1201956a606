using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Runs the built-in suite without recording it.</summary>
internal static class SuiteProcess
{
    /// <summary>Runs it to its end.</summary>
    /// <param name="build">The suite of a runtime.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="output">Receives its standard output; null for the recorder's own.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <returns>Its exit code.</returns>
    /// <exception cref="LaunchException">It cannot be started.</exception>
    public static async Task<int> RunAsync(
        PublishPlan build,
        IReadOnlyList<string> arguments,
        TextWriter? output,
        CancellationToken cancellation
    )
    {
        var environment = PublishedSuites.EnvironmentOf(build);
        environment[FeatureOptions.NativeAotVariable] = await PublishedSuites.NativeAotProgramAsync(cancellation).ConfigureAwait(false);
        await using var suite = ChildProcess.Start([.. build.Launch, .. arguments], Environment.CurrentDirectory, environment, output);
        await suite.WaitForExitAsync(cancellation).ConfigureAwait(false);
        return suite.ExitCode ?? ExitCode.Failed;
    }
}
