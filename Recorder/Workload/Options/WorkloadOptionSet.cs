using System.CommandLine;

namespace EtwSerializerProfiler.Options;

/// <summary>
/// Options of the workload's command line other than those of the suite's measurements. The recorder does not offer them; it passes
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

    /// <summary>File to which a row per series is appended.</summary>
    public Option<string> Out { get; } =
        new(OutName, "-" + OutName)
        {
            Description =
                "Append a row per series to this CSV file: the columns of SerializerTests, then additional ones (docs/metrics.md).",
            HelpName = "file",
            Arity = ArgumentArity.ExactlyOne,
        };

    /// <summary>Omits the header in a new file of <see cref="Out"/>.</summary>
    public Option<bool> NoHeader { get; } =
        new(NoHeaderName, "-" + NoHeaderName)
        {
            Description = "Write no header to the file of -out, so that files can be joined.",
            Arity = ArgumentArity.Zero,
        };

    /// <summary>File to which every run is appended.</summary>
    public Option<string> Csv { get; } =
        new(CsvName, "-" + CsvName)
        {
            Description =
                "Append every run to this CSV file; beside it, environment.json describes their environment and scenario.json has the "
                + "conclusion of a scenario.",
            HelpName = "file",
            Arity = ArgumentArity.ExactlyOne,
        };

    /// <summary>Lists the serializers instead of running.</summary>
    public Option<bool> List { get; } =
        new(ListName, "-" + ListName)
        {
            Description = "List the serializers with library, version and data format.",
            Arity = ArgumentArity.Zero,
        };

    /// <summary>Omits the line per series on standard output, because the recorder has its own.</summary>
    public Option<bool> Quiet { get; } = new(QuietName, "-" + QuietName) { Hidden = true, Arity = ArgumentArity.Zero };

    /// <summary>Lists the serializers that would be left out instead of running: a line each with name, tab and reason.</summary>
    public Option<bool> LeftOut { get; } = new(LeftOutName, "-" + LeftOutName) { Hidden = true, Arity = ArgumentArity.Zero };

    /// <summary>Number of the launch of this process, from 1; 0 for the process that starts the launches.</summary>
    public Option<int> Launch { get; } = new(LaunchName, "-" + LaunchName) { Hidden = true, Arity = ArgumentArity.ExactlyOne };

    /// <summary>Name of the only serializer to measure, in the phases that the launcher requests.</summary>
    public Option<string> Only { get; } = new(OnlyName, "-" + OnlyName) { Hidden = true, Arity = ArgumentArity.ExactlyOne };

    /// <summary>Path of the plugin with the serializer of <see cref="Only"/>.</summary>
    public Option<string> OnlyFrom { get; } = new(OnlyFromName, "-" + OnlyFromName) { Hidden = true, Arity = ArgumentArity.ExactlyOne };

    /// <summary>Every option of the set.</summary>
    public IReadOnlyList<Option> All => [Csv, Out, NoHeader, List, LeftOut, Quiet, Launch, Only, OnlyFrom];
}
