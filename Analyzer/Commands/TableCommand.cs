using System.CommandLine;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Reports.Sources;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze table</c>: one row a serializer and test.</summary>
internal static class TableCommand
{
    public static Command Create()
    {
        var command = new Command("table", "What each serializer cost: one row a serializer and test (default).");
        command.WithExamples(
            ("esp-analyze table recordings/r1", "What did each serializer cost?"),
            ("esp-analyze table recordings/r1 --detail", "Also processor time, waiting and switches."),
            ("esp-analyze table recordings/net8 recordings/net10", "Two recordings beside each other."));
        Set(command, ReportPrinter.PrintTable);
        return command;
    }

    /// <summary>Makes the root command print the first screen when no other command is named.</summary>
    public static void SetFirstScreen(Command root) =>
        Set(root, (source, format, output, detail) => detail ? ReportPrinter.PrintTable(source, format, output, detail) : ReportPrinter.PrintFirstScreen(source, format, output));

    private static void Set(Command command, Func<IRunSource, ReportFormat, TextWriter, bool, AnalysisResult> print)
    {
        var arguments = new AnalyzeArguments(stores: true);
        var symbols = new SymbolsOption();
        arguments.AddTo(command);
        command.Options.Add(arguments.Detail);
        symbols.AddTo(command);
        command.SetAction(parsed => ReportAction.Run(parsed, arguments, (paths, format, output) => print(RunSources.Open(paths, symbols.Files(parsed)), format, output, parsed.GetValue(arguments.Detail))));
    }
}
