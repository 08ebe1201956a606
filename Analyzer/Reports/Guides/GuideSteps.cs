using System.Text.Json;
using System.Text.Json.Serialization;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>The steps of a guide and what became of them: the file guide-steps.json, by which an interrupted guide continues.</summary>
/// <param name="Schema">Version of the file.</param>
/// <param name="ToolVersion">Version of esp-record.</param>
/// <param name="Steps">The steps in their order.</param>
public sealed record GuideSteps(int Schema, string ToolVersion, IReadOnlyList<GuideStep> Steps)
{
    /// <summary>Name of the file.</summary>
    public const string FileName = "guide-steps.json";

    /// <summary>Version of the file that this program writes.</summary>
    public const int CurrentSchema = 1;

    /// <summary>The command line of the guide, which continues it; empty when it is not known.</summary>
    public string Command { get; init; } = "";

    /// <summary>Steps that the plan left out.</summary>
    public IReadOnlyList<GuideLeftOut> LeftOut { get; init; } = [];

    /// <summary>Reads the file of a guide's folder; null when there is none.</summary>
    /// <exception cref="TraceFormatException">It is damaged or of a newer version.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static GuideSteps? Read(string folder)
    {
        var path = Path.Combine(folder, FileName);
        if (!File.Exists(path))
            return null;
        const string Fix = "delete the file to begin the guide again, or use another --out";
        try
        {
            var steps = JsonSerializer.Deserialize(File.ReadAllBytes(path), GuideStepsJson.Default.GuideSteps);
            if (steps is not { Steps: not null } || steps.Steps.Any(step => step is not { Key.Length: > 0, Arguments: not null }))
                throw new TraceFormatException(path, null, "the steps of a guide", "it has none", Fix);
            if (steps.Schema != CurrentSchema)
                throw new TraceFormatException(path, null, $"schema {CurrentSchema}", $"it has schema {steps.Schema}", Fix);
            return steps with { LeftOut = steps.LeftOut ?? [], Command = steps.Command ?? "" };
        }
        catch (JsonException exception)
        {
            throw new TraceFormatException(path, null, "the steps of a guide in JSON", $"line {exception.LineNumber + 1} is not JSON", Fix);
        }
    }

    /// <summary>Writes the file; a crash leaves the old or the new one.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public void Write(string folder)
    {
        var path = Path.Combine(folder, FileName);
        File.WriteAllText(path + ".tmp", JsonSerializer.Serialize(this, GuideStepsJson.Default.GuideSteps) + "\n");
        File.Move(path + ".tmp", path, overwrite: true);
    }

    /// <summary>The step of a key; null when the guide has none.</summary>
    public GuideStep? Find(string key) => Steps.FirstOrDefault(step => step.Key == key);

    /// <summary>These steps with one replaced.</summary>
    public GuideSteps With(GuideStep step) => this with { Steps = [.. Steps.Select(other => other.Key == step.Key ? step : other)] };
}

/// <summary>A step of a guide: one command of esp-record.</summary>
/// <param name="Key">Name of its folder or file in the guide's folder.</param>
/// <param name="What">What it measures, as a noun.</param>
/// <param name="Arguments">Arguments of esp-record without the place of its output.</param>
public sealed record GuideStep(string Key, string What, IReadOnlyList<string> Arguments)
{
    /// <summary>What became of it.</summary>
    public GuideStepState State { get; init; }

    /// <summary>Estimate of its time in seconds, made before it begins; 0 without one.</summary>
    public double EstimatedSeconds { get; init; }

    /// <summary>Time that it took in seconds; null before its end.</summary>
    public double? Seconds { get; init; }

    /// <summary>Why it failed; empty when it did not.</summary>
    public string Outcome { get; init; } = "";

    /// <summary>Whether it is a scenario.</summary>
    [JsonIgnore]
    public bool IsScenario => Key.StartsWith(GuideKeys.ScenarioPrefix, StringComparison.Ordinal);

    /// <summary>The command that makes it, for people.</summary>
    [JsonIgnore]
    public string Command => $"esp-record {string.Join(' ', Arguments)}";
}

/// <summary>A step that the plan of a guide left out.</summary>
/// <param name="Key">Key that the step would have.</param>
/// <param name="Reason">Why, as a sentence without a full stop.</param>
/// <param name="Fix">How to get what it measures.</param>
public sealed record GuideLeftOut(string Key, string Reason, string Fix);

/// <summary>States of a step.</summary>
public enum GuideStepState
{
    /// <summary>Not begun.</summary>
    Planned = 0,

    /// <summary>Begun; an interrupted guide begins it again.</summary>
    Begun = 1,

    /// <summary>Done; it is not made again.</summary>
    Done = 2,

    /// <summary>Failed; the next call tries it again.</summary>
    Failed = 3,
}

/// <summary>JSON contract of guide-steps.json.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true, WriteIndented = true)]
[JsonSerializable(typeof(GuideSteps))]
internal sealed partial class GuideStepsJson : JsonSerializerContext;
