using System.CommandLine;
using System.Globalization;

namespace EtwSerializerProfiler.CommandLine.Help;

/// <summary>Writes the help of a command: description, usage, arguments and options in groups, commands by purpose, examples.</summary>
/// <param name="tool">Name of the tool.</param>
/// <param name="output">Receives the help.</param>
/// <param name="width">Columns of a line.</param>
public sealed class HelpText(string tool, TextWriter output, int width)
{
    /// <summary>Minimum width; narrower text is unreadable.</summary>
    private const int MinWidth = 40;

    /// <summary>Longer names have their description on the next line.</summary>
    private const int WidestNames = 30;

    /// <summary>Titles of symbols without a group.</summary>
    private const string OtherOptions = "Options",
        OtherCommands = "Commands";

    private readonly int _width = Math.Max(MinWidth, width);

    /// <summary>Writes the help.</summary>
    public void Write(Command command)
    {
        ArgumentNullException.ThrowIfNull(command);
        Paragraph(command.Description ?? "", indent: 0);
        Usage(command);
        Section(
            "Arguments",
            command
                .Arguments.Where(argument => !argument.Hidden)
                .Select(argument => (Names: argument.Name, Text: argument.Description ?? ""))
        );
        foreach (
            var group in command.Subcommands.Where(item => !item.Hidden).GroupBy(item => Title(HelpNotes.GroupOf(item), OtherCommands))
        )
            Section(
                group.Key,
                group.Select(item => (string.Join(", ", item.Aliases.Prepend(item.Name)), FirstSentence(item.Description ?? "")))
            );
        var order = HelpNotes.GroupsOf(command).ToList();
        foreach (
            var group in CommandNames
                .Options(command)
                .GroupBy(option => Title(HelpNotes.GroupOf(option), OtherOptions))
                .OrderBy(group => order.IndexOf(group.Key) is >= 0 and var at ? at : order.Count)
        )
            Section(group.Key, group.Select(option => (NamesOf(option), Description(option))));
        var examples = HelpNotes.ExamplesOf(command);
        if (examples.Count == 0)
            return;
        output.WriteLine();
        output.WriteLine("Examples:");
        foreach (var example in examples)
        {
            output.WriteLine($"  {example.Line}");
            Paragraph(example.Answers, indent: 6);
        }
    }

    private void Usage(Command command)
    {
        output.WriteLine();
        output.WriteLine("Usage:");
        var path = CommandNames.Path(command, tool);
        var lines = HelpNotes.UsageOf(command);
        if (lines.Count == 0)
            lines =
            [
                string.Join(' ', command.Arguments.Where(argument => !argument.Hidden).Select(Form).Prepend(path).Append("[options]")),
            ];
        foreach (var line in lines)
            output.WriteLine($"  {line}");

        static string Form(Argument argument)
        {
            var form = argument.Arity.MaximumNumberOfValues > 1 ? $"{argument.Name}..." : argument.Name;
            return argument.Arity.MinimumNumberOfValues == 0 ? $"[{form}]" : form;
        }
    }

    private void Section(string title, IEnumerable<(string Names, string Text)> rows)
    {
        var list = rows.ToList();
        if (list.Count == 0)
            return;
        output.WriteLine();
        output.WriteLine($"{title}:");
        var column = 4 + list.Select(row => row.Names.Length).Where(length => length <= WidestNames).DefaultIfEmpty(WidestNames).Max();
        foreach (var (names, text) in list)
        {
            var isOnNext = names.Length + 4 > column;
            var lines = Wrap(text, _width - column);
            output.WriteLine(isOnNext || lines.Count == 0 ? $"  {names}" : $"{$"  {names}".PadRight(column)}{lines[0]}");
            foreach (var line in lines.Skip(isOnNext ? 0 : 1))
                output.WriteLine($"{new string(' ', column)}{line}");
        }
    }

    private void Paragraph(string text, int indent)
    {
        foreach (var line in Wrap(text, _width - indent))
            output.WriteLine($"{new string(' ', indent)}{line}");
    }

    /// <summary>Wraps between words; a longer word gets its own line.</summary>
    private static List<string> Wrap(string text, int width)
    {
        var lines = new List<string>();
        foreach (var word in text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            if (lines.Count > 0 && lines[^1].Length + 1 + word.Length <= width)
                lines[^1] += $" {word}";
            else
                lines.Add(word);
        }

        return lines;
    }

    /// <summary>The names of an option, shortest first; among names that differ only in dashes, only the option's own.</summary>
    private static string NamesOf(Option option)
    {
        var names = option
            .Aliases.Where(alias => alias[0] == '-' && alias != "-?" && alias.TrimStart('-') != option.Name.TrimStart('-'))
            .Append(option.Name)
            .OrderBy(name => name.Length > 2 ? 1 : 0);
        var value = CommandNames.Value(option);
        return $"{string.Join(", ", names)}{(value.Length > 0 ? $" {value}" : "")}";
    }

    private static string Description(Option option)
    {
        var text = HelpNotes.DescriptionOf(option);
        if (option.Required)
            return $"{text} Required.";
        return
            DefaultOf(option) is { Length: > 0 } value
            && !text.Contains("default", StringComparison.OrdinalIgnoreCase)
            && !text.Contains("when not given", StringComparison.Ordinal)
            ? $"{text} (default: {value})"
            : text;
    }

    /// <summary>The default value as users type it; empty when there is none or it is obvious.</summary>
    private static string DefaultOf(Option option)
    {
        if (!option.HasDefaultValue)
            return "";
        return option.GetDefaultValue() switch
        {
            string text => text,
            Enum value => value.ToString().ToLowerInvariant(),
            double share when option.HelpName == "PERCENT" => string.Create(CultureInfo.InvariantCulture, $"{share * 100:0.##}%"),
            int or long or double => string.Create(CultureInfo.InvariantCulture, $"{option.GetDefaultValue()}"),
            IEnumerable<string> texts => string.Join(',', texts),
            _ => "",
        };
    }

    private static string Title(string group, string other) => group.Length > 0 ? group : other;

    /// <summary>A list of commands shows only the first sentence.</summary>
    private static string FirstSentence(string text) =>
        text.IndexOf(". ", StringComparison.Ordinal) is > 0 and var end ? text[..(end + 1)] : text;
}
