using System.CommandLine;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Configuration;

/// <summary>A key of the file: an option of the command line. <c>--sample-rate</c> is <c>sampleRate</c>.</summary>
public sealed class ConfigurationKey
{
    /// <summary>What stands in front of the path, and of the URL, of a store of traces.</summary>
    private const string FileStore = "sqlite:", ServerStore = "clickhouse:";

    /// <summary>Makes the key of an option.</summary>
    public ConfigurationKey(Option option)
    {
        ArgumentNullException.ThrowIfNull(option);
        Option = option;
        Name = NameOf(option.Name);
        Shape = ValueShape.Of(option);
    }

    /// <summary>The option.</summary>
    public Option Option { get; }

    /// <summary>Name in the file.</summary>
    public string Name { get; }

    /// <summary>Its values.</summary>
    public ValueShape Shape { get; }

    /// <summary>Name of the option that says the opposite, as <c>--no-stack-dump</c> of <c>--stack-dump</c>; there need not be one.</summary>
    public string Opposite => Option.Name.StartsWith("--no-", StringComparison.Ordinal) ? "--" + Option.Name[5..] : "--no-" + Option.Name.TrimStart('-');

    /// <summary>The key of an option's name: without dashes, each part behind a dash with a capital.</summary>
    public static string NameOf(string option)
    {
        ArgumentNullException.ThrowIfNull(option);
        return string.Concat(option.TrimStart('-').Split('-').Select((part, i) => i == 0 ? part : char.ToUpperInvariant(part[0]) + part[1..]));
    }

    /// <summary>The arguments that say the same on the command line.</summary>
    /// <param name="file">The file, for errors and paths.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="ConfigurationException">It is of another shape.</exception>
    public IReadOnlyList<string> Arguments(ConfigurationFile file, ConfigurationNode value)
    {
        ArgumentNullException.ThrowIfNull(file);
        ArgumentNullException.ThrowIfNull(value);
        var values = Shape.IsList && value.Kind == System.Text.Json.JsonValueKind.Array ? value.Items : [value];
        if (values.Count == 0)
            throw file.Error(value.At, $"\"{Name}\" is an empty list; expected: {Shape.Expected}");
        foreach (var wrong in values.Where(single => !Shape.Takes(single)))
            throw file.Error(wrong.At, $"\"{Name}\" is {wrong.KindText}; expected: {Shape.Expected}{Meant(wrong)}");
        if (Shape.Kind == ValueKind.Flag)
            return value.Kind == System.Text.Json.JsonValueKind.True ? [Option.Name] : [];
        return [.. values.Select(single => $"{Option.Name}={(Shape.Kind == ValueKind.Path ? Resolve(file.Folder, single.Text) : single.Text)}")];
    }

    /// <summary>A path of the file, also that of a store's; as it is written when the file lies in the current folder, and when it is a server.</summary>
    internal static string Resolve(string folder, string path) =>
        path.StartsWith(FileStore, StringComparison.OrdinalIgnoreCase) ? FileStore + Resolve(folder, path[FileStore.Length..]) :
        path.Length == 0 || path.StartsWith(ServerStore, StringComparison.OrdinalIgnoreCase) || Path.IsPathRooted(path) || folder == Environment.CurrentDirectory ? path : Path.GetFullPath(path, folder);

    private string Meant(ConfigurationNode value) =>
        value.Kind == System.Text.Json.JsonValueKind.String && NearestName.Of(value.Text, Shape.Words) is { } word ? $": did you mean \"{word}\"?" : "";
}
