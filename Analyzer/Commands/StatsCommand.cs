using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze stats</c>: what fills a trace.</summary>
internal static class StatsCommand
{
    /// <summary>Default of --top for text output; CSV and JSON have all rows.</summary>
    private const int RowsForPeople = 40;

    public static Command Create()
    {
        var command = new Command(
            "stats",
            "Shows what fills a trace (.etl, .etl.zip, .diagsession, .nettrace, perf.data): events and bytes by provider and event, losses, clock, sampling interval."
        );
        command.WithExamples(
            ("esp-analyze stats trace.etl", "What fills the trace, and was anything lost?"),
            ("esp-analyze stats recordings/r1/clr.nettrace", "Which events did the runtime write?"),
            ("esp-analyze stats trace.etl --by-process --top 10", "Which processes fill it?")
        );
        var arguments = new AnalyzeArguments(
            "A .nettrace or perf.data file, or the files of one Windows trace: .etl, .etl.zip, .zip or .diagsession.",
            runs: false
        );
        var byProcess = new Option<bool>("--by-process") { Description = "Count each process separately." };
        var top = TopOption.Create(RowsForPeople);
        arguments.AddTo(command);
        command.Options.Add(byProcess);
        command.Options.Add(top);
        command.SetAction(parsed =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) =>
                    ReportPrinter.PrintContents(
                        paths,
                        parsed.GetValue(byProcess),
                        TopOption.Rows(parsed.GetValue(top), format, RowsForPeople),
                        format,
                        output
                    )
            )
        );
        return command;
    }
}
