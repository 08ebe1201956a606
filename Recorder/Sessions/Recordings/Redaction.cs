using System.Text;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>
/// Replaces passwords and other secrets in the command lines and variables of a recording. The recorded program gets them unchanged.
/// </summary>
/// <param name="patterns">Regular expressions whose matches are replaced.</param>
public sealed class Redaction(IReadOnlyList<Regex> patterns)
{
    /// <summary>Replacement of a match.</summary>
    public const string Replacement = "***";

    /// <summary>
    /// Time limit of a pattern. Beyond it the whole text is replaced: hiding too much is better than revealing a secret or hanging.
    /// </summary>
    private static readonly TimeSpan s_maxMatch = TimeSpan.FromSeconds(1);

    /// <summary>Replaces nothing.</summary>
    public static Redaction None { get; } = new([]);

    /// <summary>Parses a pattern of the command line.</summary>
    /// <exception cref="ArgumentException">The pattern is not a regular expression; the message has the reason.</exception>
    public static Regex Parse(string pattern) => new(pattern, RegexOptions.CultureInvariant, s_maxMatch);

    /// <summary>
    /// Redacts a command. Patterns are matched against one line with the parts separated by a blank, so that a lookbehind can check the
    /// option before a value.
    /// </summary>
    public IReadOnlyList<string> Of(IReadOnlyList<string> command)
    {
        ArgumentNullException.ThrowIfNull(command);
        return patterns.Count == 0 ? command : [.. Hidden(command).Zip(command, (hidden, part) => Replace(part, hidden))];
    }

    /// <summary>Redacts a variable's value. Patterns are matched against <c>NAME=VALUE</c>.</summary>
    public string Of(string name, string value)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(value);
        return patterns.Count == 0 ? value : Replace(value, Find($"{name}={value}").AsSpan(name.Length + 1));
    }

    /// <summary>Wraps a trace file to redact the command line that the process's runtime writes to it.</summary>
    /// <param name="file">The file; owned by the result.</param>
    /// <param name="command">The process's command.</param>
    internal Stream Of(Stream file, IReadOnlyList<string> command)
    {
        if (patterns.Count == 0)
            return file;
        var parts = Hidden(command)
            .Zip(
                command,
                (hidden, part) => (Text: part, Hidden: string.Concat(part.Select((character, place) => hidden[place] ? '*' : character)))
            )
            .Where(part => part.Text != part.Hidden)
            .Distinct()
            .ToList();
        return parts.Count == 0
            ? file
            : new RedactedTrace(
                file,
                [.. parts.Select(part => (Encoding.Unicode.GetBytes(part.Text), Encoding.Unicode.GetBytes(part.Hidden)))]
            );
    }

    /// <summary>Redacts the description of a suite's build.</summary>
    internal RecordedWorkload? Of(RecordedWorkload? workload) =>
        workload is null
            ? null
            : workload with
            {
                Knobs = [.. workload.Knobs.Select(knob => knob with { Value = Of(knob.Name, knob.Value) })],
            };

    /// <summary>For each part, which characters to replace.</summary>
    private IEnumerable<bool[]> Hidden(IReadOnlyList<string> command)
    {
        var line = Find(string.Join(' ', command));
        var at = 0;
        foreach (var part in command)
        {
            yield return line[at..(at + part.Length)];
            at += part.Length + 1;
        }
    }

    private bool[] Find(string text)
    {
        var hidden = new bool[text.Length];
        foreach (var pattern in patterns)
        {
            try
            {
                foreach (var match in pattern.EnumerateMatches(text))
                    hidden.AsSpan(match.Index, match.Length).Fill(true);
            }
            catch (RegexMatchTimeoutException)
            {
                hidden.AsSpan().Fill(true);
            }
        }

        return hidden;
    }

    private static string Replace(string text, ReadOnlySpan<bool> hidden)
    {
        var shown = new StringBuilder();
        for (var i = 0; i < text.Length; i++)
        {
            if (!hidden[i])
                shown.Append(text[i]);
            else if (i == 0 || !hidden[i - 1])
                shown.Append(Replacement);
        }

        return shown.ToString();
    }
}
