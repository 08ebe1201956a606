using System.Text;
using System.Text.Json;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Timelines;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Timelines as data for the page's script. Texts of runs are those of <c>esp-analyze runs</c>.</summary>
internal static class TimelineJson
{
    /// <summary>What a selected run shows: what names it, and the measures that are declared to be shown.</summary>
    private static readonly HashSet<string> s_shown =
    [
        "runId", "serializer", "runtime", "test", "kind", "objects", "runNumber", "startMs", "error", .. RunMeasures.All.Where(measure => measure.Shown.HasFlag(ReportTables.Timeline)).Select(measure => measure.Key),
    ];

    /// <summary>Writes them. Every character that means something in HTML is escaped.</summary>
    public static string Write(IReadOnlyList<Timeline> timelines)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartArray();
            foreach (var timeline in timelines)
                Write(timeline, json);
            json.WriteEndArray();
        }

        return Encoding.UTF8.GetString(buffer.GetBuffer(), 0, (int)buffer.Length);
    }

    private static void Write(Timeline timeline, Utf8JsonWriter json)
    {
        var runs = timeline.Runs.Select(run => run.Run).ToList();
        var columns = RunColumns.All.Where(column => s_shown.Contains(column.Key) && (column.ShownWith is null || runs.Any(column.ShownWith))).ToList();
        var serializers = runs.Select(run => run.Identity.Serializer).Distinct().Order(StringComparer.Ordinal).ToList();
        var tests = runs.Select(run => run.Identity.Operation).Distinct().ToList();
        json.WriteStartObject();
        json.WriteString("recording", timeline.Recording);
        Number("start", timeline.StartMs);
        Number("stop", timeline.StopMs);
        Number("bucket", timeline.BucketMs);
        Strings("serializers", serializers);
        Strings("tests", tests);
        Strings("columns", columns.Select(column => column.Header!));
        json.WriteStartArray("runs");
        foreach (var (run, start) in timeline.Runs)
        {
            json.WriteStartArray();
            json.WriteNumberValue(serializers.IndexOf(run.Identity.Serializer));
            json.WriteNumberValue(tests.IndexOf(run.Identity.Operation));
            json.WriteNumberValue(run.Identity.Kind == Marks.RunKind.Measured ? 1 : 0);
            json.WriteNumberValue(Math.Round(start, 3));
            json.WriteNumberValue(Math.Round(run.WallMs, 3));
            foreach (var column in columns)
                json.WriteStringValue(column.Text(run));
            json.WriteEndArray();
        }

        json.WriteEndArray();
        if (timeline.Pauses is { } pauses)
        {
            json.WriteStartArray("pauses");
            foreach (var pause in pauses)
            {
                json.WriteNumberValue(Math.Round(pause.StartMs, 3));
                json.WriteNumberValue(Math.Round(pause.Ms, 3));
                json.WriteNumberValue(pause.Generation ?? -1);
            }

            json.WriteEndArray();
        }

        Buckets("cpu", timeline.OnCpu, timeline, json);
        Buckets("preempted", timeline.Preempted, timeline, json);
        Buckets("jit", timeline.Jit, timeline, json);
        json.WriteEndObject();

        void Number(string name, double value) => json.WriteNumber(name, Math.Round(value, 6));

        void Strings(string name, IEnumerable<string> values)
        {
            json.WriteStartArray(name);
            foreach (var value in values)
                json.WriteStringValue(value);
            json.WriteEndArray();
        }
    }

    /// <summary>A byte a bucket: 200 is one thread all the time; more than that is 255 at most.</summary>
    private static void Buckets(string name, IReadOnlyList<double>? shares, Timeline timeline, Utf8JsonWriter json)
    {
        if (shares is null)
            return;
        var used = Math.Clamp((int)Math.Ceiling((timeline.StopMs - timeline.StartMs) / timeline.BucketMs), 1, shares.Count);
        json.WriteBase64String(name, [.. shares.Take(used).Select(share => (byte)Math.Clamp(Math.Round(200 * share), 0, 255))]);
    }
}
