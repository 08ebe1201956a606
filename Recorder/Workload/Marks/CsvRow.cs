using System.Globalization;
using System.Text;

namespace EtwSerializerProfiler.Marks;

/// <summary>Builds one row of a CSV file: RFC 4180, invariant culture. Reused for every row.</summary>
public sealed class CsvRow
{
    private readonly StringBuilder _row = new();

    /// <summary>Whether the row has no field yet.</summary>
    private bool _isEmpty = true;

    /// <summary>Appends a number.</summary>
    public void Append(long value) => Append(value.ToString(CultureInfo.InvariantCulture));

    /// <summary>Appends a text unchanged, quoted if necessary.</summary>
    public void Append(string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        if (!_isEmpty)
            _row.Append(',');
        _isEmpty = false;
        _row.Append(CsvText.Quoted(value));
    }

    /// <summary>Appends a text for people, so that spreadsheets do not interpret it as a formula (<see cref="CsvText.Inert"/>).</summary>
    public void AppendInert(string value) => Append(CsvText.Inert(value));

    /// <summary>Appends the row in UTF-8 to the end of <paramref name="file"/>, and begins a new one.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void WriteTo(Stream file)
    {
        ArgumentNullException.ThrowIfNull(file);

        // .NET tracks its own position even in append mode. Without this, it would overwrite rows that another process has appended since.
        file.Seek(0, SeekOrigin.End);
        file.Write(Encoding.UTF8.GetBytes(_row.Append('\n').ToString()));
        file.Flush();
        _row.Clear();
        _isEmpty = true;
    }
}
