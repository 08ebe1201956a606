using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Export;

/// <summary>Writes the tables of a store as files for DuckDB, Spark and ClickHouse: one file per table, streamed row by row.</summary>
public static class StoreExport
{
    private const int BufferSize = 1 << 16;

    /// <summary>Writes all tables.</summary>
    /// <param name="store">The store.</param>
    /// <param name="traces">Traces to export; null for all.</param>
    /// <param name="folder">Target folder; created if missing.</param>
    /// <param name="format">Format of the files.</param>
    /// <param name="overwrite">Whether to replace existing files.</param>
    /// <param name="cancellation">Cancels the export and removes the incomplete file.</param>
    /// <returns>The files with their numbers of rows.</returns>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    /// <exception cref="IOException">A file cannot be written, or exists already.</exception>
    public static IReadOnlyList<(string Path, long Rows)> Write(
        ITraceStore store,
        IReadOnlyCollection<string>? traces,
        string folder,
        StoreFileFormat format,
        bool overwrite,
        CancellationToken cancellation = default
    )
    {
        ArgumentNullException.ThrowIfNull(store);
        Directory.CreateDirectory(folder);
        var paths = StoreSchema
            .Tables.Select(table => Path.Combine(folder, table.Name + (format == StoreFileFormat.Csv ? ".csv" : ".jsonl")))
            .ToList();
        if (!overwrite && paths.Find(File.Exists) is { } there)
            throw new ProblemException(new Problem("the file exists already", there, "use another folder, or add --force to replace it"));
        return [.. StoreSchema.Tables.Zip(paths, (table, path) => (path, Write(store, table, traces, path, format, cancellation)))];
    }

    private static long Write(
        ITraceStore store,
        StoreTable table,
        IReadOnlyCollection<string>? traces,
        string path,
        StoreFileFormat format,
        CancellationToken cancellation
    )
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

    /// <summary>Writes rows as CSV. Texts are quoted if necessary, and when empty, to distinguish them from null.</summary>
    internal static long WriteCsv(IStoreReader reader, Stream stream, CancellationToken cancellation = default)
    {
        using var writer = new StreamWriter(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), BufferSize, leaveOpen: true)
        {
            NewLine = "\r\n",
        };
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

    /// <summary>Writes rows as JSON: one object per line, with explicit nulls.</summary>
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
                    case string text:
                        json.WriteStringValue(text);
                        break;
                    case long number:
                        json.WriteNumberValue(number);
                        break;
                    case double number when double.IsFinite(number):
                        json.WriteNumberValue(number);
                        break;
                    default:
                        json.WriteNullValue();
                        break;
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
            case string text:
                writer.Write(text);
                break;
            case long number:
                writer.Write(number.ToString(CultureInfo.InvariantCulture));
                break;
            case double number:
                writer.Write(double.IsFinite(number) ? number.ToString("R", CultureInfo.InvariantCulture) : "");
                break;
            default:
                break;
        }
    }
}

/// <summary>File formats of a store's tables.</summary>
public enum StoreFileFormat
{
    /// <summary>RFC 4180 with a header line; nulls are empty, empty texts are quoted.</summary>
    Csv = 0,

    /// <summary>One JSON object per line.</summary>
    JsonLines = 1,
}
