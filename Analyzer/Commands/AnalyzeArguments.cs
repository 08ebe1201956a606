using System.CommandLine;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.CommandLine.Completion;
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
        Paths.Validators.Add(ParseProblems.RefuseUnknownOptions);
        Paths.CompleteRecordings();
        command.Arguments.Add(Paths);
        command.Options.Add(Format);
    }
}
