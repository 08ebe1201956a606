using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze findings</c>: known issues and doubtful numbers, with evidence, locations and advice.</summary>
internal static class FindingsCommand
{
    public static Command Create()
    {
        var command = new Command(
            "findings",
            "Lists known issues and reasons to doubt the numbers, each with confidence, evidence, locations in the trace and the fix."
        );
        command.WithExamples(
            ("esp-analyze findings recordings/r1", "Which known issues make it slow, and which numbers are doubtful?"),
            ("esp-analyze findings recordings/r1 -f json", "The same as JSON.")
        );
        var arguments = new AnalyzeArguments(stores: true, myCode: true);
        var symbols = new SymbolsOption();
        arguments.AddTo(command);
        symbols.AddTo(command);
        command.SetAction(parsed =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) => FindingsReport.Print(RunSources.Open(paths, symbols.Files(parsed)), format, output),
                findingsInCsv: true
            )
        );
        return command;
    }
}
