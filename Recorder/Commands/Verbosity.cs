using System.CommandLine;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.Reports.Terminals;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Options of all commands: how much is said beside the results. One process reads one command line: what it asks for is known everywhere from <see cref="Use"/> on.</summary>
internal static class Verbosity
{
    private static readonly VerbosityOptions s_options = new("Also say, on the error stream, what is recorded by which sessions, and what time and memory reading it took.");

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Option> Options => s_options.All;

    /// <summary>Whether progress and hints are left out.</summary>
    public static bool IsQuiet { get; private set; }

    /// <summary>Whether more is said.</summary>
    public static bool IsVerbose { get; private set; }

    public static void AddTo(RootCommand root) => s_options.AddTo(root);

    /// <summary>Takes what the command line asks for.</summary>
    public static void Use(ParseResult parsed)
    {
        IsQuiet = s_options.IsQuiet(parsed);
        IsVerbose = s_options.IsVerbose(parsed);
    }

    /// <summary>Reads what was recorded, with progress; says afterwards what that took when asked to.</summary>
    /// <param name="read">Reads, and prints to what it is given.</param>
    public static T Watch<T>(Func<TextWriter, T> read)
    {
        var line = IsQuiet ? null : new StepLine(Console.Error, Terminal.IsErrorTerminal);
        using var reading = new ReadingLine(line);
        var output = Terminal.Output(line is null ? null : line.End);
        try
        {
            return read(IsQuiet ? new TerminalWriter(output, output.Look with { Brief = true }) : output);
        }
        finally
        {
            line?.End();
            foreach (var sentence in IsVerbose ? reading.Account() : [])
                RecordingAction.Messages.Step(sentence);
        }
    }
}
