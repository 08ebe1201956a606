using System.Globalization;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>ClickHouse's types and text formats of values.</summary>
internal static partial class ClickHouseTypes
{
    /// <summary>The type of a column in a table.</summary>
    public static string Of(StoreColumn column)
    {
        var type = column.Type switch
        {
            ColumnType.Text => "String",
            ColumnType.Integer => "Int64",
            _ => "Float64",
        };
        return column.IsNullable ? $"Nullable({type})" : type;
    }

    /// <summary>The column with a name and type of an answer; null for an unknown type.</summary>
    public static StoreColumn? Column(string name, string type)
    {
        if (!Form().IsMatch(type))
            return null;
        var bare = type;
        while (Wrapped().Match(bare) is { Success: true } match)
            bare = match.Groups[1].Value;
        return new StoreColumn(name, Of(bare), IsNullable: true, "");
    }

    /// <summary>Parses a value of an answer. NaN (division by zero, the average of nothing) becomes null, as in SQLite.</summary>
    public static object? Value(string text, ColumnType type) =>
        type switch
        {
            ColumnType.Text => text,
            ColumnType.Integer when long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var whole) =>
                whole,
            ColumnType.Integer when text is "true" or "false" => text == "true" ? 1L : 0L,
            _ => double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && double.IsFinite(number)
                ? number
                : null,
        };

    /// <summary>Formats a text as an SQL literal.</summary>
    public static string Literal(string text) =>
        $"'{text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("'", "\\'", StringComparison.Ordinal)}'";

    private static ColumnType Of(string type) =>
        type switch
        {
            _ when type.StartsWith("Int", StringComparison.Ordinal) && !type.StartsWith("Interval", StringComparison.Ordinal) =>
                ColumnType.Integer,
            _ when type.StartsWith("UInt", StringComparison.Ordinal) || type == "Bool" => ColumnType.Integer,
            _ when type.StartsWith("Float", StringComparison.Ordinal) || type.StartsWith("Decimal", StringComparison.Ordinal) =>
                ColumnType.Real,
            _ => ColumnType.Text,
        };

    [GeneratedRegex(@"^[A-Z][A-Za-z0-9]*(\(.*\))?$")]
    private static partial Regex Form();

    [GeneratedRegex(@"^(?:LowCardinality|Nullable)\((.*)\)$")]
    private static partial Regex Wrapped();
}
