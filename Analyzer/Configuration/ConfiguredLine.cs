using System.CommandLine;
using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Configuration;

/// <summary>A command line with the options of a file that it does not give itself.</summary>
public sealed class ConfiguredLine
{
    private ConfiguredLine(IReadOnlyList<string> arguments, FileContents contents, IReadOnlyList<FileOption> taken, IReadOnlyCollection<string> sections)
    {
        Arguments = arguments;
        Contents = contents;
        Taken = taken;
        Sections = sections;
    }

    /// <summary>The arguments, the file's behind the verb.</summary>
    public IReadOnlyList<string> Arguments { get; }

    /// <summary>The file.</summary>
    public FileContents Contents { get; }

    /// <summary>What came from the file.</summary>
    public IReadOnlyList<FileOption> Taken { get; }

    /// <summary>Names of the sections that mean something to the command.</summary>
    public IReadOnlyCollection<string> Sections { get; }

    /// <summary>Puts the options of a file behind the verb. One that the user gave, or whose opposite the user gave, is left out.</summary>
    /// <param name="contents">The file.</param>
    /// <param name="given">What the user typed, parsed.</param>
    /// <param name="arguments">The same as it was parsed.</param>
    /// <param name="sections">Names of the sections that mean something to the command.</param>
    /// <param name="replaced">Options that the user gave in another way.</param>
    public static ConfiguredLine Merge(FileContents contents, ParseResult given, IReadOnlyList<string> arguments, IReadOnlyCollection<string> sections, params string[] replaced)
    {
        ArgumentNullException.ThrowIfNull(contents);
        ArgumentNullException.ThrowIfNull(given);
        ArgumentNullException.ThrowIfNull(arguments);
        var options = given.CommandResult.Command.Options;
        var typed = options.Where(option => given.GetResult(option) is { Implicit: false }).Select(option => option.Name).Concat(replaced).ToHashSet();
        var taken = contents.Options.Where(option => sections.Contains(option.Section.Name)
            && options.Any(known => known.Name == option.Key.Option.Name) && !typed.Contains(option.Key.Option.Name) && !typed.Contains(option.Key.Opposite)).ToList();
        var verb = arguments.TakeWhile(argument => argument != given.CommandResult.IdentifierToken.Value).Count() + 1;
        return new ConfiguredLine([.. arguments.Take(verb), .. taken.SelectMany(option => option.Arguments), .. arguments.Skip(verb)], contents, taken, sections);
    }

    /// <summary>An error of the parser, with the place in the file of what it is about.</summary>
    public string Explain(string error)
    {
        ArgumentNullException.ThrowIfNull(error);
        var about = Taken.FirstOrDefault(option => option.Arguments.Count > 0 && Regex.IsMatch(error, $@"(?<![\w-]){Regex.Escape(option.Key.Option.Name)}(?![\w-])"));
        return about is null ? error : $"{error.TrimEnd('.')} ({about.Key.Option.Name} stands in {ConfigurationException.Place(Contents.File.Path, about.At)}; --no-config leaves the file out)";
    }
}
