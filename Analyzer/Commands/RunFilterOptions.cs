using System.CommandLine;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Options that select runs, shared by the commands that look into runs.</summary>
internal sealed class RunFilterOptions
{
    private readonly Option<string?> _serializer = new("--serializer")
    {
        Description = "Only runs of these serializers: parts of names, or #NAME.",
        HelpName = "NAME",
    };
    private readonly Option<string?> _test = new("--test")
    {
        Description = "Only runs of these operations or tests, as in the table.",
        HelpName = "NAME",
    };
    private readonly Option<string?> _runtime = new("--runtime")
    {
        Description = "Only runs on these runtimes: labels of recordings, or versions.",
        HelpName = "NAME",
    };
    private readonly Option<int?> _run = new("--run")
    {
        Description = "Only the run with this number, as in 'esp-analyze runs'.",
        HelpName = "I",
    };
    private readonly Option<RunKindFilter> _kind = new Option<RunKindFilter>("--kind")
    {
        Description = "Measured runs, or all runs with warm-ups and first calls.",
        HelpName = "measured|all",
        DefaultValueFactory = _ => RunKindFilter.Measured,
    }.ByName();

    /// <summary>Adds the options to a command.</summary>
    /// <param name="command">The command.</param>
    /// <param name="kinds">Whether to add the options for run numbers and kinds.</param>
    public void AddTo(Command command, bool kinds = true)
    {
        foreach (var option in (Option<string?>[])[_serializer, _test, _runtime])
        {
            option.Validators.Add(result =>
            {
                if (result.Tokens.Any(token => NamePattern.List(token.Value).Count == 0))
                    result.AddError($"{option.Name} names nothing", $"write {option.Name} NAME: {NamePattern.Rule}");
            });
        }

        foreach (var option in kinds ? (Option[])[_serializer, _test, _runtime, _run, _kind] : [_serializer, _test, _runtime])
            command.Options.Add(option);
    }

    public RunFilter Filter(ParseResult parsed) =>
        new()
        {
            Serializer = parsed.GetValue(_serializer),
            Test = parsed.GetValue(_test),
            Runtime = parsed.GetValue(_runtime),
            RunId = parsed.GetValue(_run),
            AllKinds = parsed.GetValue(_kind) == RunKindFilter.All,
        };
}
