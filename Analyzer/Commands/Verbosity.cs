using System.CommandLine;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.Foundation.Terminals;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Options of all commands for messages beside the results.</summary>
internal sealed class Verbosity
{
    private readonly VerbosityOptions _options = new(
        "Also print the files read with their speed, and the time and memory used, on the error stream."
    );

    public void AddTo(RootCommand root) => _options.AddTo(root);

    /// <summary>Runs a command, with progress on the error stream.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="configuration">Streams to use; null for those of the process.</param>
    public int Run(ParseResult parsed, InvocationConfiguration? configuration)
    {
        var isQuiet = _options.IsQuiet(parsed);
        var error = configuration?.Error ?? Console.Error;

        // The process that reads a dump has its progress shown by the one that watches it.
        var line =
            isQuiet || configuration is not null || parsed.Tokens.Any(token => token.Value == WatchedSteps.Option)
                ? null
                : new StepLine(error, Terminal.IsErrorTerminal);
        using var reading = new ReadingLine(line);
        if (configuration is null)
        {
            Action? before = line is null ? null : line.End;
            configuration = new InvocationConfiguration
            {
                Output = Terminal.Output(before),
                Error = new TerminalWriter(error, default, before),
            };
        }

        configuration.EnableDefaultExceptionHandler = false;
        if (isQuiet)
            configuration.Output = new TerminalWriter(configuration.Output, TextLook.Of(configuration.Output) with { Brief = true });
        var exitCode = parsed.Invoke(configuration);
        if (_options.IsVerbose(parsed))
        {
            line?.End();
            foreach (var sentence in reading.Account())
                new ToolMessages(RootCommandFactory.ToolName, error).Step(sentence);
        }

        return exitCode;
    }
}
