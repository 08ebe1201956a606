using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Stores.Reading;

/// <summary>Converts rows of table finding back to findings.</summary>
internal static class FindingRows
{
    /// <summary>Converts a row.</summary>
    public static Finding Of(StoredRow row) =>
        new(row.Name<FindingKind>("kind"), row.Text("code"), row.Text("text"))
        {
            Confidence = row.Name<FindingConfidence>("confidence"),
            Advice = row.Text("advice"),
            Evidence = List(row.Text("evidence"), Evidence),
            Locations = List(row.Text("places"), Location),
        };

    private static FindingEvidence Evidence(JsonElement item) =>
        new(Text(item, "name"), Number(item.GetProperty("value")), Text(item, "unit"))
        {
            Interval =
                item.TryGetProperty("interval", out var interval) && interval.ValueKind == JsonValueKind.Array
                    ? (Number(interval[0]), Number(interval[1]))
                    : null,
        };

    private static FindingLocation Location(JsonElement item) =>
        new(
            new ProcessKey(Text(item, "label"), item.GetProperty("processId").GetInt32()),
            item.TryGetProperty("run", out var run) && run.ValueKind == JsonValueKind.Number ? run.GetInt32() : null,
            Number(item.GetProperty("startMs")),
            Number(item.GetProperty("stopMs")),
            Text(item, "what")
        );

    private static List<T> List<T>(string json, Func<JsonElement, T> item)
    {
        using var document = JsonDocument.Parse(json.Length > 0 ? json : "[]");
        return [.. document.RootElement.EnumerateArray().Select(item)];
    }

    private static string Text(JsonElement item, string name) => item.GetProperty(name).GetString() ?? "";

    /// <summary>A number, or the name of a special value such as NaN.</summary>
    private static double Number(JsonElement value) =>
        value.ValueKind == JsonValueKind.String ? double.Parse(value.GetString()!, CultureInfo.InvariantCulture) : value.GetDouble();
}
