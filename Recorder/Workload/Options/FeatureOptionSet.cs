using System.CommandLine;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Options;

/// <summary>The options of the feature table. esp-workload parses them; esp-record offers the same ones and forwards them.</summary>
public sealed class FeatureOptionSet
{
    /// <summary>Description of the command.</summary>
    public const string Description =
        "Tries the features of each serializer - members, polymorphism, cycles, versions, values, streams, threads - and prints the table.";

    // Shares two options with the suite.
    private readonly SuiteOptionSet _suite = new();

    /// <summary>The serializers to try.</summary>
    public Option<IReadOnlyList<NamePattern>> Serializer => _suite.Serializer;

    /// <summary>Own serializers.</summary>
    public Option<string[]> Plugin => _suite.Plugin;

    /// <summary>Every option of the set.</summary>
    public IReadOnlyList<Option> All => [Serializer, Plugin];

    /// <summary>Reads the options of a valid command line.</summary>
    public FeatureOptions Read(ParseResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return new FeatureOptions
        {
            Serializers = result.GetValue(Serializer) ?? [],
            Plugins = result.GetValue(Plugin) ?? [],
        };
    }
}
