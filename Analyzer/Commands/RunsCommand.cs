using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze runs</c>: one row per run, with the delimiter's differences from the program's own clock.</summary>
internal static class RunsCommand
{
    public static Command Create()
    {
        var command = new Command("runs", "Lists the runs: start, stop, their delimiter, and the difference from the program's own clock.");
        command.WithExamples(
            ("esp-analyze runs recordings/r1", "When did each run start and stop, and by which evidence?"),
            ("esp-analyze runs recordings/r1 --detail -f csv", "All runs with processor time, waiting and context switches, as CSV.")
        );
        var arguments = new AnalyzeArguments(stores: true);
        var symbols = new SymbolsOption();
        arguments.AddTo(command);
        command.Options.Add(arguments.Detail);
        symbols.AddTo(command);
        command.SetAction(parsed =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) =>
                    ReportPrinter.PrintRuns(
                        RunSources.Open(paths, symbols.Files(parsed)),
                        format,
                        output,
                        parsed.GetValue(arguments.Detail)
                    )
            )
        );
        return command;
    }
}
