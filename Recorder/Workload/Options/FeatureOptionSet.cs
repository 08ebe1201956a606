using System.CommandLine;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;

namespace EtwSerializerProfiler.Options;

/// <summary>The options of the table of features: esp-workload reads them, esp-record offers the same ones and forwards them.</summary>
public sealed class FeatureOptionSet
{
    /// <summary>What the command does.</summary>
    public const string Description = "Finds by trying what each serializer can do - members, polymorphism, cycles, versions, values, streams, threads - and prints the table.";

    /// <summary>Name of <see cref="Format"/>.</summary>
    public const string FormatName = "--format";

    /// <summary>Name of <see cref="Out"/>.</summary>
    public const string OutName = "--out";

    // Two of its options are the same here.
    private readonly SuiteOptionSet _suite = new();

    /// <summary>Which serializers are tried.</summary>
    public Option<IReadOnlyList<NamePattern>> Serializer => _suite.Serializer;

    /// <summary>Own serializers.</summary>
    public Option<string[]> Plugin => _suite.Plugin;

    /// <summary>How the table is written.</summary>
    public Option<FeatureFormat> Format { get; } = new Option<FeatureFormat>(FormatName, "-format", "-f") { Description = "How the table is written; csv has a line a cell.", HelpName = "table|markdown|csv" }.ByName();

    /// <summary>Where it is written to.</summary>
    public Option<string> Out { get; } = new(OutName, "-out", "-o", "--output") { Description = "File for the table (default: standard output).", HelpName = "FILE" };

    /// <summary>Every option of the set.</summary>
    public IReadOnlyList<Option> All => [Serializer, Plugin, Format, Out];

    /// <summary>The options that a command line without errors asks for.</summary>
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
