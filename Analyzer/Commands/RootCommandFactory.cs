using System.CommandLine;
using EtwSerializerProfiler.Configuration;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>The command line of esp-analyze.</summary>
internal static class RootCommandFactory
{
    public const int Usage = 2;

    public static RootCommand Create() => Create(new Verbosity());

    private static RootCommand Create(Verbosity verbosity)
    {
        var root = new RootCommand("Says what each run of each serializer cost, from a recording of esp-record or from trace files.");
        verbosity.AddTo(root);
        TableCommand.Set(root);
        root.Subcommands.Add(TableCommand.Create());
        root.Subcommands.Add(RunsCommand.Create());
        root.Subcommands.Add(ReportCommand.Create());
        root.Subcommands.Add(FirstCallsCommand.Create());
        root.Subcommands.Add(CpuCommand.Create());
        root.Subcommands.Add(CausesCommand.Create());
        root.Subcommands.Add(DiffCommand.Create());
        root.Subcommands.Add(GateCommand.Create());
        root.Subcommands.Add(TrendCommand.Create());
        root.Subcommands.Add(StacktagsCommand.Create());
        root.Subcommands.Add(RegionsCommand.Create());
        foreach (var command in EventCommands.Create())
            root.Subcommands.Add(command);
        root.Subcommands.Add(FindingsCommand.Create());
        root.Subcommands.Add(ExportCommand.Create());
        root.Subcommands.Add(StatsCommand.Create());
        root.Subcommands.Add(EventsCommand.Create());
        root.Subcommands.Add(ReferencesCommand.Create());
        root.Subcommands.Add(DumpCommand.Create());
        return root;
    }

    /// <summary>Parses and runs.</summary>
    /// <returns>0 done, 1 a gate was violated, 2 wrong usage, 3 nothing can be read, 5 a gate could not judge.</returns>
    public static int Run(string[] arguments, InvocationConfiguration? configuration = null)
    {
        var verbosity = new Verbosity();
        ParseResult parsed;
        try
        {
            parsed = GateConfiguration.Parse(Create(verbosity), arguments, configuration?.Error ?? Console.Error);
        }
        catch (ConfigurationException exception)
        {
            (configuration?.Error ?? Console.Error).WriteLine($"esp-analyze: {exception.Message}");
            return Usage;
        }

        var exitCode = verbosity.Run(parsed, configuration);
        return parsed.Errors.Count > 0 ? Usage : exitCode;
    }
}
