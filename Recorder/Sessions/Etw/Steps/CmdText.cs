using System.Buffers;
using System.Text;

namespace EtwSerializerProfiler.Sessions.Etw.Steps;

/// <summary>
/// Writes arguments as cmd.exe and the C runtime read them: what has a blank or a character that means something to cmd.exe stands in double quotes; in
/// quotes a quote is \" and the backslashes before one, or before the end, are doubled.
/// </summary>
/// <remarks>
/// A percent sign keeps its meaning in quotes: <c>"%OUT%\kernel.etl"</c> is what scripts want. A literal one is written %% in a script, which is left to whoever writes it.
/// </remarks>
public static class CmdText
{
    private static readonly SearchValues<char> s_special = SearchValues.Create(" \t&|<>^()!%\"");

    /// <summary>One argument.</summary>
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

    /// <summary>A command, its program first.</summary>
    public static string Join(IEnumerable<string> command) => string.Join(' ', command.Select(Quote));
}
