using EtwSerializerProfiler.Workload.Features.Data;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Values of simple types.</summary>
internal static class ValueFeatures
{
    private const string Group = "Values";

    public static IReadOnlyList<Feature> All { get; } =
    [
        new RoundTripFeature<ValueData.Nullables>(
            "nullable",
            Group,
            "Nullable",
            "int? with the values 7, 0 and null; the class has 5 as default of the last one.",
            () =>
                new()
                {
                    Number = 7,
                    Zero = 0,
                    Nothing = null,
                }
        ),
        new RoundTripFeature<ValueData.Enums>(
            "enum",
            Group,
            "enum",
            "A member of an enum, and a combination of flags.",
            () => new() { Day = ValueData.Day.Sunday, Rights = ValueData.Rights.Read | ValueData.Rights.Delete }
        ),
        new RoundTripFeature<ValueData.TwoTexts>(
            "null-string",
            Group,
            "null and empty string",
            "A null string is read as null, and an empty one as empty.",
            () => new() { Null = null, Empty = "" }
        ),
        new RoundTripFeature<ValueData.Text>(
            "line-breaks",
            Group,
            "line breaks",
            "A string with CR LF, a lone CR, a tab, blanks at both ends and a character outside the basic plane.",
            () => new() { Value = " a\r\nb\rc\td \ud83d\ude00 " },
            Same
        ),
        new RoundTripFeature<ValueData.Text>(
            "control-characters",
            Group,
            "control characters",
            "A string with U+0000 and U+0001.",
            () => new() { Value = "a\0b\u0001c" },
            Same
        ),
        new RoundTripFeature<ValueData.Guids>(
            "guid",
            Group,
            "Guid",
            "A Guid.",
            () => new() { Value = new Guid("00112233-4455-6677-8899-aabbccddeeff") }
        ),
        new RoundTripFeature<ValueData.Uris>(
            "uri",
            Group,
            "Uri",
            "A Uri.",
            () => new() { Value = new Uri("https://example.org/a?b=c#d") },
            (expected, actual) => Equal("Value", expected.Value, actual.Value)
        ),
        new RoundTripFeature<ValueData.Tuples>(
            "value-tuple",
            Group,
            "ValueTuple",
            "A ValueTuple of an int and a string.",
            () => new() { Value = (7, "seven") }
        ),
    ];

    private static string? Same(ValueData.Text expected, ValueData.Text actual) =>
        expected.Value == actual.Value ? null : $"{Show(expected.Value)} is read as {Show(actual.Value)}";

    private static string? Equal(string name, object? expected, object? actual) =>
        Equals(expected, actual) ? null : $"{name} is {actual ?? "null"}, not {expected}";

    /// <summary>The text with invisible characters escaped as in C#.</summary>
    private static string Show(string? text) =>
        text is null
            ? "null"
            : $"'{string.Concat(text.Select(character => character switch
        {
            '\r' => "\\r",
            '\n' => "\\n",
            '\t' => "\\t",
            < ' ' => FormattableString.Invariant($"\\u{(int)character:x4}"),
            _ => character.ToString(),
        }))}'";
}
