using System.Text.Json;
using EtwSerializerProfiler.Analysis.Profiles;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>
/// Writes runs, pauses, compilations and exceptions as markers of the Firefox profiler, and the schema by which the profiler shows them.
/// </summary>
internal static class FirefoxMarkers
{
    private const int Instant = 0;
    private const int Interval = 1;

    /// <summary>Type and name of the markers by kind of event, and the labels of their two fields.</summary>
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
    /// <param name="json">Receives the table.</param>
    /// <param name="events">Events of the thread.</param>
    /// <param name="indexOf">Returns the index of a text in the thread's string table.</param>
    public static void Write(Utf8JsonWriter json, IReadOnlyList<ProfileEvent> events, Func<string, int> indexOf)
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
        json.WriteColumn("name", events, happened => json.WriteNumberValue(indexOf(s_types[(int)happened.Kind].Name)));
        json.WriteColumn("phase", events, happened => json.WriteNumberValue(IsInstant(happened) ? Instant : Interval));
        json.WriteColumn("startTime", events, happened => json.WriteMilliseconds(happened.StartNs));
        json.WriteColumn(
            "endTime",
            events,
            happened =>
            {
                if (IsInstant(happened))
                    json.WriteNullValue();
                else
                    json.WriteMilliseconds(happened.StopNs);
            }
        );
        json.WriteEndObject();
    }

    private static bool IsInstant(ProfileEvent happened) => happened.Kind == ProfileEventKind.Exception;
}
