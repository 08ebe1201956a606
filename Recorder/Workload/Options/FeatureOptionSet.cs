using System.CommandLine;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;

namespace EtwSerializerProfiler.Options;

/// <summary>The options of the feature table. esp-workload parses them; esp-record offers the same ones and forwards them.</summary>
public sealed class FeatureOptionSet
{
    /// <summary>Description of the command.</summary>
    public const string Description =
        "Tries the features of each serializer - members, polymorphism, cycles, versions, values, streams, threads - and prints the table.";

    /// <summary>Name of <see cref="Format"/>.</summary>
    public const string FormatName = "--format";

    /// <summary>Name of <see cref="Out"/>.</summary>
    public const string OutName = "--out";

    // Shares two options with the suite.
    private readonly SuiteOptionSet _suite = new();

    /// <summary>The serializers to try.</summary>
    public Option<IReadOnlyList<NamePattern>> Serializer => _suite.Serializer;

    /// <summary>Own serializers.</summary>
    public Option<string[]> Plugin => _suite.Plugin;

    /// <summary>Format of the table.</summary>
    public Option<FeatureFormat> Format { get; } =
        new Option<FeatureFormat>(FormatName, "-format", "-f")
        {
            Description = "Format of the table; csv has a line per cell.",
            HelpName = "table|markdown|csv",
        }.ByName();

    /// <summary>Output file of the table.</summary>
    public Option<string> Out { get; } =
        new(OutName, "-out", "-o", "--output") { Description = "File for the table (default: standard output).", HelpName = "FILE" };

    /// <summary>Every option of the set.</summary>
    public IReadOnlyList<Option> All => [Serializer, Plugin, Format, Out];

    /// <summary>Reads the options of a valid command line.</summary>
    public FeatureOptions Read(ParseResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return new FeatureOptions
        {
            Serializers = result.GetValue(Serializer) ?? [],
            Plugins = result.GetValue(Plugin) ?? [],
            Format = result.GetValue(Format),
            OutputFile = result.GetValue(Out) ?? "",
        };
    }
}
