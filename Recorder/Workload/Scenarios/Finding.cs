using System.Globalization;
using EtwSerializerProfiler.Workload.Results;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>Conclusion of a scenario on this runtime.</summary>
/// <param name="Verdict">Whether the published case is present.</param>
/// <param name="Sentence">The measurements and the rule for the verdict.</param>
public sealed record Finding(Verdict Verdict, string Sentence)
{
    /// <summary>Name of the file beside the run CSV.</summary>
    public const string FileName = "scenario.json";

    /// <summary>The published case is present.</summary>
    public static Finding Present(FormattableString sentence) => new(Verdict.Present, Text(sentence));

    /// <summary>The published case is not present.</summary>
    public static Finding NotPresent(FormattableString sentence) => new(Verdict.NotPresent, Text(sentence));

    /// <summary>The measurements are not sufficient for a verdict.</summary>
    public static Finding Undecided(FormattableString sentence) => new(Verdict.Undecided, Text(sentence));

    /// <summary><see cref="Present"/> or <see cref="NotPresent"/>.</summary>
    public static Finding Of(bool isPresent, FormattableString sentence) => isPresent ? Present(sentence) : NotPresent(sentence);

    /// <summary>The verdict in words.</summary>
    private string Words =>
        Verdict switch
        {
            Verdict.Present => "present",
            Verdict.NotPresent => "not present",
            _ => "not decided",
        };

    /// <summary>Formats the conclusion as a line.</summary>
    /// <param name="runtime">Name and version of the runtime.</param>
    public string ToLine(string runtime) => $"Found: {Words} on this runtime ({runtime}): {Sentence}";

    /// <summary>Writes the conclusion as JSON, which the guide reads.</summary>
    /// <param name="path">The file; it is replaced.</param>
    /// <param name="scenario">The scenario.</param>
    /// <param name="runtime">Name and version of the runtime.</param>
    /// <param name="failedRows">Number of rows that failed.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Write(string path, Scenario scenario, string runtime, int failedRows)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        var fields = new (string Name, string Json)[]
        {
            ("schema", "1"),
            ("scenario", JsonText.Of(scenario.Name)),
            ("published", JsonText.Of(scenario.PublishedCase)),
            ("verdict", JsonText.Of(Words)),
            ("sentence", JsonText.Of(Sentence)),
            ("runtime", JsonText.Of(runtime)),
            ("failedRows", failedRows.ToString(CultureInfo.InvariantCulture)),
        };
        File.WriteAllText(path, "{\n" + string.Join(",\n", fields.Select(field => $"  \"{field.Name}\": {field.Json}")) + "\n}\n");
    }

    private static string Text(FormattableString sentence)
    {
        ArgumentNullException.ThrowIfNull(sentence);
        return sentence.ToString(CultureInfo.InvariantCulture);
    }
}

/// <summary>Whether a published case is present on this runtime.</summary>
public enum Verdict
{
    /// <summary>The measurements are not sufficient.</summary>
    Undecided = 0,

    /// <summary>The case is present.</summary>
    Present = 1,

    /// <summary>The case is not present.</summary>
    NotPresent = 2,
}
