using System.Text.Json;
using EtwSerializerProfiler.Analysis.Profiles;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>
/// Runs, pauses, compilations and exceptions as markers of the Firefox profiler, and the schema that says how it shows them.
/// </summary>
internal static class FirefoxMarkers
{
    private const int Instant = 0;
    private const int Interval = 1;

    /// <summary>Types by kind of event, and what their two fields are called.</summary>
    private static readonly (string Type, string Name, string Label, string Detail)[] s_types =
    [
        ("Run", "Run", "Runs", "Run"),
        ("GCPause", "GC pause", "GC", "Details"),
        ("JIT", "JIT", "Method", "Tier"),
        ("Exception", "Exception", "Type", "Message"),
    ];

    public static void WriteSchema(Utf8JsonWriter json)
    {
        json.WriteStartArray("markerSchema");
        foreach (var (type, name, label, detail) in s_types)
        {
            json.WriteStartObject();
            json.WriteString("name", type);
            json.WriteString("chartLabel", "{marker.data.name}");
            json.WriteString("tooltipLabel", name + ": {marker.data.name}");
            json.WriteString("tableLabel", "{marker.data.name} {marker.data.detail}");
            json.WriteStrings("display", ["marker-chart", "marker-table", "timeline-overview"]);
            json.WriteStartArray("data");
            WriteField("name", label);
            WriteField("detail", detail);
            json.WriteEndArray();
            json.WriteEndObject();
        }

        json.WriteEndArray();

        void WriteField(string key, string label)
        {
            json.WriteStartObject();
            json.WriteString("key", key);
            json.WriteString("label", label);
            json.WriteString("format", "string");
            json.WriteBoolean("searchable", value: true);
            json.WriteEndObject();
        }
    }

    /// <summary>Writes a thread's table of markers.</summary>
    /// <param name="json">Where.</param>
    /// <param name="events">Its events.</param>
    /// <param name="numberOf">The number of a text in the thread's table.</param>
    public static void Write(Utf8JsonWriter json, IReadOnlyList<ProfileEvent> events, Func<string, int> numberOf)
    {
        json.WriteStartObject("markers");
        json.WriteNumber("length", events.Count);
        json.WriteConstant("category", events.Count, FirefoxCategories.Default);
        json.WriteColumn(
            "data",
            events,
            happened =>
            {
                json.WriteStartObject();
                json.WriteString("type", s_types[(int)happened.Kind].Type);
                json.WriteString("name", happened.Name);
                json.WriteString("detail", happened.Detail);
                json.WriteEndObject();
            }
        );
        json.WriteColumn("name", events, happened => json.WriteNumberValue(numberOf(s_types[(int)happened.Kind].Name)));
        json.WriteColumn("phase", events, happened => json.WriteNumberValue(IsMoment(happened) ? Instant : Interval));
        json.WriteColumn("startTime", events, happened => json.WriteMilliseconds(happened.StartNs));
        json.WriteColumn(
            "endTime",
            events,
            happened =>
            {
                if (IsMoment(happened))
                    json.WriteNullValue();
                else
                    json.WriteMilliseconds(happened.StopNs);
            }
        );
        json.WriteEndObject();
    }

    private static bool IsMoment(ProfileEvent happened) => happened.Kind == ProfileEventKind.Exception;
}
