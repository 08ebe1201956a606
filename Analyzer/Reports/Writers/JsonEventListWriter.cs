using System.Text.Json;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Traces.Contents;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>Writes one object with an array of events; fields are nested objects with typed values.</summary>
/// <remarks>
/// Events are written field by field and not by <see cref="ReportJson"/>: a call of the serializer for each event of a large trace took 8 %
/// longer (2026-11-23).
/// </remarks>
internal sealed class JsonEventListWriter : EventListWriter
{
    /// <summary>Bytes after which the buffer is flushed to the output.</summary>
    private const int FlushBytes = 64 * 1024;

    private readonly TextWriter _output;
    private readonly MemoryStream _buffer = new();
    private readonly Utf8JsonWriter _json;

    public JsonEventListWriter(TextWriter output)
    {
        _output = output;
        _json = new Utf8JsonWriter(_buffer, ReportJson.Layout);
        _json.WriteStartObject();
        _json.WriteNumber("schema", JsonReportWriter.Schema);
        _json.WriteString("report", "events");
        _json.WriteStartArray("events");
    }

    public override void Write(DecodedEvent item)
    {
        _json.WriteStartObject();
        _json.WriteNumber("timeMs", CsvReportWriter.Rounded(item.TimeMs));
        _json.WriteNumber("ticks", item.Ticks);
        _json.WriteString("provider", item.Provider);
        _json.WriteString("event", item.Event);
        Number("id", item.Id);
        _json.WriteNumber("opcode", item.Opcode);
        _json.WriteNumber("version", item.Version);
        Number("processId", item.ProcessId < 0 ? null : item.ProcessId);
        Number("threadId", item.ThreadId < 0 ? null : item.ThreadId);
        _json.WriteNumber("processor", item.Processor);
        _json.WriteNumber("payloadBytes", item.PayloadBytes);
        if (item.ActivityId != Guid.Empty)
            _json.WriteString("activityId", item.ActivityId);
        if (item.RelatedActivityId != Guid.Empty)
            _json.WriteString("relatedActivityId", item.RelatedActivityId);
        if (item.TraceId.Length > 0)
            _json.WriteString("traceId", item.TraceId);
        if (item.SpanId.Length > 0)
            _json.WriteString("spanId", item.SpanId);
        Pairs("fields", item.Fields);
        if (item.NamedLabels.Count > 0)
            Pairs("labels", item.NamedLabels);
        _json.WriteEndObject();
        if (_json.BytesPending > FlushBytes)
            Flush();
    }

    public override void End(IReadOnlyList<Finding> findings)
    {
        _json.WriteEndArray();
        _json.WriteFields("findings", FindingFields.Of(findings));
        _json.WriteEndObject();
        Flush();
        _output.WriteLine();
    }

    public override void Dispose()
    {
        _json.Dispose();
        _buffer.Dispose();
        base.Dispose();
    }

    private void Flush()
    {
        _json.Flush();
        _output.Write(System.Text.Encoding.UTF8.GetString(_buffer.GetBuffer(), 0, (int)_buffer.Length));
        _buffer.SetLength(0);
    }

    private void Pairs(string property, IReadOnlyList<(string Name, object? Value)> pairs)
    {
        _json.WriteStartObject(property);
        foreach (var (name, value) in pairs)
        {
            _json.WritePropertyName(name);
            Value(value);
        }

        _json.WriteEndObject();
    }

    private void Number(string name, int? value)
    {
        if (value is { } number)
            _json.WriteNumber(name, number);
        else
            _json.WriteNull(name);
    }

    private void Value(object? value)
    {
        switch (value)
        {
            case null:
                _json.WriteNullValue();
                break;
            case bool truth:
                _json.WriteBooleanValue(truth);
                break;
            case sbyte or byte or short or ushort or int or uint or long:
                _json.WriteNumberValue(Convert.ToInt64(value, System.Globalization.CultureInfo.InvariantCulture));
                break;
            case double number when double.IsFinite(number):
                _json.WriteNumberValue(number);
                break;
            case float number when float.IsFinite(number):
                _json.WriteNumberValue(number);
                break;
            default:
                _json.WriteStringValue(Text(value));
                break;
        }
    }
}
