namespace EtwSerializerProfiler.Foundation.Terminals;

/// <summary>What the standard streams of this process are connected to: the one place that asks the system.</summary>
public static class Terminal
{
    /// <summary>Whether lines on the error stream can be written again. CI keeps what is written as a file.</summary>
    public static bool IsErrorTerminal => !Console.IsErrorRedirected && string.IsNullOrEmpty(Environment.GetEnvironmentVariable("CI")) && Environment.GetEnvironmentVariable("TERM") != "dumb";

    /// <summary>Standard output with its look.</summary>
    /// <param name="beforeWriting">Called before each write; null for nothing.</param>
    public static TerminalWriter Output(Action? beforeWriting = null) =>
        new(Console.Out, TextLook.For(!Console.IsOutputRedirected, Columns(), Environment.GetEnvironmentVariable), beforeWriting);

    /// <summary>Columns of a line of standard output, as far as the system tells.</summary>
    /// <param name="otherwise">Columns of a file, a pipe, and a terminal that does not say.</param>
    public static int ColumnsOr(int otherwise) => Columns() is > 0 and var columns ? columns : otherwise;

    /// <summary>Width of the terminal; 0 when there is none, or it does not say.</summary>
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
