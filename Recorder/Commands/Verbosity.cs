using System.CommandLine;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.Foundation.Terminals;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Options of all commands for the amount of messages.</summary>
internal static class Verbosity
{
    private static readonly VerbosityOptions s_options = new(
        "Also print to the error stream which sessions record what, and the time and memory that reading took."
    );

    public static IReadOnlyList<Option> Options => s_options.All;

    /// <summary>Whether to omit progress and hints.</summary>
    public static bool IsQuiet(ParseResult parsed) => s_options.IsQuiet(parsed);

    /// <summary>Whether to print more messages.</summary>
    public static bool IsVerbose(ParseResult parsed) => s_options.IsVerbose(parsed);

    public static void AddTo(RootCommand root) => s_options.AddTo(root);

    /// <summary>The writer for tables, with the terminal's width of this moment: it may change during a recording.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="before">Called before each write; null for nothing.</param>
    public static TerminalWriter Output(ParseResult parsed, Action? before = null) =>
        parsed.InvocationConfiguration.Output is var output && output == Console.Out
            ? Terminal.Output(before)
            : new TerminalWriter(output, TextLook.Of(output), before);

    /// <summary>Reads a recording with progress, and reports time and memory afterwards if requested.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="read">Reads the recording; receives the writer to print to.</param>
    public static T Watch<T>(ParseResult parsed, Func<TextWriter, T> read)
    {
        var streams = parsed.InvocationConfiguration;
        var line = IsQuiet(parsed) ? null : new StepLine(streams.Error, Terminal.IsErrorTerminal);
        using var reading = new ReadingLine(line);
        Action? before = line is null ? null : line.End;

        var output = Output(parsed, before);
        try
        {
            return read(IsQuiet(parsed) ? new TerminalWriter(output, output.Look with { Brief = true }) : output);
        }
        finally
        {
            line?.End();
            foreach (var sentence in IsVerbose(parsed) ? reading.Account() : [])
                parsed.Messages().Step(sentence);
        }
    }
}
