using System.CommandLine;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Runs commands that write files into a folder and list them.</summary>
internal static class WrittenFiles
{
    /// <summary>Writes the files. An unwritable folder is an error with an exit code.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="folder">The folder.</param>
    /// <param name="write">Writes the files and returns their paths.</param>
    public static async Task<int> RunAsync(ParseResult parsed, string folder, Func<IReadOnlyList<string>> write)
    {
        try
        {
            foreach (var path in write())
                await parsed.InvocationConfiguration.Output.WriteLineAsync($"Written: {path}").ConfigureAwait(false);
            return ExitCode.Done;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return parsed.Fail(SystemProblem.OfWriting(exception, folder, "choose another folder with --out"), ExitCode.NotPossible);
        }
    }
}
