using System.Globalization;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>A table that writes each row when it is measured, so that an early end loses none.</summary>
public sealed class ScenarioTable
{
    /// <summary>Text for a value that this runtime does not provide.</summary>
    public const string NotRecorded = "not recorded";

    private readonly TextWriter _output;
    private readonly (string Name, int Width)[] _columns;

    /// <summary>Writes the header.</summary>
    /// <param name="output">Receives the table.</param>
    /// <param name="columns">Names and minimum widths: positive for text (left-aligned), negative for numbers (right-aligned).</param>
    public ScenarioTable(TextWriter output, params (string Name, int Width)[] columns)
    {
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(columns);
        _output = output;
        _columns = columns;
        Write([.. columns.Select(column => column.Name)]);
    }

    /// <summary>Writes a row; after a failure, only its first cells.</summary>
    public void Write(params string[] cells)
    {
        ArgumentNullException.ThrowIfNull(cells);
        _output.WriteLine(string.Join("  ", cells.Select(Align)).TrimEnd());
        _output.Flush();
    }

    /// <summary>Formats a number with this many decimals; <see cref="NotRecorded"/> for null.</summary>
    public static string Number(double? value, int decimals = 0) =>
        value is { } number
            ? number.ToString("N" + decimals.ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture)
            : NotRecorded;

    private string Align(string cell, int column)
    {
        var width = Math.Max(Math.Abs(_columns[column].Width), _columns[column].Name.Length);
        return _columns[column].Width < 0 ? cell.PadLeft(width) : cell.PadRight(width);
    }
}
