namespace EtwSerializerProfiler.Foundation.Terminals;

/// <summary>Appearance of text for people on a target.</summary>
/// <param name="Width">Maximum columns of a line; null for unlimited lines (a file, another program).</param>
/// <param name="Colour">Whether to use colours.</param>
/// <param name="Brief">Whether to omit hints and the list of input files; warnings and losses are always shown.</param>
public readonly record struct TextLook(int? Width = null, bool Colour = false, bool Brief = false)
{
    /// <summary>Minimum width; narrower terminals are treated as if they had it.</summary>
    private const int Narrowest = 40;

    /// <summary>The appearance for a writer: that of a <see cref="TerminalWriter"/>, otherwise plain.</summary>
    public static TextLook Of(TextWriter output) => output is TerminalWriter terminal ? terminal.Look : default;

    /// <summary>Determines the appearance from the environment.</summary>
    /// <param name="isTerminal">Whether the text is shown on a terminal.</param>
    /// <param name="columns">Width of the terminal; 0 when unknown.</param>
    /// <param name="environment">
    /// Returns an environment variable. NO_COLOR (https://no-color.org) or CI, when not empty, and TERM=dumb disable colours.
    /// </param>
    public static TextLook For(bool isTerminal, int columns, Func<string, string?> environment)
    {
        ArgumentNullException.ThrowIfNull(environment);
        if (!isTerminal)
            return default;
        var colour =
            string.IsNullOrEmpty(environment("NO_COLOR")) && string.IsNullOrEmpty(environment("CI")) && environment("TERM") != "dumb";
        return new TextLook(columns > 0 ? Math.Max(columns, Narrowest) : null, colour);
    }
}
