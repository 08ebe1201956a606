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

    /// <summary>Canonical name of <see cref="LeftOut"/>.</summary>
    public const string LeftOutName = "-leftout";

    /// <summary>Canonical name of <see cref="Quiet"/>.</summary>
    public const string QuietName = "-quiet";

    /// <summary>Canonical name of <see cref="Out"/>.</summary>
    public const string OutName = "-out";

    /// <summary>Canonical name of <see cref="NoHeader"/>.</summary>
    public const string NoHeaderName = "-noheader";

    /// <summary>Canonical name of <see cref="Launch"/>.</summary>
    public const string LaunchName = "-launch";

    /// <summary>Canonical name of <see cref="Only"/>.</summary>
    public const string OnlyName = "-only";

    /// <summary>Canonical name of <see cref="OnlyFrom"/>.</summary>
    public const string OnlyFromName = "-onlyfrom";

    /// <summary>File to which a row a series is appended.</summary>
    public Option<string> Out { get; } = new(OutName, "-" + OutName)
    {
        Description = "Append a row a series to this CSV file: the columns of the classic suite, then ours (docs/metrics.md).",
        HelpName = "file",
        Arity = ArgumentArity.ExactlyOne,
    };

    /// <summary>No header in a new file of <see cref="Out"/>.</summary>
    public Option<bool> NoHeader { get; } = new(NoHeaderName, "-" + NoHeaderName)
    {
        Description = "No header in the file of -out, to join several.",
        Arity = ArgumentArity.Zero,
    };

    /// <summary>File to which every run is appended.</summary>
    public Option<string> Csv { get; } = new(CsvName, "-" + CsvName)
    {
        Description = "Append every run to this CSV file; environment.json beside it says on what they ran.",
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

    /// <summary>Asks for the serializers that would be left out instead of a run: a line each, name, tab and reason.</summary>
    public Option<bool> LeftOut { get; } = new(LeftOutName, "-" + LeftOutName)
    {
        Hidden = true,
        Arity = ArgumentArity.Zero,
    };

    /// <summary>Number of the launch that this process belongs to, from 1; 0 for the process that starts the others.</summary>
    public Option<int> Launch { get; } = new(LaunchName, "-" + LaunchName)
    {
        Hidden = true,
        Arity = ArgumentArity.ExactlyOne,
    };

    /// <summary>Name of the only serializer that this process measures, in the phases that its launcher asks for.</summary>
    public Option<string> Only { get; } = new(OnlyName, "-" + OnlyName)
    {
        Hidden = true,
        Arity = ArgumentArity.ExactlyOne,
    };

    /// <summary>Path of the plugin that has the serializer of <see cref="Only"/>.</summary>
    public Option<string> OnlyFrom { get; } = new(OnlyFromName, "-" + OnlyFromName)
    {
        Hidden = true,
        Arity = ArgumentArity.ExactlyOne,
    };

    /// <summary>Every option of the set.</summary>
    public IReadOnlyList<Option> All => [Csv, Out, NoHeader, List, LeftOut, Quiet, Launch, Only, OnlyFrom];
}
