using System.Globalization;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>What a scenario found on this runtime.</summary>
/// <param name="Verdict">Whether the published case is there.</param>
/// <param name="Sentence">The figures and the rule that decided.</param>
public sealed record Finding(Verdict Verdict, string Sentence)
{
    /// <summary>The published case is there.</summary>
    public static Finding Present(FormattableString sentence) => new(Verdict.Present, Text(sentence));

    /// <summary>The published case is not there.</summary>
    public static Finding NotPresent(FormattableString sentence) => new(Verdict.NotPresent, Text(sentence));

    /// <summary>What was measured does not decide.</summary>
    public static Finding Undecided(FormattableString sentence) => new(Verdict.Undecided, Text(sentence));

    /// <summary><see cref="Present"/> or <see cref="NotPresent"/>.</summary>
    public static Finding Of(bool isPresent, FormattableString sentence) => isPresent ? Present(sentence) : NotPresent(sentence);

    /// <summary>The line for people.</summary>
    /// <param name="runtime">Name and version of the runtime.</param>
    public string ToLine(string runtime) => Verdict switch
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

/// <summary>Whether a published case is there on this runtime.</summary>
public enum Verdict
{
    /// <summary>What was measured does not decide.</summary>
    Undecided = 0,

    /// <summary>It is.</summary>
    Present = 1,

    /// <summary>It is not.</summary>
    NotPresent = 2,
}
