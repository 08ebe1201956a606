using System.Globalization;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>One column: the only place that knows its name, its value and its form, for every output format.</summary>
/// <typeparam name="T">What a row is made of.</typeparam>
/// <param name="Key">Name in CSV and JSON; ends with the unit.</param>
/// <param name="Header">Header for people, null when the column is only for programs.</param>
/// <param name="Value">The value of a row: text, number, or null when it was not recorded.</param>
/// <param name="Format">.NET format of a number for people, invariant culture; empty for text.</param>
public sealed record Column<T>(string Key, string? Header, Func<T, object?> Value, string Format = "")
{
    /// <summary>What people read when there was nothing to record it.</summary>
    public const string NotRecorded = "not recorded";

    /// <summary>What people read where the value does not apply: bytes an object of a run without objects.</summary>
    public const string NotApplicable = "-";

    /// <summary>What people read where every run of a row failed.</summary>
    public const string Failed = "failed";

    /// <summary>Text for people when <see cref="Value"/> is null; <see cref="NotRecorded"/> unless the column knows better.</summary>
    public Func<T, string>? Absent { get; init; }

    /// <summary>For a column that people see only where some row has this: which rows do. Null for one they always see.</summary>
    public Func<T, bool>? ShownWith { get; init; }

    /// <summary>Priority with which a narrow terminal drops the column: the highest first, 0 never.</summary>
    public int LeftOutFirst { get; init; }

    /// <summary>Makes a text as short as the number says, for a narrow terminal; null for columns that keep their texts while there is another way.</summary>
    public Func<string, int, string>? Shorten { get; init; }

    /// <summary>Whether cells are bars (<see cref="CauseLetters"/>).</summary>
    public bool IsBar { get; init; }

    /// <summary>Divides numbers for people only: 1e6 shows bytes as MB.</summary>
    public double Scale { get; init; } = 1;

    /// <summary>True when the column is aligned to the right.</summary>
    public bool IsNumber => Format.Length > 0;

    /// <summary>The cell as people read it.</summary>
    public string Text(T row) => Value(row) switch
    {
        null => Absent?.Invoke(row) ?? NotRecorded,
        double number => (number / Scale).ToString(Format, CultureInfo.InvariantCulture),
        IFormattable number when Format.Length > 0 => number.ToString(Format, CultureInfo.InvariantCulture),
        IFormattable other => other.ToString(null, CultureInfo.InvariantCulture),
        var text => text.ToString() ?? "",
    };
}
