using System.CommandLine;
using System.CommandLine.Invocation;
using EtwSerializerProfiler.Configuration;
using EtwSerializerProfiler.Parsing;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Adds the options of <c>esp.json</c> to the command line of <c>record</c> and <c>attach</c>.</summary>
/// <param name="root">The command line.</param>
internal sealed class RecorderConfiguration(RootCommand root)
{
    /// <summary>The command line with the file's options; null when there is no file.</summary>
    private ConfiguredLine? _line;

    /// <summary>Parses a command line. The file supplies the options that it lacks.</summary>
    /// <param name="arguments">The command line, the verb first.</param>
    /// <param name="error">Receives a line that names the file.</param>
    /// <exception cref="ConfigurationException">The file is invalid.</exception>
    public ParseResult Parse(IReadOnlyList<string> arguments, TextWriter error)
    {
        var (record, attach) = (root.Subcommands.OfType<RecordCommand>().Single(), root.Subcommands.OfType<AttachCommand>().Single());
        var given = Parse(arguments);
        var verb = given.CommandResult.Command;
        if ((verb != record && verb != attach) || !(given.Action == verb.Action || given.Action is ParseErrorAction))
            return given; // another command, or help
        var options = verb == record ? record.Configuration : attach.Configuration;
        if (options.File(given) is not { } file)
            return given;
        var contents = FileContents.Check(file, record.Sections);
        if (
            contents.Command.Count > 0
            && contents.Options.FirstOrDefault(option => option.Section.Name == RecordCommand.SuiteSection) is { } suite
        )
            throw new ConfigurationException(
                file.Path,
                suite.At,
                $"\"{suite.Key.Name}\" is for the built-in suite, and \"command\" records a program of your own",
                "remove one of them, or leave the file out with --no-config"
            );

        var sections = verb == record ? record.Use(contents) : [RecordCommand.RecordSection];
        attach.ConfiguredBy = file.Path;
        _line = ConfiguredLine.Merge(contents, given, arguments, sections);
        if (verb == record && record.IsByEtw(Parse(_line.Arguments)))
            _line = ConfiguredLine.Merge(contents, given, arguments, [.. sections, RecordCommand.EtwSection]);
        if (!options.IsNamed(given) || record.IsDryRun(given) || attach.IsDryRun(given))
            error.WriteLine($"configuration: {file.Path}{NotUsed(contents, _line)}");
        return Parse(_line.Arguments);
    }

    /// <summary>Adds the position in the file to an error message.</summary>
    public string Explain(string error) => _line?.Explain(error) ?? error;

    /// <summary>Sections that do not apply here: one file serves several commands and systems.</summary>
    private static string NotUsed(FileContents contents, ConfiguredLine line)
    {
        var names = contents
            .Options.Select(option => option.Section.Name)
            .Distinct()
            .Where(name => !line.Sections.Contains(name))
            .Select(name => $"\"{name}\"")
            .ToList();
        return names.Count == 0 ? "" : $" (not used here: {string.Join(", ", names)})";
    }

    private ParseResult Parse(IReadOnlyList<string> arguments) => root.Parse(arguments, OptionNames.Parsing);
}
