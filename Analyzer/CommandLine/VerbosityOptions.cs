using System.CommandLine;
using EtwSerializerProfiler.Parsing;

namespace EtwSerializerProfiler.CommandLine;

/// <summary>The options <c>--quiet</c> and <c>--verbose</c>, which all commands of both tools have.</summary>
public sealed class VerbosityOptions
{
    /// <summary>Name of the option <c>--quiet</c>.</summary>
    public const string Quiet = "--quiet";

    private readonly Option<bool> _quiet = new(Quiet, "-q")
    {
        Description = "Print only results, warnings and errors: no progress, no hints, no list of files.",
        Recursive = true,
    };
    private readonly Option<bool> _verbose;

    /// <summary>Creates the options.</summary>
    /// <param name="verbose">Description of <c>--verbose</c>.</param>
    public VerbosityOptions(string verbose)
    {
        _verbose = new Option<bool>("--verbose") { Description = verbose, Recursive = true };
        _verbose.Validators.Add(result =>
        {
            if (!result.Implicit && result.GetResult(_quiet) is { Implicit: false })
                result.AddError("--quiet and --verbose contradict each other", "choose one");
        });
    }

    /// <summary>Both options.</summary>
    public IReadOnlyList<Option> All => [_quiet, _verbose];

    /// <summary>Whether to omit progress and hints.</summary>
    public bool IsQuiet(ParseResult parsed)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        return parsed.GetValue(_quiet);
    }

    /// <summary>Whether to print more messages.</summary>
    public bool IsVerbose(ParseResult parsed)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        return parsed.GetValue(_verbose);
    }

    /// <summary>Adds the options to a tool.</summary>
    public void AddTo(RootCommand root)
    {
        ArgumentNullException.ThrowIfNull(root);
        foreach (var option in All)
            root.Options.Add(option);
    }
}
