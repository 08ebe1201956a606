using System.CommandLine;
using EtwSerializerProfiler.Configuration;
using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>The command line of esp-record: verbs, the default verb, and what stands after <c>--</c>.</summary>
internal static class EspRecord
{
    /// <summary>Separates esp-record's options from the command to record.</summary>
    private const string Separator = "--";

    /// <summary>Parses and runs; returns the exit code (see <see cref="ExitCode"/>).</summary>
    public static async Task<int> RunAsync(string[] args)
    {
        // Split before parsing: a mistyped option is then an error, never the start of a command.
        var (own, command) = Split(args);
        var root = new RootCommand("Records a .NET program, by default the built-in serializer benchmark, and prints what each of its runs cost.");
        Verbosity.AddTo(root);
        var record = new RecordCommand(command);
        var attach = new AttachCommand();
        root.Subcommands.Add(record);
        root.Subcommands.Add(attach);
        root.Subcommands.Add(new ListCommand());
        root.Subcommands.Add(new FeaturesCommand());
        root.Subcommands.Add(new SessionsCommand());
        root.Subcommands.Add(new StopCommand());
        root.Subcommands.Add(new DoctorCommand());
        root.Subcommands.Add(new InitCommand());
        root.Subcommands.Add(new ProfilesCommand());
        root.Subcommands.Add(new ScriptsCommand());

        var configuration = new RecorderConfiguration(root, record, attach);
        ParseResult result;
        try
        {
            result = configuration.Parse(WithDefaultVerb(OptionNames.Normalize(own, record.Options.Concat(attach.Options).Concat(Verbosity.Options)), root, record), Console.Error);
        }
        catch (ConfigurationException exception)
        {
            return await RecordingAction.FailAsync(exception.Message, ExitCode.Usage).ConfigureAwait(false);
        }

        if (result.Errors.Count > 0)
        {
            foreach (var error in result.Errors)
                await Console.Error.WriteLineAsync($"esp-record: {configuration.Explain(error)}").ConfigureAwait(false);
            await Console.Error.WriteLineAsync("esp-record: 'esp-record --help' lists commands and options; a program to record stands after --").ConfigureAwait(false);
            return ExitCode.Usage;
        }

        if (command.Count > 0 && result.CommandResult.Command != record)
        {
            await Console.Error.WriteLineAsync($"esp-record: '{result.CommandResult.Command.Name}' takes no command after --").ConfigureAwait(false);
            return ExitCode.Usage;
        }

        Verbosity.Use(result);

        // Signals are handled where something is recorded: the library would end the process two seconds after one, in the middle of a rundown.
        return await result.InvokeAsync(new InvocationConfiguration { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = null }).ConfigureAwait(false);
    }

    /// <summary>Splits at the first <c>--</c>.</summary>
    internal static (string[] Own, IReadOnlyList<string> Command) Split(string[] args)
    {
        var at = Array.IndexOf(args, Separator);
        return at < 0 ? (args, []) : (args[..at], args[(at + 1)..]);
    }

    /// <summary>Puts <c>record</c> in front when no verb and no request for help stands there.</summary>
    internal static string[] WithDefaultVerb(string[] args, RootCommand root, Command defaultVerb)
    {
        var verb = args.FirstOrDefault();
        var named = verb is not null && (root.Subcommands.Any(command => command.Name == verb) || verb is "--help" or "-h" or "-?" or "--version");
        return named ? args : [defaultVerb.Name, .. args];
    }
}
