using System.CommandLine;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.CommandLine.Completion;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Stores;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Arguments of every command of esp-analyze.</summary>
/// <param name="files">Description of the paths.</param>
/// <param name="min">Minimum number of paths.</param>
/// <param name="stores">Whether the command also reads stores.</param>
/// <param name="runs">Whether the command reads runs.</param>
/// <param name="myCode">Whether the command shows the user's own code.</param>
internal sealed class AnalyzeArguments(
    string files = AnalyzeArguments.Recordings,
    int min = 1,
    bool stores = false,
    bool runs = true,
    bool myCode = false
)
{
    /// <summary>Added to the description of the paths if the command reads stores.</summary>
    private const string Stores = " Also the traces of a store: all.db#branch=main,last=5.";

    private const string Recordings =
        "A recording's folder, or several that are compared (or one folder of them with an index.json), .nettrace and perf.data files (and a runs.csv) of one recording, or a Windows trace (.etl, .etl.zip, .diagsession). PATH#from=2,to=5 selects a part of it, in seconds.";

    public Argument<string[]> Paths { get; } =
        new("RECORDING|FILE") { Description = stores ? files + Stores : files, Arity = new ArgumentArity(min, 10_000) };

    public Option<ReportFormat> Format { get; } =
        new Option<ReportFormat>("--format", "-f")
        {
            Description = "Output format.",
            DefaultValueFactory = _ => ReportFormat.Table,
        }.ByName();

    /// <summary>For tables with rows of runs.</summary>
    public Option<bool> Detail { get; } =
        new("--detail")
        {
            Description = "Add a second table with processor time, waiting and context switches (CSV and JSON always have its values).",
        };

    /// <summary>Option for the events that delimit runs; null for commands that read no runs.</summary>
    public RunsOption? Runs { get; } = runs ? new() : null;

    /// <summary>Option for what the user's own code is; null for commands that do not show it.</summary>
    private readonly MyCodeOption? _myCode = myCode ? new() : null;

    public void AddTo(Command command)
    {
        AddPathsTo(command, canList: true);
        command.Options.Add(Format);
    }

    /// <summary>The paths, extended by the names of the user's code and the events that delimit runs.</summary>
    public string[] PathsOf(ParseResult parsed)
    {
        var paths = _myCode is null ? parsed.GetValue(Paths)! : _myCode.Of(parsed, parsed.GetValue(Paths)!);
        return Runs is null ? paths : Runs.Of(parsed, paths);
    }

    /// <summary>Adds the paths and the option for run delimiters.</summary>
    public void AddPathsTo(Command command, bool canList = false)
    {
        Paths.Validators.Add(ParseProblems.RefuseUnknownOptions);
        Paths.Validators.Add(result =>
        {
            if (!stores && result.Tokens.Select(token => token.Value).FirstOrDefault(StoreAddress.IsStore) is { } store)
                result.AddError(
                    $"'{store}' is a store, which has neither stacks nor single events",
                    "name the recording itself; table, runs, causes, findings, report, diff, gate, trend, query and export --to csv read stores"
                );
        });
        Paths.CompleteRecordings();
        command.Arguments.Add(Paths);
        Runs?.AddTo(command, Paths, canList);
        _myCode?.AddTo(command, Paths);
    }
}
