using System.Globalization;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Traces.Contents;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>Writes decoded events one by one, so that traces of any size can be listed.</summary>
internal abstract class EventListWriter : IDisposable
{
    /// <summary>Creates the writer for a format.</summary>
    /// <param name="format">The format.</param>
    /// <param name="top">Maximum number of events, for the closing line; null for all.</param>
    /// <param name="output">Receives the output.</param>
    public static EventListWriter Create(ReportFormat format, long? top, TextWriter output) =>
        format switch
        {
            ReportFormat.Json => new JsonEventListWriter(output),
            ReportFormat.Csv => new CsvEventListWriter(output),
            ReportFormat.Markdown => new TextEventListWriter(output, top, "```"),
            _ => new TextEventListWriter(output, top, ""),
        };

    public abstract void Write(DecodedEvent item);

    /// <summary>Ends the list with findings on the trace.</summary>
    public abstract void End(IReadOnlyList<Finding> findings);

    /// <inheritdoc />
    public virtual void Dispose() { }

    /// <summary>Formats a field's value.</summary>
    protected static string Text(object? value) =>
        value switch
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
