using System.CommandLine;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.CommandLine.Completion;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Configuration;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Recorder.Commands.Guides;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>The command line of esp-record: verbs, the default verb, and the command after <c>--</c>.</summary>
internal static class EspRecord
{
    /// <summary>Name of the tool.</summary>
    public const string ToolName = "esp-record";

    /// <summary>Alias of attach; with a command after <c>--</c>, alias of record.</summary>
    private const string CollectVerb = "collect";

    /// <summary>Separates esp-record's options from the command to record.</summary>
    private const string Separator = "--";

    /// <summary>Parses and runs a command line.</summary>
    /// <param name="args">The arguments.</param>
    /// <param name="output">Where results go.</param>
    /// <param name="error">Where errors, hints and progress go.</param>
    /// <param name="width">Columns of a line of help; those of a file when null.</param>
    /// <returns>The exit code (see <see cref="ExitCode"/>).</returns>
    public static async Task<int> RunAsync(string[] args, TextWriter output, TextWriter error, Func<int>? width = null)
    {
        if (Suggestions.LineOf(args) is { } line)
        {
            foreach (var suggestion in Suggest(line))
                await output.WriteLineAsync(suggestion).ConfigureAwait(false);
            return ExitCode.Done;
        }

        var messages = new ToolMessages(ToolName, error);
        var (root, arguments) = Prepare(args, out var command, width);
        var configuration = new RecorderConfiguration(root);
        ParseResult result;
        try
        {
            result = configuration.Parse(arguments, error);
        }
        catch (ConfigurationException exception)
        {
            messages.Error(exception.Problem);
            return ExitCode.Usage;
        }

        if (ParseProblems.Of(result, ToolName) is { } problem)
        {
            messages.Error(problem with { What = configuration.Explain(problem.What) });
            return ExitCode.Usage;
        }

        if (command.Count > 0 && result.CommandResult.Command is not RecordCommand)
        {
            messages.Error(
                new Problem(
                    $"'{result.CommandResult.Command.Name}' takes no command after --",
                    $"-- {string.Join(' ', command)}",
                    "leave it out, or record it: esp-record -- COMMAND"
                )
            );
            return ExitCode.Usage;
        }

        // Signals are handled by the recording commands. The library would end the process two seconds after a signal, in the middle of a
        // rundown.
        var invocation = new InvocationConfiguration
        {
            Output = output,
            Error = error,
            EnableDefaultExceptionHandler = false,
            ProcessTerminationTimeout = null,
        };
        return await ToolRun.GuardedAsync(ToolName, error, () => result.InvokeAsync(invocation)).ConfigureAwait(false);
    }

    /// <summary>
    /// Completions for the end of an incomplete line: none after <c>--</c>, otherwise those of the line with the default verb.
    /// </summary>
    internal static IReadOnlyList<string> Suggest(string line)
    {
        var (before, word) = Suggestions.Split(line);
        if (before.Contains(Separator))
            return [];
        var root = Create([]);
        var isVerb = before.Length == 0 && !word.StartsWith('-');
        return Suggestions.Of(
            root,
            isVerb
                ? before
                : WithDefaultVerb(
                    OptionNames.Normalize(before, root.Subcommands.SelectMany(item => item.Options)),
                    root,
                    root.Subcommands.OfType<RecordCommand>().Single()
                ),
            word
        );
    }

    /// <summary>Parses a command line.</summary>
    /// <param name="args">The arguments.</param>
    /// <param name="command">The command after <c>--</c>.</param>
    internal static ParseResult Parse(string[] args, out IReadOnlyList<string> command)
    {
        var (root, arguments) = Prepare(args, out command);
        return root.Parse(arguments, OptionNames.Parsing);
    }

    /// <summary>The root command, and the arguments in canonical form with a verb.</summary>
    private static (RootCommand Root, string[] Arguments) Prepare(string[] args, out IReadOnlyList<string> command, Func<int>? width = null)
    {
        // Split before parsing, so that a mistyped option is an error and not the start of a command.
        (var own, command) = Split(args);

        // dotnet-trace uses one verb for both.
        if (own is [CollectVerb, .. var options] && command.Count > 0)
            own = ["record", .. options];
        var root = Create(command, width);
        var normal = OptionNames.Normalize(own, root.Subcommands.SelectMany(item => item.Options).Concat(Verbosity.Options));
        return (root, WithDefaultVerb(normal, root, root.Subcommands.OfType<RecordCommand>().Single()));
    }

    /// <summary>Creates the command line.</summary>
    /// <param name="command">The command to record, empty for the built-in suite.</param>
    /// <param name="width">Columns of a line of help; those of a file when null.</param>
    internal static RootCommand Create(IReadOnlyList<string> command, Func<int>? width = null)
    {
        var root = new RootCommand(
            "Records a .NET program, by default the built-in serializer benchmark, and prints what each of its runs cost."
        );
        Verbosity.AddTo(root);
        root.WithUsage(
            "esp-record [options]                     records the built-in suite, as 'esp-record record' does",
            "esp-record [options] -- COMMAND ...      records a program of your own",
            "esp-record record --help                 all options of a recording",
            "esp-record COMMAND ... [options]"
        );
        root.WithExamples(
            ("esp-record", "Which serializer is fast, and why are the others slow?"),
            ("esp-record -- dotnet MyBenchmark.dll", "What does a program of your own spend its time on?"),
            ("esp-record attach 4711", "What does a running program spend its time on?"),
            ("esp-record doctor", "What can be recorded here?")
        );
        Add(root, "Record", new RecordCommand(command), new AttachCommand(), new PsCommand());
        Add(root, "The built-in suite", new ListCommand(), new FeaturesCommand(), new GuideCommand());
        Add(root, "This machine", new DoctorCommand(), new SessionsCommand(), new StopCommand(), new InitCommand());
        Add(root, "Other recorders", new ProfilesCommand(), new ScriptsCommand());
        Add(root, "Shell", CompletionsCommand.Create(ToolName));
        HelpWriterAction.Set(root, ToolName, width ?? (static () => HelpWriterAction.WidthOfFiles));
        return root;
    }

    private static void Add(RootCommand root, string group, params Command[] commands)
    {
        foreach (var item in commands)
            root.Subcommands.Add(item.InGroup(group));
    }

    /// <summary>Splits at the first <c>--</c>.</summary>
    internal static (string[] Own, IReadOnlyList<string> Command) Split(string[] args)
    {
        var at = Array.IndexOf(args, Separator);
        return at < 0 ? (args, []) : (args[..at], args[(at + 1)..]);
    }

    /// <summary>Puts <c>record</c> in front when the arguments have no verb and do not ask for help.</summary>
    internal static string[] WithDefaultVerb(string[] args, RootCommand root, Command defaultVerb)
    {
        var verb = args.FirstOrDefault();
        var named =
            verb is not null
            && (
                root.Subcommands.Any(command => command.Name == verb || command.Aliases.Contains(verb))
                || verb is "--help" or "-h" or "-?" or "--version"
            );
        return named ? args : [defaultVerb.Name, .. args];
    }
}
