using System.CommandLine;
using System.CommandLine.Parsing;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Parsing;

/// <summary>Options with named values; an unambiguous part of a name is sufficient.</summary>
public static class NamedValues
{
    /// <summary>Parses the option's value by <see cref="NameChoice"/>.</summary>
    /// <param name="option">The option.</param>
    /// <param name="alone">The value of the option without an argument; null when an argument is required.</param>
    public static Option<T> ByName<T>(this Option<T> option, T? alone = null)
        where T : struct, Enum
    {
        ArgumentNullException.ThrowIfNull(option);
        option.CustomParser = result =>
        {
            if (result.Tokens.Count == 0 && alone is not null)
                return alone.Value;
            if (result.Tokens.Count != 1)
                result.AddError($"{option.Name} takes one value", $"choose from {string.Join(", ", Names<T>())}");
            else if (TryParse<T>(result.Tokens[0].Value, out var value, out var advice))
                return value;
            else
                result.AddError($"'{result.Tokens[0].Value}' is not a valid value of {option.Name}", advice);
            return default;
        };
        return option;
    }

    /// <summary>Finds the only value that a text selects.</summary>
    public static bool TryParse<T>(string text, out T value, out string advice)
        where T : struct, Enum
    {
        var found = NameChoice.TryFind(text, Names<T>(), out var name, out advice);
        value = found ? Value<T>(name) : default;
        return found;
    }

    /// <summary>The values that a text selects.</summary>
    public static IReadOnlyList<T> Find<T>(string text)
        where T : struct, Enum => [.. NameChoice.Find(text, Names<T>()).Select(Value<T>)];

    /// <summary>The names as users type them.</summary>
    public static IReadOnlyList<string> Names<T>()
        where T : struct, Enum => [.. Enum.GetNames<T>().Select(name => name.ToLowerInvariant())];

    /// <summary>Adds an error for each entry of a list that selects nothing.</summary>
    /// <param name="result">The list.</param>
    /// <param name="entries">Its entries.</param>
    /// <param name="kind">What the entries select, for the error: <c>column</c>.</param>
    /// <param name="names">The known names.</param>
    public static void RefuseUnknown(this SymbolResult result, IEnumerable<string> entries, string kind, IReadOnlyList<string> names)
    {
        ArgumentNullException.ThrowIfNull(entries);
        foreach (var entry in entries.Where(entry => NameChoice.Find(entry, names).Count == 0))
            result.AddError($"unknown {kind} '{entry}'", NameChoice.Advice(entry, names));
    }

    private static T Value<T>(string name)
        where T : struct, Enum => Enum.TryParse<T>(name, ignoreCase: true, out var value) ? value : default;
}
