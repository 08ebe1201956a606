using System.Globalization;
using System.Text;

namespace EtwSerializerProfiler.Marks;

/// <summary>One row of a CSV file while it is put together: RFC 4180, invariant culture. Reused for every row.</summary>
public sealed class CsvRow
{
    private readonly StringBuilder _row = new();

    /// <summary>Whether the row has no field yet.</summary>
    private bool _isEmpty = true;

    /// <summary>Appends a number.</summary>
    public void Append(long value) => Append(value.ToString(CultureInfo.InvariantCulture));

    /// <summary>Appends a text exactly, in quotes where it needs them.</summary>
    public void Append(string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        if (!_isEmpty)
            _row.Append(',');
        _isEmpty = false;
        _row.Append(CsvText.Quoted(value));
    }

    /// <summary>Appends a text for people, whose spreadsheet must not take it for a formula (<see cref="CsvText.Inert"/>).</summary>
    public void AppendInert(string value) => Append(CsvText.Inert(value));

    /// <summary>Appends the row to the end of <paramref name="file"/>, UTF-8, and begins a new one.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void WriteTo(Stream file)
    {
        ArgumentNullException.ThrowIfNull(file);

        // .NET keeps a position of its own, also in append mode: without this, rows that another process appended since would be overwritten.
        file.Seek(0, SeekOrigin.End);
        file.Write(Encoding.UTF8.GetBytes(_row.Append('\n').ToString()));
        file.Flush();
        _row.Clear();
        _isEmpty = true;
    }
}
