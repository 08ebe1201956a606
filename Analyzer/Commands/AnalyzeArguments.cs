using System.CommandLine;
using System.CommandLine.Parsing;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Arguments that every command of esp-analyze takes.</summary>
/// <param name="files">What the command reads.</param>
/// <param name="fewest">Fewest paths.</param>
internal sealed class AnalyzeArguments(string files = AnalyzeArguments.Recordings, int fewest = 1)
{
    private const string Recordings = "A recording's folder, or several that are compared (also as one folder with an index.json), one or more .nettrace files (and a runs.csv) that belong together, or a Windows trace (.etl, .etl.zip, .diagsession).";

    public Argument<string[]> Paths { get; } = new("RECORDING|FILE")
    {
        Description = files,
        Arity = new ArgumentArity(fewest, 10_000),
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
        Paths.Validators.Add(RefuseUnknownOptions);
        command.Arguments.Add(Paths);
        command.Options.Add(Format);
    }

    /// <summary>System.CommandLine takes an unknown option for a value.</summary>
    public static void RefuseUnknownOptions(ArgumentResult result)
    {
        foreach (var token in result.Tokens.Where(token => token.Value.StartsWith('-') && !Path.Exists(token.Value)))
            result.AddError($"Unknown option '{token.Value}'.");
    }
}
