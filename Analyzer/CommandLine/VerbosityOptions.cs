using System.CommandLine;
using EtwSerializerProfiler.Parsing;

namespace EtwSerializerProfiler.CommandLine;

/// <summary>Options of all commands of both tools: how much is said beside the results.</summary>
public sealed class VerbosityOptions
{
    private readonly Option<bool> _quiet = new("--quiet", "-q") { Description = "Results, warnings and errors alone: no progress, no hints, no list of files.", Recursive = true };
    private readonly Option<bool> _verbose;

    /// <summary>Makes the options.</summary>
    /// <param name="verbose">Description of <c>--verbose</c>: what a tool then says.</param>
    public VerbosityOptions(string verbose)
    {
        _verbose = new Option<bool>("--verbose") { Description = verbose, Recursive = true };
        _verbose.Validators.Add(result =>
        {
            if (!result.Implicit && result.GetResult(_quiet) is { Implicit: false })
                result.AddError("--quiet and --verbose ask for opposites", "choose one");
        });
    }

    /// <summary>All of them.</summary>
    public IReadOnlyList<Option> All => [_quiet, _verbose];

    /// <summary>Whether progress and hints are left out.</summary>
    public bool IsQuiet(ParseResult parsed)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        return parsed.GetValue(_quiet);
    }

    /// <summary>Whether more is said.</summary>
    public bool IsVerbose(ParseResult parsed)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        return parsed.GetValue(_verbose);
    }

    /// <summary>Adds them to a tool.</summary>
    public void AddTo(RootCommand root)
    {
        ArgumentNullException.ThrowIfNull(root);
        foreach (var option in All)
            root.Options.Add(option);
    }
}
