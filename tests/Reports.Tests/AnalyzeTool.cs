using System.CommandLine;
using EtwSerializerProfiler.Analyzer.Commands;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>esp-analyze, run in this process.</summary>
internal static class AnalyzeTool
{
    /// <summary>Runs a command line; returns exit code, output and error stream.</summary>
    public static (int Code, string Output, string Error) Run(params string[] arguments)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        var code = RootCommandFactory.Run(arguments, new InvocationConfiguration { Output = output, Error = error });
        return (code, output.ToString(), error.ToString());
    }
}
