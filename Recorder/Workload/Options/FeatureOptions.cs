using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Options;

/// <summary>
/// Options of the feature table. <see cref="FeatureOptionSet"/> parses them from a command line; <see cref="ToArguments"/> formats them.
/// </summary>
public sealed record FeatureOptions
{
    /// <summary>First argument of <c>esp-workload features</c>, and the verb of esp-record.</summary>
    public const string Verb = "features";

    /// <summary>Variable by which esp-record names the suite's program compiled by NativeAOT; its trials need that program.</summary>
    public const string NativeAotVariable = "ESP_NATIVEAOT_SUITE";

    /// <summary>Filters for serializers; a serializer takes part if any filter matches. Empty for all.</summary>
    public IReadOnlyList<NamePattern> Serializers { get; init; } = [];

    /// <summary>Assemblies with the user's own serializers to include.</summary>
    public IReadOnlyList<string> Plugins { get; init; } = [];

    /// <summary>The arguments for passing these options to the suite's process, verb first.</summary>
    public IReadOnlyList<string> ToArguments()
    {
        var arguments = new List<string> { Verb };
        if (Serializers.Count > 0)
            arguments.AddRange([SuiteOptionSet.SerializerName, string.Join(',', Serializers)]);
        foreach (var plugin in Plugins)
            arguments.AddRange([SuiteOptionSet.PluginName, Path.GetFullPath(plugin)]);
        return arguments;
    }
}
