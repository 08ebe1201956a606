using System.CommandLine;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze runs</c>: one row a run, with the delimiter's differences from the program's own clock.</summary>
internal static class RunsCommand
{
    public static Command Create()
    {
        var command = new Command("runs", "One row a run: when it began and ended, by which delimiter, and how far that is from the program's own clock.");
        var arguments = new AnalyzeArguments();
        var symbols = new SymbolsOption();
        arguments.AddTo(command);
        command.Options.Add(arguments.Detail);
        symbols.AddTo(command);
        command.SetAction(parsed => ReportAction.Run(parsed, arguments, (paths, format, output) => ReportPrinter.PrintRuns(paths, format, output, parsed.GetValue(arguments.Detail), symbols.Files(parsed))));
        return command;
    }
}
