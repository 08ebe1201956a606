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
    public static StoreTable<StoredFinding> Table { get; } =
        new(
            "finding",
            "A known issue, or a doubt about the numbers (docs/metrics.md)",
            [
                new("number", "Number in the trace, from 1", row => row.Number),
                new("kind", "Warning or Hint", row => row.Finding.Kind.ToString()),
                new("code", "Stable name", row => row.Finding.Code),
                new("confidence", "Confidence of the conclusion", row => row.Finding.Confidence.ToString()),
                new("text", "The finding in one sentence", row => row.Finding.Text),
                new("advice", "Fix", row => row.Finding.Advice),
                new(
                    "evidence",
                    "Its evidence: a JSON array of objects with name, value, unit and optional interval",
                    row =>
                        JsonSerializer.Serialize(
                            row.Finding.Evidence.Select(figure => new
                            {
                                name = figure.Name,
                                value = figure.Value,
                                unit = figure.Unit,
                                interval = figure.Interval is { } interval ? new[] { interval.Low, interval.High } : null,
                            }),
                            StoreJson.Options
                        )
                ),
                new(
                    "places",
                    "Its locations: a JSON array of objects with label, processId, run, startMs, stopMs and what",
                    row =>
                        JsonSerializer.Serialize(
                            row.Finding.Locations.Select(place => new
                            {
                                label = place.Process.Recording,
                                processId = place.Process.ProcessId,
                                run = place.RunId,
                                startMs = place.StartMs,
                                stopMs = place.StopMs,
                                what = place.What,
                            }),
                            StoreJson.Options
                        )
                ),
            ]
        );
}

/// <summary>A finding.</summary>
/// <param name="Number">Its number in the trace, from 1, in display order.</param>
/// <param name="Finding">The finding.</param>
public sealed record StoredFinding(int Number, Finding Finding);

/// <summary>JSON settings for lists in a column.</summary>
internal static class StoreJson
{
    /// <summary>One line, without nulls and without escaping of letters; special numbers such as NaN by name.</summary>
    public static JsonSerializerOptions Options { get; } =
        new()
        {
            DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
            NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
        };
}
