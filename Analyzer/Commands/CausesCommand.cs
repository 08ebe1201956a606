using System.CommandLine;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze causes</c>: what the CPU time of each serializer was spent on.</summary>
internal static class CausesCommand
{
    public static Command Create()
    {
        var command = new Command("causes", "What the CPU time of each serializer was spent on: its own code, reflection, Activator, GC, JIT, formatting, I/O …; rows add up.");
        var arguments = new AnalyzeArguments();
        var runs = new RunFilterOptions();
        var byRun = new Option<bool>("--by-run") { Description = "A row for each run instead of one for each serializer and test." };
        var detail = new Option<bool>("--detail") { Description = "Single causes instead of their groups (CSV and JSON have both)." };
        var percent = new Option<bool>("--percent") { Description = "Shares of the serializer's time instead of ms (CSV and JSON have ms)." };
        arguments.AddTo(command);
        runs.AddTo(command);
        command.Options.Add(byRun);
        command.Options.Add(detail);
        command.Options.Add(percent);
        command.SetAction(parsed => ReportAction.Run(parsed, arguments, (paths, format, output) => ReportPrinter.PrintCauses(
            paths, new CausesQuery(runs.Filter(parsed), parsed.GetValue(byRun), parsed.GetValue(detail), parsed.GetValue(percent)), format, output)));
        return command;
    }
}
