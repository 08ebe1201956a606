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

/// <summary><c>esp-analyze gate</c>: whether the compared side is worse by more than is allowed, as an exit code.</summary>
internal static class GateCommand
{
    /// <summary>Name of the command, and of its section in the configuration file.</summary>
    public const string Section = "gate";

    /// <summary>Name of the option with the recordings to compare with.</summary>
    public const string BaselineName = "--baseline";

    public static Command Create()
    {
        var command = new ConfiguredCommand(Section, "Ends with 1 when the last recording is slower or allocates more than allowed, 5 when the runs cannot tell, 0 otherwise.");
        command.WithExamples(
            ("esp-analyze gate baseline recordings/r1", "May this be merged? Exit code 1 when it is slower or allocates more, 5 when the runs cannot tell."),
            ("esp-analyze gate baseline recordings/r1 --max-slowdown 3% --junit gate.xml", "A tighter limit, and a test case a check for the build server."),
            ("esp-analyze gate baseline recordings/r1 --metric wall,cpu --markdown gate.md", "Time and CPU time only, with a table for the pull request."),
            ("esp-analyze gate recordings/r1 --baseline all.db#branch=main,class=this,last=20", "Against the last 20 runs of main on machines like this one, from a store."));
        var arguments = new AnalyzeArguments(DiffCommand.Sides + " With --baseline the one to compare alone.", stores: true);
        var baseline = new Option<string[]>(BaselineName)
        {
            Description = "The recordings to compare with, when the command line names only the one to compare. May be given several times.",
            HelpName = "RECORDING",
            DefaultValueFactory = _ => [],
        };
        var comparison = new ComparisonOptionSet(forGate: true);
        var slowdown = ComparisonOptionSet.Percent("--max-slowdown", "How much more time runs may take.", 0.05);
        var allocation = ComparisonOptionSet.Percent("--max-alloc", "How much more runs may allocate.", 0.01);
        var metrics = new Option<IReadOnlyList<Metric>>("--metric")
        {
            HelpName = "METRICS",
            DefaultValueFactory = _ => [Metric.Wall, Metric.Allocation],
            CustomParser = argument =>
            {
                var names = argument.Tokens.SelectMany(token => token.Value.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)).ToList();
                argument.RefuseUnknown(names, "measure", Metric.Keys);
                return [.. names.SelectMany(Metric.Find).Distinct()];
            },
        }.DescribedBy(static () => $"What is gated: {Metric.AllKeys}, separated by commas.");
        metrics.CompleteList(() => Metric.All.Select(metric => metric.Key));
        var junit = new Option<string?>("--junit") { Description = "Also write JUnit XML to this file: a test case a check.", HelpName = "FILE" };
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
                result.AddError("one recording is compared with nothing", "name those to compare with before it, by --baseline, or as \"baseline\" in the section \"gate\" of an esp.json");
            else if (sides > 1 && bases > 0)
                result.AddError("the recordings to compare with are named twice", "leave --baseline out, or name only the recording to compare beside it");
        });
        foreach (var option in (Option[])[slowdown, allocation, metrics, junit, markdown])
            command.Options.Add(option);
        symbols.AddTo(command);
        command.SetAction(parsed =>
        {
            var outcome = GateOutcome.NotJudged;
            var code = ReportAction.Run(parsed, arguments, (paths, format, output) =>
            {
                var limits = new GateLimits(parsed.GetValue(metrics)!, parsed.GetValue(slowdown), parsed.GetValue(allocation));
                (var result, outcome) = ComparisonPrinter.PrintGate(
                    RunSources.OpenEach([.. arguments.Runs!.Of(parsed, parsed.GetValue(baseline)!), .. paths], symbols.Files(parsed)), comparison.Query(parsed), limits, format, output, new GateFiles(parsed.GetValue(junit), parsed.GetValue(markdown)));
                return result;
            });
            return code != ExitCode.Done || arguments.Runs!.IsList(parsed) ? code : outcome switch { GateOutcome.Violated => ExitCode.Failed, GateOutcome.NotJudged => ExitCode.NotJudged, _ => ExitCode.Done };
        });
        return command;
    }
}
