using System.CommandLine;
using System.CommandLine.Completions;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports.Comparison;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze trend</c>: a measure over several recordings, with change points.</summary>
internal static class TrendCommand
{
    public static Command Create()
    {
        var command = new Command("trend", "Shows each serializer and test over time, one line per recording, with change points marked.");
        command.WithExamples(
            ("esp-analyze trend recordings", "How did the time of each serializer change over all recordings of a folder?"),
            ("esp-analyze trend recordings --metric alloc --serializer MemoryPack", "The same for the allocations of one serializer.")
        );
        var arguments = new AnalyzeArguments("Recordings, or folders of recordings.", stores: true);
        var runs = new RunFilterOptions();
        var metric = new Option<string>("--metric") { DefaultValueFactory = _ => Metric.Wall.Key, HelpName = "METRIC" }.DescribedBy(
            static () =>
                $"The measure: {Metric.AllKeys}."
        );
        metric.CompletionSources.Add(static _ => Metric.All.Select(item => new CompletionItem(item.Key)));
        metric.Validators.Add(result =>
        {
            if (result.Tokens.Count == 1 && !NameChoice.TryFind(result.Tokens[0].Value, Metric.Keys, out _, out var advice))
                result.AddError($"there is no measure '{result.Tokens[0].Value}'", advice);
        });
        var allRuns = new Option<bool>("--all-runs") { Description = "Also use disturbed runs." };
        arguments.AddTo(command);
        runs.AddTo(command);
        command.Options.Add(metric);
        command.Options.Add(allRuns);
        command.SetAction(parsed =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) =>
                    ComparisonPrinter.PrintTrend(
                        RunSources.OpenEach(paths),
                        new ComparisonQuery(runs.Filter(parsed), new ComparisonOptions { KeepDisturbedRuns = parsed.GetValue(allRuns) }),
                        Metric.Find(parsed.GetValue(metric)!)[0],
                        format,
                        output
                    )
            )
        );
        return command;
    }
}
