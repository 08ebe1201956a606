using System.CommandLine;
using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Configuration;

/// <summary>A command line with the options of a configuration file that it does not set itself.</summary>
public sealed class ConfiguredLine
{
    private ConfiguredLine(
        IReadOnlyList<string> arguments,
        FileContents contents,
        IReadOnlyList<FileOption> taken,
        IReadOnlyCollection<string> sections
    )
    {
        Arguments = arguments;
        Contents = contents;
        Taken = taken;
        Sections = sections;
    }

    /// <summary>The arguments; the file's options follow the verb.</summary>
    public IReadOnlyList<string> Arguments { get; }

    /// <summary>The file.</summary>
    public FileContents Contents { get; }

    /// <summary>Options that came from the file.</summary>
    public IReadOnlyList<FileOption> Taken { get; }

    /// <summary>Names of the sections that apply to the command.</summary>
    public IReadOnlyCollection<string> Sections { get; }

    /// <summary>Adds the options of a file after the verb, except those that the user gave or negated.</summary>
    /// <param name="contents">The file.</param>
    /// <param name="given">The user's command line, parsed.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="sections">Names of the sections that apply to the command.</param>
    /// <param name="replaced">Options that the user gave in another way.</param>
    public static ConfiguredLine Merge(
        FileContents contents,
        ParseResult given,
        IReadOnlyList<string> arguments,
        IReadOnlyCollection<string> sections,
        params string[] replaced
    )
    {
        ArgumentNullException.ThrowIfNull(contents);
        ArgumentNullException.ThrowIfNull(given);
        ArgumentNullException.ThrowIfNull(arguments);
        var options = given.CommandResult.Command.Options;
        var typed = options
            .Where(option => given.GetResult(option) is { Implicit: false })
            .Select(option => option.Name)
            .Concat(replaced)
            .ToHashSet();
        var taken = contents
            .Options.Where(option =>
                sections.Contains(option.Section.Name)
                && options.Any(known => known.Name == option.Key.Option.Name)
                && !typed.Contains(option.Key.Option.Name)
                && !typed.Contains(option.Key.Opposite)
            )
            .ToList();
        var verb = arguments.TakeWhile(argument => argument != given.CommandResult.IdentifierToken.Value).Count() + 1;
        return new ConfiguredLine(
            [.. arguments.Take(verb), .. taken.SelectMany(option => option.Arguments), .. arguments.Skip(verb)],
            contents,
            taken,
            sections
        );
    }

    /// <summary>Adds the position in the file to an error of the parser.</summary>
    public string Explain(string error)
    {
        ArgumentNullException.ThrowIfNull(error);
        var about = Taken.FirstOrDefault(option =>
            option.Arguments.Count > 0 && Regex.IsMatch(error, $@"(?<![\w-]){Regex.Escape(option.Key.Option.Name)}(?![\w-])")
        );
        return about is null
            ? error
            : $"{error.TrimEnd('.')} ({about.Key.Option.Name} is set in {ConfigurationException.Place(Contents.File.Path, about.At)}; --no-config ignores the file)";
    }
}
