using System.CommandLine;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Arguments that every command of esp-analyze takes.</summary>
internal sealed class AnalyzeArguments
{
    public Argument<string[]> Paths { get; } = new("RECORDING|FILE")
    {
        Description = "A recording's folder, or one or more .nettrace files (and a runs.csv) that belong together.",
        Arity = ArgumentArity.OneOrMore,
    };

    public Option<ReportFormat> Format { get; } = new("--format", "-f")
    {
        Description = "Form of the output.",
        DefaultValueFactory = _ => ReportFormat.Table,
    };

    /// <summary>Of tables with rows of runs.</summary>
    public Option<bool> Detail { get; } = new("--detail")
    {
        Description = "A second table: processor time, waiting and switches (CSV and JSON always have its values).",
    };

    public void AddTo(Command command)
    {
        Paths.Validators.Add(result =>
        {
            // System.CommandLine takes an unknown option for a value.
            foreach (var token in result.Tokens.Where(token => token.Value.StartsWith('-') && !Path.Exists(token.Value)))
                result.AddError($"Unknown option '{token.Value}'.");
        });
        command.Arguments.Add(Paths);
        command.Options.Add(Format);
    }
}
