using System.Buffers;
using System.Text;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>
/// Quotes arguments for cmd.exe and the C runtime: text with a blank or a special character of cmd.exe gets double quotes. Inside
/// quotes, a quote becomes \" and backslashes before a quote or before the end are doubled.
/// </summary>
/// <remarks>
/// A percent sign keeps its meaning in quotes, which scripts need: <c>"%OUT%\kernel.etl"</c>. A script writes a literal one as %%; the
/// caller does that.
/// </remarks>
public static class CmdText
{
    private static readonly SearchValues<char> s_special = SearchValues.Create(" \t&|<>^()!%\"");

    /// <summary>Quotes one argument if necessary.</summary>
    public static string Quote(string argument)
    {
        ArgumentNullException.ThrowIfNull(argument);
        if (argument.Length > 0 && argument.AsSpan().IndexOfAny(s_special) < 0)
            return argument;
        var text = new StringBuilder("\"");
        var backslashes = 0;
        foreach (var character in argument)
        {
            if (character == '\\')
            {
                backslashes++;
                continue;
            }

            text.Append('\\', character == '"' ? (2 * backslashes) + 1 : backslashes).Append(character);
            backslashes = 0;
        }

        return text.Append('\\', 2 * backslashes).Append('"').ToString();
    }

    /// <summary>Joins a command, program first.</summary>
    public static string Join(IEnumerable<string> command) => string.Join(' ', command.Select(Quote));
}
