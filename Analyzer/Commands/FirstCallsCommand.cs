using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze firstcalls</c>: cost of first calls in fresh processes, and its parts.</summary>
internal static class FirstCallsCommand
{
    public static Command Create()
    {
        var command = new Command(
            "firstcalls",
            "Shows first calls in fresh processes by start-up kind: compilation and the rest, methods by tier, types, assemblies, failed loads, generated code."
        );
        command.WithExamples(
            ("esp-analyze firstcalls recordings/r1", "What do first calls cost, and how much of it is compilation?"),
            (
                "esp-analyze firstcalls recordings/r1 --serializer XmlSerializer --detail",
                "Which assemblies are loaded before and during the first call of one serializer?"
            )
        );
        var arguments = new AnalyzeArguments();
        var runs = new RunFilterOptions();
        var detail = new Option<bool>("--detail")
        {
            Description =
                "Add tables of the time before the calls and of the assemblies by name (CSV has the values of the first, JSON of both).",
        };
        arguments.AddTo(command);
        runs.AddTo(command, kinds: false);
        command.Options.Add(detail);
        command.SetAction(parsed =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) => FirstCallReport.Print(paths, runs.Filter(parsed), parsed.GetValue(detail), format, output)
            )
        );
        return command;
    }
}
