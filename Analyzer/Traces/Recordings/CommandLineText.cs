namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>Converts a command to one line of text and back.</summary>
public static class CommandLineText
{
    /// <summary>The command as one line; parts with blanks and empty parts are quoted.</summary>
    public static string Join(IEnumerable<string> command) =>
        string.Join(' ', command.Select(part => part.Length == 0 || part.Any(char.IsWhiteSpace) ? $"\"{part}\"" : part));

    /// <summary>Splits at white space outside of double quotes; drops the quotes and empty parts.</summary>
    public static IReadOnlyList<string> Split(string commandLine)
    {
        ArgumentNullException.ThrowIfNull(commandLine);
        var parts = new List<string>();
        var part = new System.Text.StringBuilder();
        var quoted = false;
        foreach (var character in commandLine + " ")
        {
            if (character == '"')
            {
                quoted = !quoted;
            }
            else if (!char.IsWhiteSpace(character) || quoted)
            {
                part.Append(character);
            }
            else if (part.Length > 0)
            {
                parts.Add(part.ToString());
                part.Clear();
            }
        }

        if (part.ToString().Trim().Length > 0)
            parts.Add(part.ToString().TrimEnd());
        return parts;
    }
}
