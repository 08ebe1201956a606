using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze runs</c>: one row a run, with the delimiter's differences from the program's own clock.</summary>
internal static class RunsCommand
{
    public static Command Create()
    {
        var command = new Command("runs", "One row a run: when it began and ended, by which delimiter, and how far that is from the program's own clock.");
        command.WithExamples(
            ("esp-analyze runs recordings/r1", "When did each run begin and end, and how do we know?"),
            ("esp-analyze runs recordings/r1 --detail -f csv", "All runs with processor time, waiting and switches, for a program."));
        var arguments = new AnalyzeArguments(stores: true);
        var symbols = new SymbolsOption();
        arguments.AddTo(command);
        command.Options.Add(arguments.Detail);
        symbols.AddTo(command);
        command.SetAction(parsed => ReportAction.Run(parsed, arguments, (paths, format, output) => ReportPrinter.PrintRuns(RunSources.Open(paths, symbols.Files(parsed)), format, output, parsed.GetValue(arguments.Detail))));
        return command;
    }
}
