using System.CommandLine;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Reports.Comparison;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze trend</c>: a measure over several recordings, with the points where it changed.</summary>
internal static class TrendCommand
{
    public static Command Create()
    {
        var command = new Command("trend", "One line a recording over time for each serializer and test, change points marked.");
        var arguments = new AnalyzeArguments("Recordings, or folders of recordings.");
        var runs = new RunFilterOptions();
        var metric = new Option<string>("--metric") { Description = $"The measure: {string.Join(", ", Metric.All.Select(item => item.Key))}.", DefaultValueFactory = _ => Metric.Wall.Key, HelpName = "METRIC" };
        metric.AcceptOnlyFromAmong([.. Metric.All.Select(item => item.Key)]);
        var allRuns = new Option<bool>("--all-runs") { Description = "Also runs that were disturbed." };
        arguments.AddTo(command);
        runs.AddTo(command);
        command.Options.Add(metric);
        command.Options.Add(allRuns);
        command.SetAction(parsed => ReportAction.Run(parsed, arguments, (paths, format, output) => ComparisonPrinter.PrintTrend(
            paths, new ComparisonQuery(runs.Filter(parsed), new ComparisonOptions { KeepDisturbedRuns = parsed.GetValue(allRuns) }), Metric.Find(parsed.GetValue(metric)!)!, format, output)));
        return command;
    }
}
