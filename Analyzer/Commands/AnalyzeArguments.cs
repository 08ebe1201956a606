using System.CommandLine;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.CommandLine.Completion;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Stores;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Arguments that every command of esp-analyze takes.</summary>
/// <param name="files">What the command reads.</param>
/// <param name="fewest">Fewest paths.</param>
/// <param name="stores">Whether traces of a store may be named, too.</param>
/// <param name="runs">Whether the command reads runs.</param>
internal sealed class AnalyzeArguments(string files = AnalyzeArguments.Recordings, int fewest = 1, bool stores = false, bool runs = true)
{
    /// <summary>What is said of stores where they may be named.</summary>
    private const string Stores = " Also traces of a store: all.db#branch=main,last=5.";

    private const string Recordings = "A recording's folder, or several that are compared (also as one folder with an index.json), one or more .nettrace and perf.data files (and a runs.csv) that belong together, or a Windows trace (.etl, .etl.zip, .diagsession). PATH#from=2,to=5 is a part of it, in seconds.";

    public Argument<string[]> Paths { get; } = new("RECORDING|FILE")
    {
        Description = stores ? files + Stores : files,
        Arity = new ArgumentArity(fewest, 10_000),
    };

    public Option<ReportFormat> Format { get; } = new Option<ReportFormat>("--format", "-f")
    {
        Description = "Form of the output.",
        DefaultValueFactory = _ => ReportFormat.Table,
    }.ByName();

    /// <summary>Of tables with rows of runs.</summary>
    public Option<bool> Detail { get; } = new("--detail")
    {
        Description = "A second table: processor time, waiting and switches (CSV and JSON always have its values).",
    };

    /// <summary>The events that delimit runs; null for a command that reads no runs.</summary>
    public RunsOption? Runs { get; } = runs ? new() : null;

    public void AddTo(Command command)
    {
        AddPathsTo(command, canList: true);
        command.Options.Add(Format);
    }

    /// <summary>The paths, each with the events that delimit its runs.</summary>
    public string[] PathsOf(ParseResult parsed) => Runs is null ? parsed.GetValue(Paths)! : Runs.Of(parsed, parsed.GetValue(Paths)!);

    /// <summary>Adds the paths and what delimits runs in them.</summary>
    public void AddPathsTo(Command command, bool canList = false)
    {
        Paths.Validators.Add(ParseProblems.RefuseUnknownOptions);
        Paths.Validators.Add(result =>
        {
            if (!stores && result.Tokens.Select(token => token.Value).FirstOrDefault(StoreAddress.IsStore) is { } store)
                result.AddError($"'{store}' is a store, and a store has no stacks and no single events", "name the recording itself; table, runs, causes, findings, report, diff, gate, trend, query and export --to csv take stores");
        });
        Paths.CompleteRecordings();
        command.Arguments.Add(Paths);
        Runs?.AddTo(command, Paths, canList);
    }
}
