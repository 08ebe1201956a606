using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using EtwSerializerProfiler.Parsing;

namespace EtwSerializerProfiler.CommandLine.Completion;

/// <summary>Answers the directive [suggest:LENGTH] with completions for the end of an incomplete line.</summary>
public static class Suggestions
{
    private const string Directive = "[suggest";

    /// <summary>The incomplete line that a shell asks about; null for other arguments.</summary>
    /// <param name="arguments">The arguments of the tool.</param>
    public static string? LineOf(IReadOnlyList<string> arguments)
    {
        ArgumentNullException.ThrowIfNull(arguments);
        if (
            arguments is not [var directive, var line]
            || !directive.StartsWith(Directive, StringComparison.Ordinal)
            || !directive.EndsWith(']')
        )
            return null;
        var at = directive.IndexOf(':', StringComparison.Ordinal);
        return
            at > 0
            && int.TryParse(directive.AsSpan(at + 1, directive.Length - at - 2), CultureInfo.InvariantCulture, out var length)
            && length >= 0
            && length < line.Length
            ? line[..length]
            : line;
    }

    /// <summary>Splits a line into the words after the tool's name and the last, incomplete word, which is empty after a space.</summary>
    public static (string[] Before, string Word) Split(string line)
    {
        ArgumentNullException.ThrowIfNull(line);
        var words = CommandLineParser.SplitCommandLine(line).Skip(1).ToArray();
        return line.Length == 0 || char.IsWhiteSpace(line[^1]) || words.Length == 0 ? (words, "") : (words[..^1], words[^1]);
    }

    /// <summary>Returns the completions.</summary>
    /// <param name="root">The command line; <paramref name="before"/> already contains a default verb.</param>
    /// <param name="before">The words before.</param>
    /// <param name="word">The incomplete word; may be empty.</param>
    public static IReadOnlyList<string> Of(RootCommand root, IReadOnlyList<string> before, string word)
    {
        ArgumentNullException.ThrowIfNull(root);
        ArgumentNullException.ThrowIfNull(before);
        ArgumentNullException.ThrowIfNull(word);
        UseLowerCase(root);

        // --option=value is completed like a value after the option.
        var equals = word.StartsWith('-') ? word.IndexOfAny(['=', ':']) : -1;
        if (equals > 0)
            return
            [
                .. Of(root, [.. before, word[..equals]], word[(equals + 1)..])
                    .Where(value => !value.StartsWith('-'))
                    .Select(value => word[..(equals + 1)] + value),
            ];
        var line = string.Join(' ', before.Append(word).Select(Quoted).Prepend("x"));
        return
        [
            .. root.Parse(line, OptionNames.Parsing)
                .GetCompletions(line.Length)
                .Select(item => item.InsertText ?? item.Label)
                .Where(text => text.StartsWith(word, StringComparison.OrdinalIgnoreCase) && IsOffered(text, word))
                .Distinct(),
        ];
    }

    /// <summary>Options are offered only after a dash, and in one spelling: with the number of dashes that was typed.</summary>
    private static bool IsOffered(string text, string word) =>
        text.Length > 0
        && text[0] != '/'
        && text != "-?"
        && (text[0] != '-' || (word.StartsWith('-') && (text.Length <= 2 || text[1] == '-' || word.Length == 1 || word[1] != '-')));

    private static string Quoted(string word) => word.Length > 0 && word.Any(char.IsWhiteSpace) ? $"\"{word}\"" : word;

    /// <summary>Completes values of enumerations in lower case, as help shows them.</summary>
    private static void UseLowerCase(Command command)
    {
        foreach (var option in command.Options)
            Replace(option.ValueType, option.CompletionSources);
        foreach (var argument in command.Arguments)
            Replace(argument.ValueType, argument.CompletionSources);
        foreach (var below in command.Subcommands)
            UseLowerCase(below);
    }

    private static void Replace(
        Type type,
        List<Func<System.CommandLine.Completions.CompletionContext, IEnumerable<System.CommandLine.Completions.CompletionItem>>> sources
    )
    {
        if (CommandNames.Values(type) is not { Count: > 0 } values)
            return;
        sources.Clear();
        sources.Add([.. values]);
    }
}
