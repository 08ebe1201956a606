using System.Globalization;
using CsvHelper;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Contents;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>
/// Writes one row per event. Fields differ between kinds, so one column has them as <c>name=value; …</c>, and another has the labels. JSON
/// has them as separate values.
/// </summary>
internal sealed class CsvEventListWriter : EventListWriter
{
    private static readonly string[] s_columns =
    [
        "timeMs",
        "ticks",
        "provider",
        "event",
        "id",
        "opcode",
        "version",
        "processId",
        "threadId",
        "processor",
        "payloadBytes",
        "fields",
        "activityId",
        "relatedActivityId",
        "traceId",
        "spanId",
        "labels",
    ];

    private readonly CsvWriter _csv;

    public CsvEventListWriter(TextWriter output)
    {
        _csv = CsvWriter.Create(output, CsvWriterOptions.Default, leaveOpen: true);
        foreach (var column in s_columns)
            _csv.WriteField(column);
        _csv.EndRecord();
    }

    public override void Write(DecodedEvent item)
    {
        _csv.WriteField(CsvReportWriter.Rounded(item.TimeMs).ToString(CultureInfo.InvariantCulture));
        Number(item.Ticks);
        _csv.WriteField(CsvText.Inert(item.Provider));
        _csv.WriteField(CsvText.Inert(item.Event));
        _csv.WriteField(item.Id?.ToString(CultureInfo.InvariantCulture) ?? "");
        Number(item.Opcode);
        Number(item.Version);
        _csv.WriteField(item.ProcessId < 0 ? "" : item.ProcessId.ToString(CultureInfo.InvariantCulture));
        _csv.WriteField(item.ThreadId < 0 ? "" : item.ThreadId.ToString(CultureInfo.InvariantCulture));
        Number(item.Processor);
        Number(item.PayloadBytes);
        Pairs(item.Fields);
        _csv.WriteField(item.ActivityId == Guid.Empty ? "" : item.ActivityId.ToString());
        _csv.WriteField(item.RelatedActivityId == Guid.Empty ? "" : item.RelatedActivityId.ToString());
        _csv.WriteField(item.TraceId);
        _csv.WriteField(item.SpanId);
        Pairs(item.NamedLabels);
        _csv.EndRecord();
    }

    /// <summary>Does nothing: findings do not fit into a CSV, so the command writes them to its error stream.</summary>
    public override void End(IReadOnlyList<Finding> findings) { }

    public override void Dispose()
    {
        _csv.Dispose();
        base.Dispose();
    }

    private void Pairs(IReadOnlyList<(string Name, object? Value)> pairs) =>
        _csv.WriteField(CsvText.Inert(string.Join("; ", pairs.Select(pair => $"{pair.Name}={Text(pair.Value)}"))));

    private void Number(long value) => _csv.WriteField(value.ToString(CultureInfo.InvariantCulture));
}
