using System.CommandLine;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Reports.Terminals;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Options of all commands: how much is said beside the results. One process reads one command line: what it asks for is known everywhere from <see cref="Use"/> on.</summary>
internal static class Verbosity
{
    private static readonly Option<bool> s_quiet = new("--quiet", "-q") { Description = "Results, warnings and errors alone: no progress, no hints, no list of files.", Recursive = true };
    private static readonly Option<bool> s_verbose = new("--verbose") { Description = "Also say, on the error stream, what is recorded by which sessions, and what time and memory reading it took.", Recursive = true };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Option> Options { get; } = [s_quiet, s_verbose];

    /// <summary>Whether progress and hints are left out.</summary>
    public static bool IsQuiet { get; private set; }

    /// <summary>Whether more is said.</summary>
    public static bool IsVerbose { get; private set; }

    /// <summary>Once: the options are those of every root command.</summary>
    static Verbosity() => s_verbose.Validators.Add(result =>
    {
        if (!result.Implicit && result.GetResult(s_quiet) is { Implicit: false })
            result.AddError("--quiet and --verbose ask for opposites", "choose one");
    });

    public static void AddTo(RootCommand root)
    {
        foreach (var option in Options)
            root.Options.Add(option);
    }

    /// <summary>Takes what the command line asks for.</summary>
    public static void Use(ParseResult parsed)
    {
        IsQuiet = parsed.GetValue(s_quiet);
        IsVerbose = parsed.GetValue(s_verbose);
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
