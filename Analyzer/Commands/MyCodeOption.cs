using System.CommandLine;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Stores;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Option for what the user's own code is; without it the recording says so (<c>esp-record --my-code</c>).</summary>
internal sealed class MyCodeOption
{
    private readonly Option<string[]> _names = new("--my-code")
    {
        Description =
            "Assemblies and namespaces that are your own code: a part of the name, #name for the whole one, several with commas (default: what the recording says, else the program and its libraries). Summaries, findings and --by own show methods of this code.",
        HelpName = "NAME",
        DefaultValueFactory = _ => [],
    };

    /// <summary>Adds the option to a command.</summary>
    /// <param name="command">The command.</param>
    /// <param name="paths">Its paths.</param>
    public void AddTo(Command command, Argument<string[]> paths)
    {
        _names.Validators.Add(result =>
        {
            if (result.Tokens.Any(token => Names(token.Value).Length == 0))
                result.AddError("--my-code names nothing", "name an assembly or namespace, for example --my-code Contoso");
        });
        command.Options.Add(_names);
        command.Check(result =>
        {
            if (
                result.GetResult(_names) is { Implicit: false }
                && result.GetResult(paths)?.Tokens.Select(token => token.Value).FirstOrDefault(StoreAddress.IsStore) is { } store
            )
                result.AddError($"'{store}' is a store, which has no stacks", "name the recording itself, or leave out --my-code");
        });
    }

    /// <summary>Appends the names to the paths.</summary>
    public string[] Of(ParseResult parsed, string[] paths)
    {
        string[] names = [.. parsed.GetValue(_names)!.SelectMany(Names)];
        return names.Length == 0 ? paths : [.. paths.Select(path => TracePart.WithMyCode(path, names))];
    }

    private static string[] Names(string list) => list.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
}
