namespace EtwSerializerProfiler.Foundation.Terminals;

/// <summary>Properties of the standard streams of this process; the only code that queries the system for them.</summary>
public static class Terminal
{
    /// <summary>Whether lines on the error stream can be rewritten. CI stores the output in a file.</summary>
    public static bool IsErrorTerminal =>
        !Console.IsErrorRedirected
        && string.IsNullOrEmpty(Environment.GetEnvironmentVariable("CI"))
        && Environment.GetEnvironmentVariable("TERM") != "dumb";

    /// <summary>Creates the writer for standard output.</summary>
    /// <param name="beforeWriting">Called before each write; null for nothing.</param>
    public static TerminalWriter Output(Action? beforeWriting = null) =>
        new(Console.Out, TextLook.For(!Console.IsOutputRedirected, Columns(), Environment.GetEnvironmentVariable), beforeWriting);

    /// <summary>Number of columns of standard output, if known.</summary>
    /// <param name="otherwise">Number of columns for a file, a pipe, and a terminal of unknown width.</param>
    public static int ColumnsOr(int otherwise) => Columns() is > 0 and var columns ? columns : otherwise;

    /// <summary>Width of the terminal; 0 without a terminal or when unknown.</summary>
    private static int Columns()
    {
        try
        {
            return Console.IsOutputRedirected ? 0 : Console.WindowWidth;
        }
        catch (IOException)
        {
            return 0;
        }
    }
}
