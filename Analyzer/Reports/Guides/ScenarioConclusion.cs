using System.Text.Json;
using System.Text.Json.Serialization;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>Conclusion of a scenario, as the suite writes it beside the run CSV.</summary>
/// <param name="Schema">Version of the file.</param>
/// <param name="Scenario">Name of the scenario.</param>
/// <param name="Published">The published case.</param>
/// <param name="Verdict">present, not present or not decided.</param>
/// <param name="Sentence">The measurements and the rule of the verdict.</param>
/// <param name="Runtime">Runtime of its runs.</param>
/// <param name="FailedRows">Number of its rows that failed.</param>
internal sealed record ScenarioConclusion(
    int Schema,
    string Scenario,
    string Published,
    string Verdict,
    string Sentence,
    string Runtime,
    int FailedRows
)
{
    /// <summary>Name of the file in a recording's folder.</summary>
    public const string FileName = "scenario.json";

    private const int CurrentSchema = 1;

    /// <summary>Reads the conclusion in a recording's folder.</summary>
    /// <exception cref="TraceFormatException">It is missing, damaged or of another version.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static ScenarioConclusion Read(string folder)
    {
        var path = Path.Combine(folder, FileName);
        const string Expected = "the conclusion of a scenario in JSON";
        const string Fix = "record the scenario again";
        if (!File.Exists(path))
            throw new TraceFormatException(path, null, Expected, "the file does not exist", Fix);
        try
        {
            return
                JsonSerializer.Deserialize(File.ReadAllBytes(path), GuideJsonContext.Default.ScenarioConclusion)
                    is { Verdict.Length: > 0, Sentence: not null, Schema: CurrentSchema } conclusion
                ? conclusion
                : throw new TraceFormatException(path, null, Expected, $"it has no verdict, or its schema is not {CurrentSchema}", Fix);
        }
        catch (JsonException exception)
        {
            throw new TraceFormatException(path, null, Expected, $"line {exception.LineNumber + 1} is not JSON", Fix, exception);
        }
    }
}

/// <summary>JSON contract of the files that a guide reads and of the measurements that it writes.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ScenarioConclusion))]
[JsonSerializable(typeof(GuideEnvironment))]
[JsonSerializable(typeof(IReadOnlyList<GuideMeasurement>))]
[JsonSerializable(typeof(OlderGuideFile))]
internal sealed partial class GuideJsonContext : JsonSerializerContext;
