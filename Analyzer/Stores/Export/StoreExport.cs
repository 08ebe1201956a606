using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Export;

/// <summary>Writes the tables of a store as files that DuckDB, Spark and ClickHouse read as they are: one a table, row after row, whatever their size.</summary>
public static class StoreExport
{
    private const int BufferSize = 1 << 16;

    /// <summary>Writes all tables.</summary>
    /// <param name="store">The store.</param>
    /// <param name="traces">Traces whose rows are wanted; null for all.</param>
    /// <param name="folder">Where to; made when it is not there.</param>
    /// <param name="format">Form of the files.</param>
    /// <param name="overwrite">Whether files that are there are replaced.</param>
    /// <param name="cancellation">Ends it; the table that was being written is then not there.</param>
    /// <returns>The files with their rows.</returns>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    /// <exception cref="IOException">A file cannot be written, or is there already.</exception>
    public static IReadOnlyList<(string Path, long Rows)> Write(
        ITraceStore store, IReadOnlyCollection<string>? traces, string folder, StoreFileFormat format, bool overwrite, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(store);
        Directory.CreateDirectory(folder);
        var paths = StoreSchema.Tables.Select(table => Path.Combine(folder, table.Name + (format == StoreFileFormat.Csv ? ".csv" : ".jsonl"))).ToList();
        if (!overwrite && paths.Find(File.Exists) is { } there)
            throw new ProblemException(new Problem("the file is there already", there, "name another folder, or add --force to replace it"));
        return [.. StoreSchema.Tables.Zip(paths, (table, path) => (path, Write(store, table, traces, path, format, cancellation)))];
    }

    private static long Write(ITraceStore store, StoreTable table, IReadOnlyCollection<string>? traces, string path, StoreFileFormat format, CancellationToken cancellation)
    {
        var temporary = path + ".tmp";
        try
        {
            using var reader = store.Read(table, traces);
            long rows;
            using (var stream = new FileStream(temporary, FileMode.Create, FileAccess.Write, FileShare.None, BufferSize))
                rows = format == StoreFileFormat.Csv ? WriteCsv(reader, stream, cancellation) : WriteJson(reader, stream, cancellation);
            File.Move(temporary, path, overwrite: true);
            return rows;
        }
        finally
        {
            File.Delete(temporary);
        }
    }

    /// <summary>Rows as CSV: a text is in quotes where it must be, and where it is empty, which tells it from null.</summary>
    internal static long WriteCsv(IStoreReader reader, Stream stream, CancellationToken cancellation = default)
    {
        using var writer = new StreamWriter(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), BufferSize, leaveOpen: true) { NewLine = "\r\n" };
        writer.WriteLine(string.Join(',', reader.Columns.Select(column => column.Name)));
        long rows = 0;
        while (reader.Next() is { } row)
        {
            cancellation.ThrowIfCancellationRequested();
            for (var i = 0; i < row.Length; i++)
            {
                if (i > 0)
                    writer.Write(',');
                Write(writer, row[i]);
            }

            writer.WriteLine();
            rows++;
        }

        return rows;
    }

    /// <summary>Rows as JSON: an object a line, nulls as such.</summary>
    internal static long WriteJson(IStoreReader reader, Stream stream, CancellationToken cancellation = default)
    {
        var names = reader.Columns.Select(column => JsonEncodedText.Encode(column.Name)).ToList();
        using var json = new Utf8JsonWriter(stream, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
        long rows = 0;
        while (reader.Next() is { } row)
        {
            cancellation.ThrowIfCancellationRequested();
            json.WriteStartObject();
            for (var i = 0; i < row.Length; i++)
            {
                json.WritePropertyName(names[i]);
                switch (row[i])
                {
                    case string text: json.WriteStringValue(text); break;
                    case long number: json.WriteNumberValue(number); break;
                    case double number when double.IsFinite(number): json.WriteNumberValue(number); break;
                    default: json.WriteNullValue(); break;
                }
            }

            json.WriteEndObject();
            json.Flush();
            json.Reset();
            stream.WriteByte((byte)'\n');
            rows++;
        }

        return rows;
    }

    private static void Write(StreamWriter writer, object? value)
    {
        switch (value)
        {
            case string text when text.Length == 0 || text.AsSpan().IndexOfAny(",\"\r\n") >= 0 || text[0] == ' ' || text[^1] == ' ':
                writer.Write('"');
                writer.Write(text.Replace("\"", "\"\"", StringComparison.Ordinal));
                writer.Write('"');
                break;
            case string text: writer.Write(text); break;
            case long number: writer.Write(number.ToString(CultureInfo.InvariantCulture)); break;
            case double number: writer.Write(double.IsFinite(number) ? number.ToString("R", CultureInfo.InvariantCulture) : ""); break;
            default: break;
        }
    }
}

/// <summary>Formats that a store's tables are written in.</summary>
public enum StoreFileFormat
{
    /// <summary>RFC 4180 with a line of names; nulls are empty, empty texts are quoted.</summary>
    Csv = 0,

    /// <summary>A JSON object a line.</summary>
    JsonLines = 1,
}
