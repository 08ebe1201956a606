using System.CommandLine;

namespace EtwSerializerProfiler.Options;

/// <summary>
/// Options of the workload's own command line which are not part of what the suite measures. The recorder does not offer them; it passes
/// <c>-csv</c> and <c>-quiet</c> itself.
/// </summary>
public sealed class WorkloadOptionSet
{
    /// <summary>Canonical name of <see cref="Csv"/>.</summary>
    public const string CsvName = "-csv";

    /// <summary>Canonical name of <see cref="List"/>.</summary>
    public const string ListName = "-list";

    /// <summary>Canonical name of <see cref="Quiet"/>.</summary>
    public const string QuietName = "-quiet";

    /// <summary>File to which every run is appended.</summary>
    public Option<string> Csv { get; } = new(CsvName, "-" + CsvName)
    {
        Description = "Append every run to this CSV file.",
        HelpName = "file",
        Arity = ArgumentArity.ExactlyOne,
    };

    /// <summary>Asks for the table of serializers instead of a run.</summary>
    public Option<bool> List { get; } = new(ListName, "-" + ListName)
    {
        Description = "List the serializers with library, version and data format.",
        Arity = ArgumentArity.Zero,
    };

    /// <summary>No line a series on standard output: the recorder has its own.</summary>
    public Option<bool> Quiet { get; } = new(QuietName, "-" + QuietName)
    {
        Hidden = true,
        Arity = ArgumentArity.Zero,
    };

    /// <summary>Every option of the set.</summary>
    public IReadOnlyList<Option> All => [Csv, List, Quiet];
}
