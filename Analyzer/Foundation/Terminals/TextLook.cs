namespace EtwSerializerProfiler.Foundation.Terminals;

/// <summary>How text for people is to look where it goes.</summary>
/// <param name="Width">Columns that a line may have; null where lines may be of any length (a file, another program).</param>
/// <param name="Colour">Whether colours are wanted and understood.</param>
/// <param name="Brief">Whether hints and the files that were read are left out; warnings and losses never are.</param>
public readonly record struct TextLook(int? Width = null, bool Colour = false, bool Brief = false)
{
    /// <summary>Narrower terminals are treated as one of this width: nothing useful fits.</summary>
    private const int Narrowest = 40;

    /// <summary>The look of what is written there: that of a <see cref="TerminalWriter"/>, else the plain one.</summary>
    public static TextLook Of(TextWriter output) => output is TerminalWriter terminal ? terminal.Look : default;

    /// <summary>The look that the environment asks for.</summary>
    /// <param name="isTerminal">Whether the text is shown on a terminal.</param>
    /// <param name="columns">The terminal's width; 0 when unknown.</param>
    /// <param name="environment">Asks for an environment variable: NO_COLOR (https://no-color.org) and CI, when not empty, and TERM=dumb ask for no colours.</param>
    public static TextLook For(bool isTerminal, int columns, Func<string, string?> environment)
    {
        ArgumentNullException.ThrowIfNull(environment);
        if (!isTerminal)
            return default;
        var colour = string.IsNullOrEmpty(environment("NO_COLOR")) && string.IsNullOrEmpty(environment("CI")) && environment("TERM") != "dumb";
        return new TextLook(columns > 0 ? Math.Max(columns, Narrowest) : null, colour);
    }
}
