using System.CommandLine;
using EtwSerializerProfiler.Analyzer.Commands;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Recorder.Commands;

namespace EtwSerializerProfiler.Configuration.Tests;

/// <summary>The two tools' command lines, in this process.</summary>
internal static class Tools
{
    /// <summary>Options that concern a single call and are therefore not keys.</summary>
    public static readonly string[] OfOneCall = ["--config", "--no-config", "--dry-run"];

    /// <summary>Sections of both tools, in the order of the schema.</summary>
    public static IReadOnlyList<ConfigurationSection> Sections =>
        [.. new RecordCommand([]).Sections, GateConfiguration.SectionOf(Gate(RootCommandFactory.Create()))];

    public static ConfiguredCommand Gate(RootCommand root) => (ConfiguredCommand)root.Subcommands.First(command => command.Name == "gate");

    /// <summary>Parses a command line of esp-record, the verb first, as the tool does.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="command">The arguments after <c>--</c>.</param>
    public static (ParseResult Result, IReadOnlyList<string> Errors, string Said) Record(
        IReadOnlyList<string> arguments,
        params string[] command
    )
    {
        var record = new RecordCommand(command);
        var attach = new AttachCommand();
        var root = new RootCommand { record, attach };
        var configuration = new RecorderConfiguration(root);
        using var said = new StringWriter();
        var result = configuration.Parse(OptionNames.Normalize(arguments, record.Options), said);
        return (result, [.. result.Errors.Select(error => configuration.Explain(error.Message))], said.ToString());
    }

    /// <summary>Parses a command line of esp-analyze.</summary>
    public static (ParseResult Result, string Said) Analyze(params string[] arguments)
    {
        using var said = new StringWriter();
        return (GateConfiguration.Parse(RootCommandFactory.Create(), arguments, said), said.ToString());
    }
}
