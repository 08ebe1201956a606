using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze table</c>: one row per serializer and test, with all measures.</summary>
internal static class TableCommand
{
    public static Command Create()
    {
        var command = new Command("table", "Shows what each serializer cost: one row per serializer and test, with all measures.");
        command.WithExamples(
            ("esp-analyze table recordings/r1", "What did each serializer cost?"),
            ("esp-analyze table recordings/r1 --columns median,b/object,gc", "Only these columns."),
            ("esp-analyze table recordings/r1 --detail", "Also processor time, waiting and context switches."),
            ("esp-analyze table recordings/net8 recordings/net10", "Two recordings side by side.")
        );
        var arguments = new AnalyzeArguments(stores: true);
        var symbols = new SymbolsOption();
        var columns = new Option<string>("--columns")
        {
            Description =
                "Columns of the text output, separated by commas: parts of headers (#HEADER for a whole header) or field names (default: as many as fit the terminal).",
            HelpName = "a,b",
            DefaultValueFactory = _ => "",
        };
        columns.Validators.Add(result =>
        {
            foreach (
                var name in Names(result.GetValueOrDefault<string>() ?? "")
                    .Where(name => !SummaryColumns.Main.Any(column => SummaryColumns.IsNamed(column, name)))
            )
                result.AddError(
                    $"there is no column '{name}'",
                    NameChoice.Advice(name, SummaryColumns.Main.Select(column => column.Header).OfType<string>())
                );
        });
        arguments.AddTo(command);
        command.Options.Add(arguments.Detail);
        command.Options.Add(columns);
        symbols.AddTo(command);
        command.SetAction(parsed =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) =>
                    ReportPrinter.PrintTable(
                        RunSources.Open(paths, symbols.Files(parsed)),
                        format,
                        output,
                        parsed.GetValue(arguments.Detail),
                        Names(parsed.GetValue(columns)!)
                    )
            )
        );
        return command;
    }

    private static string[] Names(string list) => list.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
}
