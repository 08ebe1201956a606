using System.CommandLine;
using System.Text.Json;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Configuration;

/// <summary>The checked content of a file: its keys exist, and the options' parsers and validators accept its values.</summary>
public sealed class FileContents
{
    /// <summary>A name with one dash and several letters is one option, not a bundle of letters.</summary>
    private static readonly ParserConfiguration s_parsing = new() { EnablePosixBundling = false };

    private FileContents(ConfigurationFile file, IReadOnlyList<string> command, TextPosition? commandAt, IReadOnlyList<FileOption> options)
    {
        File = file;
        Command = command;
        CommandAt = commandAt;
        Options = options;
    }

    /// <summary>The file.</summary>
    public ConfigurationFile File { get; }

    /// <summary>The user's program with its arguments; empty for none.</summary>
    public IReadOnlyList<string> Command { get; }

    /// <summary>Position of the command; null for none.</summary>
    public TextPosition? CommandAt { get; }

    /// <summary>Options of the given sections in the order of the file.</summary>
    public IReadOnlyList<FileOption> Options { get; }

    /// <summary>Checks a file.</summary>
    /// <param name="file">The file.</param>
    /// <param name="sections">The sections of this tool. In those of the other tool only unknown keys are checked.</param>
    /// <exception cref="ConfigurationException">The file has an unknown key, or a value of a wrong type or range.</exception>
    public static FileContents Check(ConfigurationFile file, IReadOnlyList<ConfigurationSection> sections)
    {
        ArgumentNullException.ThrowIfNull(file);
        ArgumentNullException.ThrowIfNull(sections);
        IReadOnlyList<string> command = [];
        TextPosition? commandAt = null;
        var options = new List<FileOption>();
        foreach (var member in file.Root.Members)
        {
            if (member.Key == ConfigurationSchema.SchemaKey)
                Expect(file, member, JsonValueKind.String, "the location of the schema, in quotes");
            else if (member.Key == ConfigurationSchema.CommandKey)
                (command, commandAt) = (CommandOf(file, member), member.At);
            else if (!ConfigurationSchema.Shipped.SectionNames.Contains(member.Key))
                throw Unknown(file, member, "", ConfigurationSchema.Shipped.SectionNames);
            else
                options.AddRange(SectionOf(file, member, sections.FirstOrDefault(section => section.Name == member.Key)));
        }

        return new FileContents(file, command, commandAt, options);
    }

    private static IEnumerable<FileOption> SectionOf(ConfigurationFile file, ConfigurationMember member, ConfigurationSection? section)
    {
        Expect(file, member, JsonValueKind.Object, "an object, in braces");
        string[] names = section is null ? [.. ConfigurationSchema.Shipped.KeysOf(member.Key)] : [.. section.Keys.Select(key => key.Name)];
        foreach (var inner in member.Value.Members)
        {
            if (!names.Contains(inner.Key))
                throw Unknown(file, inner, member.Key, names);
            if (section?.Keys.First(key => key.Name == inner.Key) is not { } found)
                continue; // a section of the other tool
            var arguments = found.Arguments(file, inner.Value);

            // Checks each option alone; conflicts between options are checked with the whole command line.
            if (
                new Command(section.Name) { found.Option }
                    .Parse(arguments, s_parsing)
                    .Errors
                is [var problem, ..]
            )
                throw file.Error(inner.Value.At, $"\"{inner.Key}\": {Without(found.Option.Name, problem.Message)}");
            yield return new FileOption(section, found, inner.At, arguments);
        }
    }

    private static List<string> CommandOf(ConfigurationFile file, ConfigurationMember member)
    {
        Expect(file, member, JsonValueKind.Array, "a list with the program and its arguments");
        foreach (var wrong in member.Value.Items.Where(item => item.Kind != JsonValueKind.String))
            throw file.Error(wrong.At, $"\"{member.Key}\" has {wrong.KindText}; expected: the program and its arguments, in quotes");
        var command = member.Value.Items.Select(item => item.Text).ToList();
        if (command.Count == 0 || command[0].Length == 0)
            throw file.Error(member.Value.At, $"\"{member.Key}\" names no program; expected: a list with the program and its arguments");
        if (command[0].AsSpan().ContainsAny('/', Path.DirectorySeparatorChar))
            command[0] = Path.GetFullPath(command[0], file.Folder);
        return command;
    }

    private static void Expect(ConfigurationFile file, ConfigurationMember member, JsonValueKind kind, string expected)
    {
        if (member.Value.Kind != kind)
            throw file.Error(member.Value.At, $"\"{member.Key}\" is {member.Value.KindText}; expected: {expected}");
    }

    private static ConfigurationException Unknown(
        ConfigurationFile file,
        ConfigurationMember member,
        string section,
        IEnumerable<string> names
    )
    {
        var place = section.Length > 0 ? $" in \"{section}\"" : "";
        var elsewhere = ConfigurationSchema.Shipped.SectionsWith(member.Key).ToList();
        var hint =
            NearestName.Of(member.Key, names) is { } near ? $"did you mean \"{near}\"?"
            : elsewhere.Count > 0 ? $"it belongs in {string.Join(" or ", elsewhere.Select(name => $"\"{name}\""))}"
            : $"expected: {string.Join(", ", names)}";
        return file.Error(member.At, $"unknown key \"{member.Key}\"{place}: {hint}");
    }

    private static string Without(string option, string message) =>
        (message.StartsWith(option + ": ", StringComparison.Ordinal) ? message[(option.Length + 2)..] : message).TrimEnd('.');
}
