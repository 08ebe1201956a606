using System.Globalization;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Traces.Contents;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>Writes decoded events one after the other, so that a trace of any size can be listed.</summary>
internal abstract class EventListWriter : IDisposable
{
    /// <summary>The writer for a format.</summary>
    /// <param name="format">The format.</param>
    /// <param name="top">Most events that are written, to say so; null for all.</param>
    /// <param name="output">Where it goes.</param>
    public static EventListWriter Create(ReportFormat format, long? top, TextWriter output) => format switch
    {
        ReportFormat.Json => new JsonEventListWriter(output),
        ReportFormat.Csv => new CsvEventListWriter(output),
        ReportFormat.Markdown => new TextEventListWriter(output, top, "```"),
        _ => new TextEventListWriter(output, top, ""),
    };

    /// <summary>Writes an event.</summary>
    public abstract void Write(DecodedEvent item);

    /// <summary>Writes what is to be known about the trace.</summary>
    public abstract void End(IReadOnlyList<Finding> findings);

    /// <inheritdoc />
    public virtual void Dispose()
    {
    }

    /// <summary>A field's value as text.</summary>
    protected static string Text(object? value) => value switch
    {
        null => "",
        DateTime time => time.ToUniversalTime().ToString("O", CultureInfo.InvariantCulture),
        ulong address => "0x" + address.ToString("x", CultureInfo.InvariantCulture),
        byte[] bytes => Convert.ToHexStringLower(bytes),
        string text => text,
        Array items => "[" + string.Join(", ", items.Cast<object?>().Select(Text)) + "]",
        IFormattable other => other.ToString(null, CultureInfo.InvariantCulture),
        _ => value.ToString() ?? "",
    };
}
