using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>
/// <c>esp-analyze summary</c>, also the default without a command: which serializer is slow, why, and how far to trust the numbers.
/// </summary>
internal static class SummaryCommand
{
    public static Command Create()
    {
        var command = new Command(
            "summary",
            "Shows on one screen which serializer is slow, why, and how far to trust the numbers (default). For a program without marks, shows where its time went. CSV and JSON equal those of table."
        );
        command.WithExamples(
            ("esp-analyze summary recordings/r1", "What is fast, what is slow, and why?"),
            ("esp-analyze summary trace.nettrace#from=2,to=5", "What did the program do between second 2 and 5?"),
            ("esp-analyze summary recordings/net10 recordings/mono", "Two runtimes side by side.")
        );
        Set(command);
        return command;
    }

    /// <summary>Sets the summary as the action of a command.</summary>
    public static void Set(Command command)
    {
        var arguments = new AnalyzeArguments(stores: true, myCode: true);
        var symbols = new SymbolsOption();
        var allCode = new Option<bool>("--no-just-my-code")
        {
            Description =
                "For a program without marks, also show methods of the platform and functions of the runtime, each with its own time alone.",
        };
        arguments.AddTo(command);
        command.Options.Add(allCode);
        symbols.AddTo(command);
        command.SetAction(parsed =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) =>
                    ReportPrinter.PrintFirstScreen(
                        RunSources.Open(paths, symbols.Files(parsed)),
                        format,
                        output,
                        justMyCode: !parsed.GetValue(allCode)
                    )
            )
        );
    }
}
