using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Options;

/// <summary>What the table of features is asked to show. Read from a command line by <see cref="FeatureOptionSet"/>, turned back by <see cref="ToArguments"/>.</summary>
public sealed record FeatureOptions
{
    /// <summary>First argument of <c>esp-workload features</c>, and the verb of esp-record.</summary>
    public const string Verb = "features";

    /// <summary>Chooses the serializers: one that any of the filters matches takes part. Empty for all.</summary>
    public IReadOnlyList<NamePattern> Serializers { get; init; } = [];

    /// <summary>Assemblies with serializers of the user's own, which take part.</summary>
    public IReadOnlyList<string> Plugins { get; init; } = [];

    /// <summary>How the table is written.</summary>
    public FeatureFormat Format { get; init; }

    /// <summary>File that it is written to; empty for standard output.</summary>
    public string OutputFile { get; init; } = "";

    /// <summary>The arguments that make the suite's process read the same options, the verb first.</summary>
    public IReadOnlyList<string> ToArguments()
    {
        var arguments = new List<string> { Verb };
        if (Serializers.Count > 0)
            arguments.AddRange([SuiteOptionSet.SerializerName, string.Join(',', Serializers)]);
        foreach (var plugin in Plugins)
            arguments.AddRange([SuiteOptionSet.PluginName, Path.GetFullPath(plugin)]);
        arguments.AddRange([FeatureOptionSet.FormatName, Format.ToString().ToLowerInvariant()]);
        if (OutputFile.Length > 0)
            arguments.AddRange([FeatureOptionSet.OutName, OutputFile]);
        return arguments;
    }
}

/// <summary>How the table of features is written; values of <c>--format</c>.</summary>
public enum FeatureFormat
{
    /// <summary>Aligned columns.</summary>
    Table = 0,

    /// <summary>GitHub's Markdown.</summary>
    Markdown = 1,

    /// <summary>A line a cell.</summary>
    Csv = 2,
}
