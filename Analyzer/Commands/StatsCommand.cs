using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze stats</c>: what fills an .etl trace.</summary>
internal static class StatsCommand
{
    /// <summary>Rows for people unless --top says otherwise; programs get all.</summary>
    private const int RowsForPeople = 40;

    public static Command Create()
    {
        var command = new Command("stats", "What fills a Windows trace (.etl, .etl.zip, .diagsession): events and bytes by provider and event, losses, clock, sampling interval.");
        command.WithExamples(
            ("esp-analyze stats trace.etl", "What fills the trace, and was anything lost?"),
            ("esp-analyze stats trace.etl --by-process --top 10", "Which processes fill it?"));
        var arguments = new AnalyzeArguments("One or more files of one trace: .etl, .etl.zip, .zip or .diagsession.");
        var byProcess = new Option<bool>("--by-process") { Description = "Count each process by itself." };
        var top = TopOption.Create(RowsForPeople);
        arguments.AddTo(command);
        command.Options.Add(byProcess);
        command.Options.Add(top);
        command.SetAction(parsed => ReportAction.Run(
            parsed, arguments, (paths, format, output) => ReportPrinter.PrintContents(paths, parsed.GetValue(byProcess), TopOption.Rows(parsed.GetValue(top), format, RowsForPeople), format, output)));
        return command;
    }
}
