using System.CommandLine;
using System.CommandLine.Invocation;
using EtwSerializerProfiler.Configuration;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Merges the section <c>gate</c> of <c>esp.json</c> into the command line of <c>gate</c>.</summary>
internal static class GateConfiguration
{
    /// <summary>The section <c>gate</c>, with the options of the command.</summary>
    /// <param name="gate">The command.</param>
    public static ConfigurationSection SectionOf(ConfiguredCommand gate) =>
        new(GateCommand.Section, "Limits and base recordings of 'esp-analyze gate'.", gate.Options.Except(gate.Configuration.All));

    /// <summary>Parses the command line, extended by the file's options.</summary>
    /// <param name="root">The command line.</param>
    /// <param name="arguments">The user's arguments.</param>
    /// <param name="error">Receives the name of the file that was read.</param>
    /// <exception cref="ConfigurationException">The file is invalid.</exception>
    public static ParseResult Parse(RootCommand root, string[] arguments, TextWriter error)
    {
        var given = root.Parse(arguments);
        if (given.CommandResult.Command is not ConfiguredCommand gate || !(given.Action == gate.Action || given.Action is ParseErrorAction))
            return given; // another command, or help
        if (gate.Configuration.File(given) is not { } file)
            return given;
        var contents = FileContents.Check(file, [SectionOf(gate)]);

        // Recordings before the last one are the base: like --baseline, they override those of the file.
        var named = gate.Arguments.OfType<Argument<string[]>>().Sum(argument => given.GetResult(argument)?.Tokens.Count ?? 0) > 1;
        var line = ConfiguredLine.Merge(contents, given, arguments, [GateCommand.Section], named ? [GateCommand.BaselineName] : []);
        if (line.Taken.Count > 0 && !gate.Configuration.IsNamed(given))
            error.WriteLine($"configuration: {file.Path}");
        return root.Parse(line.Arguments);
    }
}
