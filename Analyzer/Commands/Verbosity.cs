using System.CommandLine;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Reports.Terminals;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Options of all commands: how much is said beside the results.</summary>
internal sealed class Verbosity
{
    private readonly Option<bool> _quiet = new("--quiet", "-q") { Description = "Results, warnings and errors alone: no progress, no hints, no list of files.", Recursive = true };
    private readonly Option<bool> _verbose = new("--verbose") { Description = "Also say, on the error stream, which files were read how fast, and what time and memory it took.", Recursive = true };

    public void AddTo(RootCommand root)
    {
        root.Options.Add(_quiet);
        root.Options.Add(_verbose);
        _verbose.Validators.Add(result =>
        {
            if (!result.Implicit && result.GetResult(_quiet) is { Implicit: false })
                result.AddError("--quiet and --verbose ask for opposites", "choose one");
        });
    }

    /// <summary>Runs a command, with progress on the error stream.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="configuration">Streams to use; null for those of the process.</param>
    public int Run(ParseResult parsed, InvocationConfiguration? configuration)
    {
        var isQuiet = parsed.GetValue(_quiet);
        var error = configuration?.Error ?? Console.Error;
        var line = isQuiet || configuration is not null ? null : new StepLine(error, Terminal.IsErrorTerminal);
        using var reading = new ReadingLine(line);
        if (configuration is null)
        {
            Action? before = line is null ? null : line.End;
            configuration = new InvocationConfiguration { Output = Terminal.Output(before), Error = new TerminalWriter(error, default, before) };
        }

        configuration.EnableDefaultExceptionHandler = false;
        if (isQuiet)
            configuration.Output = new TerminalWriter(configuration.Output, TextLook.Of(configuration.Output) with { Brief = true });
        var exitCode = parsed.Invoke(configuration);
        if (parsed.GetValue(_verbose))
        {
            line?.End();
            foreach (var sentence in reading.Account())
                new ToolMessages(RootCommandFactory.ToolName, error).Step(sentence);
        }

        return exitCode;
    }
}
