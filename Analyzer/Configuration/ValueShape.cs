using System.CommandLine;
using System.Globalization;
using System.Text.Json;

namespace EtwSerializerProfiler.Configuration;

/// <summary>The JSON shape of an option's values, derived from the option's type and from the name of its value in help.</summary>
/// <param name="Kind">Kind of value.</param>
/// <param name="IsList">Whether it accepts several values.</param>
/// <param name="Words">The words of a choice; for a number, the words that replace it (<c>N|none</c>).</param>
public sealed record ValueShape(ValueKind Kind, bool IsList, IReadOnlyList<string> Words)
{
    /// <summary>Names of values in help that denote paths.</summary>
    private static readonly string[] s_paths = ["DIR", "FILE", "PATH", "ASSEMBLY", "ASSEMBLY[!TYPE]", "RECORDING"];

    /// <summary>Derives the shape of an option.</summary>
    public static ValueShape Of(Option option)
    {
        ArgumentNullException.ThrowIfNull(option);
        var type = option.ValueType;
        var list =
            type.IsArray ? type.GetElementType()
            : type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IReadOnlyList<>) ? type.GetGenericArguments()[0]
            : null;
        var single = list ?? Nullable.GetUnderlyingType(type) ?? type;
        var kind =
            single == typeof(bool) ? ValueKind.Flag
            : single.IsEnum ? ValueKind.Choice
            : single == typeof(int) || single == typeof(long) ? ValueKind.Whole
            : single == typeof(double) ? (option.HelpName == "PERCENT" ? ValueKind.Percent : ValueKind.Number)
            : s_paths.Contains(option.HelpName) ? ValueKind.Path
            : ValueKind.Text;
        string[] words = kind switch
        {
            ValueKind.Choice => [.. Enum.GetNames(single).Select(name => name.ToLowerInvariant())],
            ValueKind.Whole or ValueKind.Number =>
            [
                .. (option.HelpName ?? "").Split('|').Skip(1).Where(word => word.All(char.IsAsciiLetterLower)),
            ],
            _ => [],
        };
        return new ValueShape(kind, list is not null, words);
    }

    /// <summary>Describes valid values.</summary>
    public string Expected =>
        (
            Kind switch
            {
                ValueKind.Flag => "true or false",
                ValueKind.Whole => $"an integer{Others}",
                ValueKind.Number => $"a number{Others}",
                ValueKind.Percent => "a percentage such as 5 or \"5%\"",
                ValueKind.Choice => $"one of {string.Join(", ", Words.Select(word => $"\"{word}\""))}",
                ValueKind.Path => "a path in quotes",
                _ => "a text in quotes",
            }
        ) + (IsList ? ", or a list of them" : "");

    private string Others => string.Concat(Words.Select(word => $" or \"{word}\""));

    /// <summary>Whether a single value has the shape. The option's parser decides whether it is valid.</summary>
    public bool Takes(ConfigurationNode value)
    {
        ArgumentNullException.ThrowIfNull(value);
        var isText = value.Kind == JsonValueKind.String;
        return Kind switch
        {
            ValueKind.Flag => value.Kind is JsonValueKind.True or JsonValueKind.False,
            ValueKind.Whole => value.Kind == JsonValueKind.Number
                ? long.TryParse(value.Text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out _)
                : IsWord(value),
            ValueKind.Number => value.Kind == JsonValueKind.Number || IsWord(value),
            ValueKind.Percent => value.Kind == JsonValueKind.Number || isText,
            ValueKind.Choice => IsWord(value),
            _ => isText,
        };
    }

    private bool IsWord(ConfigurationNode value) =>
        value.Kind == JsonValueKind.String && Words.Contains(value.Text, StringComparer.OrdinalIgnoreCase);
}
