using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze findings</c>: known diseases and what makes numbers doubtful, with evidence, places and advice.</summary>
internal static class FindingsCommand
{
    public static Command Create()
    {
        var command = new Command("findings", "Known diseases and what makes the numbers doubtful: how sure, the numbers it rests on, where in the trace, the fix.");
        command.WithExamples(
            ("esp-analyze findings recordings/r1", "What is known to be slow here, and which numbers are doubtful?"),
            ("esp-analyze findings recordings/r1 -f json", "The same for a program."));
        var arguments = new AnalyzeArguments(stores: true);
        var symbols = new SymbolsOption();
        arguments.AddTo(command);
        symbols.AddTo(command);
        command.SetAction(parsed => ReportAction.Run(parsed, arguments, (paths, format, output) => FindingsReport.Print(RunSources.Open(paths, symbols.Files(parsed)), format, output), findingsInCsv: true));
        return command;
    }
}
