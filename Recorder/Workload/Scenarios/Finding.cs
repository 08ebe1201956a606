using System.Globalization;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>Conclusion of a scenario on this runtime.</summary>
/// <param name="Verdict">Whether the published case is present.</param>
/// <param name="Sentence">The measurements and the rule for the verdict.</param>
public sealed record Finding(Verdict Verdict, string Sentence)
{
    /// <summary>The published case is present.</summary>
    public static Finding Present(FormattableString sentence) => new(Verdict.Present, Text(sentence));

    /// <summary>The published case is not present.</summary>
    public static Finding NotPresent(FormattableString sentence) => new(Verdict.NotPresent, Text(sentence));

    /// <summary>The measurements are not sufficient for a verdict.</summary>
    public static Finding Undecided(FormattableString sentence) => new(Verdict.Undecided, Text(sentence));

    /// <summary><see cref="Present"/> or <see cref="NotPresent"/>.</summary>
    public static Finding Of(bool isPresent, FormattableString sentence) => isPresent ? Present(sentence) : NotPresent(sentence);

    /// <summary>Formats the conclusion as a line.</summary>
    /// <param name="runtime">Name and version of the runtime.</param>
    public string ToLine(string runtime) =>
        Verdict switch
        {
            Verdict.Present => $"Found: present on this runtime ({runtime}): {Sentence}",
            Verdict.NotPresent => $"Found: not present on this runtime ({runtime}): {Sentence}",
            _ => $"Found: not decided on this runtime ({runtime}): {Sentence}",
        };

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
