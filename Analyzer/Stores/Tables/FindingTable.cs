using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>finding</c>.</summary>
public static class FindingTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredFinding> Table { get; } = new("finding", "A known disease, or what makes numbers doubtful (docs/metrics.md)",
    [
        new("number", "Number in the trace, from 1", row => row.Number),
        new("kind", "Warning or Hint", row => row.Finding.Kind.ToString()),
        new("code", "Stable name", row => row.Finding.Code),
        new("confidence", "How sure the conclusion is", row => row.Finding.Confidence.ToString()),
        new("text", "The finding in one sentence", row => row.Finding.Text),
        new("advice", "Fix", row => row.Finding.Advice),
        new("evidence", "The numbers it rests on: a JSON array of objects with name, value, unit and, where it has one, interval", row => JsonSerializer.Serialize(row.Finding.Evidence.Select(figure => new
        {
            name = figure.Name,
            value = figure.Value,
            unit = figure.Unit,
            interval = figure.Interval is { } interval ? new[] { interval.Low, interval.High } : null,
        }), StoreJson.Options)),
        new("places", "Where to look: a JSON array of objects with label, processId, run, startMs, stopMs and what", row => JsonSerializer.Serialize(row.Finding.Places.Select(place => new
        {
            label = place.Process.Recording,
            processId = place.Process.ProcessId,
            run = place.RunId,
            startMs = place.StartMs,
            stopMs = place.StopMs,
            what = place.What,
        }), StoreJson.Options)),
    ]);
}

/// <summary>A finding.</summary>
/// <param name="Number">Its number in the trace, from 1, in the order in which they are shown.</param>
/// <param name="Finding">The finding.</param>
public sealed record StoredFinding(int Number, Finding Finding);

/// <summary>How lists inside a column are written.</summary>
internal static class StoreJson
{
    /// <summary>In one line, nulls left out, letters as they are; values that are no numbers by name.</summary>
    public static JsonSerializerOptions Options { get; } = new()
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };
}
