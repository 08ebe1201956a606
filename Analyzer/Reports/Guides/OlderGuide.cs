using System.Text.Json;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>An earlier guide, read from its guide.json, to compare a new one with.</summary>
public sealed class OlderGuide
{
    private const string Expected = "the guide.json of a guide";
    private const string Fix = "name the guide.json that esp-record guide wrote: --compare OLDER/guide.json";

    private OlderGuide(string path, OlderGuideFile file)
    {
        (Path, File) = (path, file);
        Measurements = file.Measurements!.DistinctBy(row => row.Key).ToDictionary(row => row.Key);
        Features = Table("features", "features")
            .DistinctBy(row => (Text(row, "serializer"), Text(row, "key")))
            .ToDictionary(row => (Text(row, "serializer"), Text(row, "key")), row => Text(row, "seen"));
        Scenarios = Table("scenarios", "scenarios")
            .DistinctBy(row => Text(row, "scenario"))
            .ToDictionary(row => Text(row, "scenario"), row => Text(row, "verdict"));
        Commands = Table("method", "steps")
            .Where(row => Text(row, "state") == nameof(GuideStepState.Done))
            .DistinctBy(row => Text(row, "step"))
            .ToDictionary(row => Text(row, "step"), row => Text(row, "command"));
    }

    /// <summary>The file.</summary>
    public string Path { get; }

    internal OlderGuideFile File { get; }

    /// <summary>Its measurements.</summary>
    internal IReadOnlyDictionary<GuideRowKey, GuideMeasurement> Measurements { get; }

    /// <summary>What was seen, by serializer and key of the feature.</summary>
    internal IReadOnlyDictionary<(string Serializer, string Key), string> Features { get; }

    /// <summary>Verdict of each scenario; empty when there was none.</summary>
    internal IReadOnlyDictionary<string, string> Scenarios { get; }

    /// <summary>Command of each step that was done.</summary>
    internal IReadOnlyDictionary<string, string> Commands { get; }

    /// <summary>Reads a guide.json.</summary>
    /// <exception cref="TraceFormatException">It is not a guide.json, or one of a newer esp-record.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static OlderGuide Read(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (Directory.Exists(path))
            throw new TraceFormatException(path, null, Expected, "it is a folder", Fix);
        if (!System.IO.File.Exists(path))
            throw new TraceFormatException(path, null, Expected, "the file does not exist", Fix);
        OlderGuideFile? file;
        try
        {
            file = JsonSerializer.Deserialize(System.IO.File.ReadAllBytes(path), GuideJsonContext.Default.OlderGuideFile);
        }
        catch (JsonException exception)
        {
            var found = $"line {exception.LineNumber + 1}{(exception.Path is { Length: > 1 } at ? $", {at}" : "")} is not that of a guide";
            throw new TraceFormatException(path, null, Expected, found, Fix, exception);
        }

        if (file is not { Schema: > 0, Parts: { } parts } || parts.Any(part => part is not { Id.Length: > 0 }))
            throw new TraceFormatException(path, null, Expected, "it is JSON of something else", Fix);
        if (file.Schema > GuideJson.Schema)
        {
            const string Newer = "compare with the esp-record that wrote it, or a newer one";
            throw new TraceFormatException(path, null, $"schema {GuideJson.Schema} or lower", $"it has schema {file.Schema}", Newer);
        }

        if (file is not { Environment.Facts: not null, Measurements: { Count: > 0 } rows } || rows.Any(row => row?.WallMs is null))
        {
            const string Old = "write it again by the same esp-record guide command with its --out";
            throw new TraceFormatException(path, null, "a guide with measurements", "it has none to compare with", Old);
        }

        return new OlderGuide(path, file);
    }

    /// <summary>Rows of a table of a part; none when the guide lacks it.</summary>
    private IEnumerable<JsonElement> Table(string part, string table) =>
        File.Parts!.FirstOrDefault(item => item.Id == part)?.Tables is { ValueKind: JsonValueKind.Object } tables
        && tables.TryGetProperty(table, out var rows)
        && rows.ValueKind == JsonValueKind.Array
            ? rows.EnumerateArray().Where(row => row.ValueKind == JsonValueKind.Object)
            : [];

    private static string Text(JsonElement row, string name) =>
        row.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String ? value.GetString()! : "";
}

/// <summary>What is read from an earlier guide.json.</summary>
internal sealed record OlderGuideFile(
    int Schema,
    GuideEnvironment? Environment,
    IReadOnlyList<GuideMeasurement>? Measurements,
    IReadOnlyList<OlderGuidePart>? Parts
);

/// <summary>A part of an earlier guide.</summary>
internal sealed record OlderGuidePart(string Id, JsonElement Tables);
