using System.CommandLine;
using System.CommandLine.Parsing;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.CommandLine.Completion;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Configuration;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>The command line of esp-analyze.</summary>
internal static class RootCommandFactory
{
    /// <summary>Name of the tool.</summary>
    public const string ToolName = "esp-analyze";

    /// <summary>Creates the command line.</summary>
    /// <param name="width">Width of help in columns; null for that of a file.</param>
    public static RootCommand Create(Func<int>? width = null) => Create(new Verbosity(), width);

    private static RootCommand Create(Verbosity verbosity, Func<int>? width)
    {
        var root = new RootCommand("Shows what each run of each serializer cost, from a recording of esp-record or from trace files.");
        verbosity.AddTo(root);
        SummaryCommand.Set(root);
        root.WithUsage(
            $"{ToolName} RECORDING|FILE... [options]     the summary, as '{ToolName} summary' prints it",
            $"{ToolName} COMMAND ... [options]"
        );
        root.WithExamples(
            ("esp-analyze recordings/r1", "What is fast, what is slow, and why?"),
            ("esp-analyze table recordings/r1", "What did each serializer cost?"),
            ("esp-analyze diff recordings/before recordings/after", "What changed?"),
            ("esp-analyze export recordings/r1 --to speedscope", "View it in another tool.")
        );
        root.Check(result =>
        {
            // The summary is the default, so a mistyped command looks like a file.
            var first = result
                .Children.OfType<ArgumentResult>()
                .SelectMany(argument => argument.Tokens)
                .Select(token => token.Value)
                .FirstOrDefault();
            if (
                first is { Length: > 0 }
                && !Path.Exists(first)
                && NearestName.Of(first, root.Subcommands.Where(command => !command.Hidden).Select(command => command.Name)) is { } near
            )
                result.AddError(
                    $"'{first}' is neither a command nor a file",
                    $"did you mean {near}? For all commands, run '{ToolName} --help'"
                );
        });
        Add(
            root,
            "Look",
            SummaryCommand.Create(),
            TableCommand.Create(),
            RunsCommand.Create(),
            ReportCommand.Create(),
            CausesCommand.Create(),
            CpuCommand.Create(),
            SourceCommand.Create(),
            FirstCallsCommand.Create(),
            FindingsCommand.Create()
        );
        Add(root, "Compare", DiffCommand.Create(), GateCommand.Create(), TrendCommand.Create());
        Add(root, "Many traces", ExtractCommand.Create(), QueryCommand.Create());
        root.Subcommands.Add(ExtractCommand.CreateWorker());
        Add(root, "Other tools", ExportCommand.Create(), StacktagsCommand.Create(), RegionsCommand.Create());
        Add(
            root,
            "Details",
            [.. EventCommands.Create(), DumpCommand.Create(), StatsCommand.Create(), EventsCommand.Create(), ReferencesCommand.Create()]
        );
        Add(root, "Shell", CompletionsCommand.Create(ToolName));
        HelpWriterAction.Set(root, ToolName, width ?? (static () => HelpWriterAction.WidthOfFiles));
        return root;
    }

    private static void Add(RootCommand root, string group, params Command[] commands)
    {
        foreach (var command in commands)
            root.Subcommands.Add(command.InGroup(group));
    }

    /// <summary>Parses and runs the command line.</summary>
    /// <param name="arguments">The arguments.</param>
    /// <param name="configuration">Streams for output and errors; null for those of the process.</param>
    /// <param name="width">Width of help in columns.</param>
    /// <returns>0 done, 1 gate violated, 2 wrong usage, 3 nothing readable, 5 gate could not judge.</returns>
    public static int Run(string[] arguments, InvocationConfiguration? configuration = null, Func<int>? width = null)
    {
        var (output, error) = (configuration?.Output ?? Console.Out, configuration?.Error ?? Console.Error);
        if (Suggestions.LineOf(arguments) is { } line)
        {
            var (before, word) = Suggestions.Split(line);
            foreach (var suggestion in Suggestions.Of(Create(), before, word))
                output.WriteLine(suggestion);
            return 0;
        }

        var verbosity = new Verbosity();
        ParseResult parsed;
        try
        {
            parsed = GateConfiguration.Parse(Create(verbosity, width), arguments, error);
        }
        catch (ConfigurationException exception)
        {
            new ToolMessages(ToolName, error).Error(exception.Problem);
            return ExitCode.Usage;
        }

        if (ParseProblems.Of(parsed, ToolName) is not { } problem)
            return ToolRun.Guarded(ToolName, error, () => verbosity.Run(parsed, configuration));
        new ToolMessages(ToolName, error).Error(problem);
        return ExitCode.Usage;
    }
}
