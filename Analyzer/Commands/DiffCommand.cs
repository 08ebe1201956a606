using System.CommandLine;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports.Comparison;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze diff</c>: differences beyond noise between two sides, and their reasons.</summary>
internal static class DiffCommand
{
    public const string Sides =
        "The base recordings (one, several, or a folder of several), and last the recording to compare with them: folders of recordings, .nettrace files, Windows traces.";

    public static Command Create()
    {
        var command = new Command("diff", "Compares recordings: shows what changed beyond noise for each serializer and test, and why.");
        command.WithExamples(
            ("esp-analyze diff recordings/before recordings/after", "What changed beyond noise, and why?"),
            (
                "esp-analyze diff recordings/before recordings/after --by line --top 20",
                "Which lines of my program became slower? (--by method: which methods)"
            ),
            (
                "esp-analyze diff recordings/r1/net10.0 recordings/r1/mono",
                "How much of the difference between two runtimes do reflection and Activator explain?"
            ),
            ("esp-analyze diff recordings/before recordings/after --html diff.html", "The same as a page, with a difference flame graph.")
        );
        var arguments = new AnalyzeArguments($"{Sides} One recording of two runtimes is compared by runtime.", stores: true);
        arguments.Paths.Validators.Add(result =>
        {
            if (result.Tokens.Count == 1 && RecordingSets.Pair(result.Tokens[0].Value).Count == 0)
                result.AddError(
                    $"'{result.Tokens[0].Value}' has nothing to compare with",
                    "name two recordings, or one of two runtimes (esp-record --runtime net10.0,mono)"
                );
        });
        var comparison = new ComparisonOptionSet();
        var by = new Option<DiffDetail>("--by")
        {
            Description = "Tables that break the differences down: cause, method, line, gc, alloc, all (JSON always has the causes).",
            DefaultValueFactory = _ => DiffDetail.Summary,
        }.ByName();
        var factorOut = new Option<string>("--factor-out")
        {
            Description =
                "Causes to subtract from both sides, to show the ratio that remains; or none. Default: Reflection,Activator if the runtimes differ, else none.",
            HelpName = "CAUSES",
        };
        var top = new Option<int>("--top")
        {
            Description = "Maximum methods and types per pair in the tables of --by.",
            DefaultValueFactory = _ => 10,
            HelpName = "COUNT",
        };
        var page = new Option<string?>("--html")
        {
            Description = "Also write the comparison as one HTML file, with a difference flame graph; replaces an existing file.",
            HelpName = "FILE",
        };
        var symbols = new SymbolsOption();
        top.Validators.Add(result =>
        {
            if (result.Tokens.Count == 1 && (!int.TryParse(result.Tokens[0].Value, out var rows) || rows < 1))
                result.AddError($"'{result.Tokens[0].Value}' is not a number of rows", "choose 1 or more");
        });
        factorOut.Validators.Add(result =>
            result.RefuseUnknown(result.Tokens is [var text, ..] ? Causes(text.Value)! : [], "cause", CauseCatalog.Groups)
        );
        arguments.AddTo(command);
        comparison.AddTo(command);
        command.Options.Add(by);
        command.Options.Add(factorOut);
        command.Options.Add(top);
        command.Options.Add(page);
        symbols.AddTo(command);
        command.SetAction(parsed =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) =>
                {
                    var query = comparison.Query(parsed) with { FactorOut = Causes(parsed.GetValue(factorOut)) };
                    return ComparisonPrinter.PrintDiff(
                        RunSources.OpenEach(paths.Count == 1 ? RecordingSets.Pair(paths[0]) : paths, symbols.Files(parsed)),
                        new DiffQuery(query, parsed.GetValue(by), parsed.GetValue(top)),
                        format,
                        output,
                        parsed.GetValue(page)
                    );
                }
            )
        );
        return command;
    }

    /// <summary>Parses the causes to factor out; null when the option is missing.</summary>
    private static string[]? Causes(string? text) =>
        "none".Equals(text, StringComparison.OrdinalIgnoreCase)
            ? []
            : text?.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
}
