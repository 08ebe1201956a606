using System.CommandLine;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Sessions.Launch;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record list</c>: the serializers of the built-in suite. The suite itself prints them, so what is listed is what it would run.</summary>
internal sealed class ListCommand : Command
{
    public ListCommand()
        : base("list", "Lists the serializers of the built-in suite: name, library, version, data format, available or why not.")
    {
        SetAction((_, cancellation) => RunAsync(cancellation));
    }

    private static async Task<int> RunAsync(CancellationToken cancellation)
    {
        if (BuiltInSuite.Missing is { } missing)
        {
            await Console.Error.WriteLineAsync($"esp-record: {missing}").ConfigureAwait(false);
            return ExitCode.NotPossible;
        }

        await using var suite = ChildProcess.Start([BuiltInSuite.Executable, WorkloadOptionSet.ListName], Environment.CurrentDirectory, BuiltInSuite.Environment, output: null);
        await suite.WaitForExitAsync(cancellation).ConfigureAwait(false);
        return suite.ExitCode ?? ExitCode.Failed;
    }
}
