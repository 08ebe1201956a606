using System.CommandLine;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Commands that write files into a folder and list them.</summary>
internal static class WriteAction
{
    /// <summary>Writes the files; an unwritable folder is an error with an exit code.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="folder">The folder.</param>
    /// <param name="write">Writes the files and returns their paths.</param>
    public static int Run(ParseResult parsed, string folder, Func<IReadOnlyList<string>> write)
    {
        try
        {
            foreach (var path in write())
                parsed.InvocationConfiguration.Output.WriteLine($"Written: {path}");
            return ExitCode.Done;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            ReportAction.Messages(parsed).Error(SystemProblem.OfWriting(exception, folder, "choose another folder with --out"));
            return ExitCode.NotPossible;
        }
    }
}
