using System.Text;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>Replaces passwords and other secrets in what a recording says of command lines and variables. The recorded program gets them unchanged.</summary>
/// <param name="patterns">Regular expressions; what they match is replaced.</param>
public sealed class Redaction(IReadOnlyList<Regex> patterns)
{
    /// <summary>What stands in the place of a match.</summary>
    public const string Replacement = "***";

    /// <summary>A pattern that takes longer hides all of the text: rather too much than too little, and no recording that hangs.</summary>
    private static readonly TimeSpan s_longestMatch = TimeSpan.FromSeconds(1);

    /// <summary>Replaces nothing.</summary>
    public static Redaction None { get; } = new([]);

    /// <summary>Reads a pattern of the command line.</summary>
    /// <exception cref="ArgumentException">It is no regular expression; the message says what is wrong.</exception>
    public static Regex Parse(string pattern) => new(pattern, RegexOptions.CultureInvariant, s_longestMatch);

    /// <summary>A command without what is to be hidden. Patterns see it as one line, its parts separated by one blank, so that one can look behind at the option before a value.</summary>
    public IReadOnlyList<string> Of(IReadOnlyList<string> command)
    {
        ArgumentNullException.ThrowIfNull(command);
        return patterns.Count == 0 ? command : [.. Hidden(command).Zip(command, (hidden, part) => Replace(part, hidden))];
    }

    /// <summary>The value of a variable without what is to be hidden. Patterns see <c>NAME=VALUE</c>.</summary>
    public string Of(string name, string value)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(value);
        return patterns.Count == 0 ? value : Replace(value, Find($"{name}={value}").AsSpan(name.Length + 1));
    }

    /// <summary>A trace file into which a process's runtime writes its command line, which is hidden there, too.</summary>
    /// <param name="file">The file; owned by what is returned.</param>
    /// <param name="command">The process's command.</param>
    internal Stream Of(Stream file, IReadOnlyList<string> command)
    {
        if (patterns.Count == 0)
            return file;
        var parts = Hidden(command).Zip(command, (hidden, part) => (Text: part, Hidden: string.Concat(part.Select((character, place) => hidden[place] ? '*' : character)))).Where(part => part.Text != part.Hidden).Distinct().ToList();
        return parts.Count == 0 ? file : new RedactedTrace(file, [.. parts.Select(part => (Encoding.Unicode.GetBytes(part.Text), Encoding.Unicode.GetBytes(part.Hidden)))]);
    }

    /// <summary>The description of a suite's build without what is to be hidden.</summary>
    internal RecordedWorkload? Of(RecordedWorkload? workload) =>
        workload is null ? null : workload with { Knobs = [.. workload.Knobs.Select(knob => knob with { Value = Of(knob.Name, knob.Value) })] };

    /// <summary>Which characters of each part are to be hidden.</summary>
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
