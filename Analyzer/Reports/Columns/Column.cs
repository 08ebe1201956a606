using System.Globalization;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>A column with its name, value and format, for every output format.</summary>
/// <typeparam name="T">Type of the rows.</typeparam>
/// <param name="Key">Name in CSV and JSON; ends with the unit.</param>
/// <param name="Header">Header in text output; null for columns of CSV and JSON only.</param>
/// <param name="Value">Value of a row: text, number, or null when not recorded.</param>
/// <param name="Format">.NET format of a number in text output, invariant culture; empty for text.</param>
public sealed record Column<T>(string Key, string? Header, Func<T, object?> Value, string Format = "")
{
    /// <summary>Text for values that were not recorded.</summary>
    public const string NotRecorded = "not recorded";

    /// <summary>Text for values that do not apply, such as bytes per object of a run without objects.</summary>
    public const string NotApplicable = "-";

    /// <summary>Text for rows whose runs all failed.</summary>
    public const string Failed = "failed";

    /// <summary>Text output when <see cref="Value"/> is null; <see cref="NotRecorded"/> by default.</summary>
    public Func<T, string>? Absent { get; init; }

    /// <summary>Text output in place of <see cref="Value"/>, for people; null for the value.</summary>
    public Func<T, string>? Shown { get; init; }

    /// <summary>Selects the rows that make the column appear in text output; null for a column that always appears.</summary>
    public Func<T, bool>? ShownWith { get; init; }

    /// <summary>Priority for dropping the column on a narrow terminal: highest first, 0 never.</summary>
    public int LeftOutFirst { get; init; }

    /// <summary>
    /// Makes a text as short as the number says, for a narrow terminal; null for columns that keep their texts while there is another way.
    /// </summary>
    public Func<string, int, string>? Shorten { get; init; }

    /// <summary>Whether cells are bars (<see cref="CauseLetters"/>).</summary>
    public bool IsBar { get; init; }

    /// <summary>Divisor for numbers in text output: 1e6 shows bytes as MB.</summary>
    public double Scale { get; init; } = 1;

    /// <summary>Whether the column is right-aligned.</summary>
    public bool IsNumber => Format.Length > 0;

    /// <summary>Returns the cell's text.</summary>
    public string Text(T row) =>
        Shown?.Invoke(row)
        ?? Value(row) switch
        {
            null => Absent?.Invoke(row) ?? NotRecorded,
            long number when Scale != 1 => (number / Scale).ToString(Format, CultureInfo.InvariantCulture),
            double number => (number / Scale).ToString(Format, CultureInfo.InvariantCulture),
            IFormattable number when Format.Length > 0 => number.ToString(Format, CultureInfo.InvariantCulture),
            IFormattable other => other.ToString(null, CultureInfo.InvariantCulture),
            var text => text.ToString() ?? "",
        };
}
