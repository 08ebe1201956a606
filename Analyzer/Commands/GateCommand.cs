using System.CommandLine;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Comparison.Gates;
using EtwSerializerProfiler.CommandLine.Completion;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports.Comparison;
using EtwSerializerProfiler.Reports.Comparison.Gates;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze gate</c>: compares with limits and returns the outcome as an exit code.</summary>
internal static class GateCommand
{
    /// <summary>Name of the command, and of its section in the configuration file.</summary>
    public const string Section = "gate";

    /// <summary>Name of the option for the base recordings.</summary>
    public const string BaselineName = "--baseline";

    public static Command Create()
    {
        var command = new ConfiguredCommand(
            Section,
            "Exits with 1 if the last recording is slower or allocates more than allowed, with 5 if the runs cannot decide it, else with 0."
        );
        command.WithExamples(
            (
                "esp-analyze gate baseline recordings/r1",
                "May this be merged? Exit code 1 if it is slower or allocates more, 5 if the runs cannot decide it."
            ),
            (
                "esp-analyze gate baseline recordings/r1 --max-slowdown 3% --junit gate.xml",
                "A tighter limit, and one test case per check for the build server."
            ),
            (
                "esp-analyze gate baseline recordings/r1 --metric wall,cpu --markdown gate.md",
                "Only time and CPU time, with a table for the pull request."
            ),
            (
                "esp-analyze gate recordings/r1 --baseline all.db#branch=main,class=this,last=20",
                "Compare with the last 20 runs of main on machines like this one, from a store."
            )
        );
        var arguments = new AnalyzeArguments(DiffCommand.Sides + " With --baseline, only the recording to compare.", stores: true);
        var baseline = new Option<string[]>(BaselineName)
        {
            Description = "The base recordings, if the command line names only the recording to compare. May be repeated.",
            HelpName = "RECORDING",
            DefaultValueFactory = _ => [],
        };
        var comparison = new ComparisonOptionSet(forGate: true);
        var slowdown = ComparisonOptionSet.Percent("--max-slowdown", "Allowed increase of the runs' time.", 0.05);
        var allocation = ComparisonOptionSet.Percent("--max-alloc", "Allowed increase of the runs' allocations.", 0.01);
        var metrics = new Option<IReadOnlyList<Metric>>("--metric")
        {
            HelpName = "METRICS",
            DefaultValueFactory = _ => [Metric.Wall, Metric.Allocation],
            CustomParser = argument =>
            {
                var names = argument
                    .Tokens.SelectMany(token =>
                        token.Value.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
                    )
                    .ToList();
                argument.RefuseUnknown(names, "measure", Metric.Keys);
                return [.. names.SelectMany(Metric.Find).Distinct()];
            },
        }.DescribedBy(static () => $"Measures to check: {Metric.AllKeys}, separated by commas.");
        metrics.CompleteList(() => Metric.All.Select(metric => metric.Key));
        var junit = new Option<string?>("--junit")
        {
            Description = "Also write JUnit XML to this file: one test case per check.",
            HelpName = "FILE",
        };
        var markdown = new Option<string?>("--markdown") { Description = "Also write Markdown to this file.", HelpName = "FILE" };
        var symbols = new SymbolsOption();
        arguments.AddTo(command);
        comparison.AddTo(command);
        command.Configuration.AddTo(command);
        command.Options.Add(baseline);
        command.Validators.Add(result =>
        {
            var sides = result.GetResult(arguments.Paths)?.Tokens.Count ?? 0;
            var bases = result.GetResult(baseline)?.Tokens.Count ?? 0;
            if (sides == 1 && bases == 0)
                result.AddError(
                    "one recording has nothing to compare with",
                    "name the base recordings before it, with --baseline, or as \"baseline\" in the section \"gate\" of esp.json"
                );
            else if (sides > 1 && bases > 0)
                result.AddError("the base recordings are named twice", "leave --baseline out, or name only the recording to compare");
        });
        foreach (var option in (Option[])[slowdown, allocation, metrics, junit, markdown])
            command.Options.Add(option);
        symbols.AddTo(command);
        command.SetAction(parsed =>
        {
            var outcome = GateOutcome.NotJudged;
            var code = ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) =>
                {
                    var limits = new GateLimits(parsed.GetValue(metrics)!, parsed.GetValue(slowdown), parsed.GetValue(allocation));
                    (var result, outcome) = ComparisonPrinter.PrintGate(
                        RunSources.OpenEach([.. arguments.Runs!.Of(parsed, parsed.GetValue(baseline)!), .. paths], symbols.Files(parsed)),
                        comparison.Query(parsed),
                        limits,
                        format,
                        output,
                        new GateFiles(parsed.GetValue(junit), parsed.GetValue(markdown))
                    );
                    return result;
                }
            );
            return code != ExitCode.Done || arguments.Runs!.IsList(parsed)
                ? code
                : outcome switch
                {
                    GateOutcome.Violated => ExitCode.Failed,
                    GateOutcome.NotJudged => ExitCode.NotJudged,
                    _ => ExitCode.Done,
                };
        });
        return command;
    }
}
