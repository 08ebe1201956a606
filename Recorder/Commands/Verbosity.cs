using System.CommandLine;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.Foundation.Terminals;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Options of all commands: how much is said beside the results.</summary>
internal static class Verbosity
{
    private static readonly VerbosityOptions s_options = new("Also say, on the error stream, what is recorded by which sessions, and what time and memory reading it took.");

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Option> Options => s_options.All;

    /// <summary>Whether progress and hints are left out.</summary>
    public static bool IsQuiet(ParseResult parsed) => s_options.IsQuiet(parsed);

    /// <summary>Whether more is said.</summary>
    public static bool IsVerbose(ParseResult parsed) => s_options.IsVerbose(parsed);

    public static void AddTo(RootCommand root) => s_options.AddTo(root);

    /// <summary>Reads what was recorded, with progress; says afterwards what that took when asked to.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="read">Reads, and prints to what it is given.</param>
    public static T Watch<T>(ParseResult parsed, Func<TextWriter, T> read)
    {
        var streams = parsed.InvocationConfiguration;
        var line = IsQuiet(parsed) ? null : new StepLine(streams.Error, Terminal.IsErrorTerminal);
        using var reading = new ReadingLine(line);
        Action? before = line is null ? null : line.End;

        // The terminal's width is asked for now: it may have changed during a recording.
        var output = streams.Output == Console.Out ? Terminal.Output(before) : new TerminalWriter(streams.Output, TextLook.Of(streams.Output), before);
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
