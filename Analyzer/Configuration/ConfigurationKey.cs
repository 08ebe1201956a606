using System.CommandLine;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Configuration;

/// <summary>A key of the file, which corresponds to an option of the command line: <c>--sample-rate</c> is <c>sampleRate</c>.</summary>
public sealed class ConfigurationKey
{
    /// <summary>Prefixes of the path and the URL of a trace store.</summary>
    private const string FileStore = "sqlite:",
        ServerStore = "clickhouse:";

    /// <summary>Creates the key of an option.</summary>
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

    /// <summary>Shape of its values.</summary>
    public ValueShape Shape { get; }

    /// <summary>
    /// Name of the option with the opposite meaning, such as <c>--no-stack-dump</c> for <c>--stack-dump</c>; it may not exist.
    /// </summary>
    public string Opposite =>
        Option.Name.StartsWith("--no-", StringComparison.Ordinal) ? "--" + Option.Name[5..] : "--no-" + Option.Name.TrimStart('-');

    /// <summary>Derives the key from an option's name: without dashes, and with a capital for each part after a dash.</summary>
    public static string NameOf(string option)
    {
        ArgumentNullException.ThrowIfNull(option);
        return string.Concat(
            option.TrimStart('-').Split('-').Select((part, i) => i == 0 ? part : char.ToUpperInvariant(part[0]) + part[1..])
        );
    }

    /// <summary>The equivalent arguments of the command line.</summary>
    /// <param name="file">The file, for errors and paths.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="ConfigurationException">The value has another shape.</exception>
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
        return
        [
            .. values.Select(single => $"{Option.Name}={(Shape.Kind == ValueKind.Path ? Resolve(file.Folder, single.Text) : single.Text)}"),
        ];
    }

    /// <summary>
    /// Resolves a path of the file, including that of a store. Paths stay unchanged when the file is in the current folder, and for
    /// servers.
    /// </summary>
    internal static string Resolve(string folder, string path) =>
        path.StartsWith(FileStore, StringComparison.OrdinalIgnoreCase) ? FileStore + Resolve(folder, path[FileStore.Length..])
        : path.Length == 0
        || path.StartsWith(ServerStore, StringComparison.OrdinalIgnoreCase)
        || Path.IsPathRooted(path)
        || folder == Environment.CurrentDirectory
            ? path
        : Path.GetFullPath(path, folder);

    private string Meant(ConfigurationNode value) =>
        value.Kind == System.Text.Json.JsonValueKind.String && NearestName.Of(value.Text, Shape.Words) is { } word
            ? $": did you mean \"{word}\"?"
            : "";
}
