using System.CommandLine;
using System.CommandLine.Parsing;
using EtwSerializerProfiler.CommandLine.Completion;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Options for the runtimes of the built-in suite.</summary>
internal sealed class RuntimeOptions
{
    private readonly Option<IReadOnlyList<RuntimeTarget>> _runtime = new("--runtime")
    {
        Description =
            $"Runtimes to record the built-in suite on, separated by commas: {RuntimeTarget.Legal}. The suite is published for each when needed (self-contained where the runtime is not installed); outside Windows, net472 runs on Mono.",
        HelpName = "a,b",
        Arity = ArgumentArity.OneOrMore,
        AllowMultipleArgumentsPerToken = false,
        CustomParser = Parse,
    };

    private readonly Option<PrecompileMode> _precompile = new Option<PrecompileMode>("--precompile")
    {
        Description = "Publish the suite and its libraries precompiled (ReadyToRun), or record both variants, because first calls differ.",
        HelpName = "on|off|both",
    }.ByName();

    /// <summary>Every option of the set.</summary>
    public IReadOnlyList<Option> All => [_runtime, _precompile];

    /// <summary>Adds them to a command.</summary>
    /// <param name="command">The command.</param>
    /// <param name="precompile">Whether to add --precompile: recording commands distinguish the two variants.</param>
    public void AddTo(Command command, bool precompile)
    {
        _runtime.CompleteList(() => RuntimeTarget.All.Select(target => target.Name));
        command.Options.Add(_runtime);
        if (!precompile)
            return;
        _runtime.InGroup(HelpGroups.Suite);
        command.Options.Add(_precompile.InGroup(HelpGroups.Suite));
    }

    /// <summary>Whether any of them was given.</summary>
    public bool IsGiven(SymbolResult result) =>
        result.GetResult(_runtime) is { Implicit: false } || result.GetResult(_precompile) is { Implicit: false };

    /// <summary>Whether any of them was given.</summary>
    public bool IsGiven(ParseResult parsed) => IsGiven(parsed.CommandResult);

    /// <summary>The runtimes; that of esp-record when the command line names none.</summary>
    public IReadOnlyList<RuntimeTarget> Targets(ParseResult parsed) =>
        parsed.GetValue(_runtime) is { Count: > 0 } targets ? targets : [RuntimeTarget.Net10];

    /// <summary>Which variants to record on each runtime.</summary>
    public PrecompileMode Precompile(ParseResult parsed) =>
        parsed.GetResult(_precompile) is null ? PrecompileMode.Off : parsed.GetValue(_precompile);

    /// <summary>Whether the command line asks for more than one recording, so that an index joins them.</summary>
    public bool AsksForSeveral(ParseResult parsed) => Targets(parsed).Count > 1 || Precompile(parsed) == PrecompileMode.Both;

    private static List<RuntimeTarget> Parse(ArgumentResult result)
    {
        var targets = new List<RuntimeTarget>();
        foreach (var name in result.Tokens.SelectMany(token => token.Value.Split(',', StringSplitOptions.TrimEntries)))
        {
            var found = RuntimeTarget.Find(name);
            if (found.Count == 0)
                result.AddError($"unknown runtime '{name}'", NameChoice.Advice(name, RuntimeTarget.All.Select(target => target.Name)));
            targets.AddRange(found.Except(targets));
        }

        return targets;
    }
}
