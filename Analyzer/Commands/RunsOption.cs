using System.CommandLine;
using System.CommandLine.Parsing;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Stores;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Option for the events that delimit runs, shared by the commands that read runs.</summary>
internal sealed class RunsOption
{
    /// <summary>Value that lists the start/stop pairs of the trace.</summary>
    private const string List = "list";

    private readonly Option<string?> _runs = new("--runs")
    {
        Description =
            "Events that delimit runs: PROVIDER/TASK (TASKStart and TASKStop), PROVIDER/BEGIN,END, or activity:SOURCE/OPERATION. 'list' shows the candidates in the trace.",
        HelpName = "EVENTS|list",
    };

    /// <summary>Adds the option to a command.</summary>
    /// <param name="command">The command.</param>
    /// <param name="paths">Its paths.</param>
    /// <param name="canList">Whether the command prints a table and can list the pairs.</param>
    public void AddTo(Command command, Argument<string[]> paths, bool canList = true)
    {
        _runs.Validators.Add(result =>
        {
            if (result.Tokens is not [{ Value: var text }])
                return;
            if (text == List && !canList)
                result.AddError("--runs list prints a table, which this command cannot do", "run 'esp-analyze runs PATH --runs list'");
            else if (text != List && RunEvents.Parse(text) is null)
                result.AddError($"'{text}' does not name events that delimit runs", RunEvents.Rule);
        });
        _runs.CompletionSources.Add(List, RunEvents.ActivityPrefix);
        command.Options.Add(_runs);
        command.Check(result =>
        {
            if (
                result.GetResult(_runs) is not null
                && result.GetResult(paths)?.Tokens.Select(token => token.Value).FirstOrDefault(StoreAddress.IsStore) is { } store
            )
                result.AddError(
                    $"'{store}' is a store, whose runs were delimited when it was filled",
                    "name the recording itself, or leave out --runs"
                );
        });
    }

    /// <summary>Whether the option is on the command line.</summary>
    public bool IsGiven(CommandResult result) => result.GetResult(_runs) is { Implicit: false };

    /// <summary>Whether to list the pairs of the trace.</summary>
    public bool IsList(ParseResult parsed) => parsed.GetValue(_runs) == List;

    /// <summary>Appends the events that delimit runs to the paths.</summary>
    public string[] Of(ParseResult parsed, string[] paths) =>
        parsed.GetValue(_runs) is { } events && events != List ? [.. paths.Select(path => TracePart.With(path, events))] : paths;
}
