using System.Text.Json;

namespace EtwSerializerProfiler.Reports.Tests.Profiles;

/// <summary>
/// The rules of the Trace Event Format's JSON object form, by its published description: phases X, i and M with their required fields,
/// events of a thread that nest, the dictionary of stack frames, samples that refer to it.
/// </summary>
internal static class ChromiumFormat
{
    /// <summary>An event that was read, times in µs.</summary>
    public sealed record Event(string Name, string Category, string Phase, double Start, double? Duration, long Thread, string Detail);

    /// <summary>Checks a file.</summary>
    public static (IReadOnlyList<Event> Events, IReadOnlyList<(string Stack, string Name, double Time, double Weight)> Samples) Check(
        JsonElement file
    )
    {
        SpeedscopeFormat.Only(file, "traceEvents", "displayTimeUnit", "otherData", "stackFrames", "samples");
        Assert.Contains(file.GetProperty("displayTimeUnit").GetString(), (string[])["ms", "ns"]);
        var events = new List<Event>();
        foreach (var item in file.GetProperty("traceEvents").EnumerateArray())
        {
            var phase = item.GetProperty("ph").GetString()!;
            Assert.True(item.GetProperty("pid").TryGetInt64(out _) && item.GetProperty("tid").TryGetInt64(out _));
            if (phase == "M")
            {
                SpeedscopeFormat.Only(item, "name", "ph", "pid", "tid", "args");
                Assert.Contains(item.GetProperty("name").GetString(), (string[])["process_name", "thread_name"]);
                Assert.Equal(JsonValueKind.String, item.GetProperty("args").GetProperty("name").ValueKind);
                continue;
            }

            if (phase == "X")
                SpeedscopeFormat.Only(item, "name", "cat", "ph", "ts", "dur", "pid", "tid", "args");
            else
                SpeedscopeFormat.Only(item, "name", "cat", "ph", "ts", "s", "pid", "tid", "args");
            Assert.True(phase == "X" || (phase == "i" && item.GetProperty("s").GetString() is "t" or "p" or "g"));
            events.Add(
                new Event(
                    item.GetProperty("name").GetString()!,
                    item.GetProperty("cat").GetString()!,
                    phase,
                    item.GetProperty("ts").GetDouble(),
                    phase == "X" ? item.GetProperty("dur").GetDouble() : null,
                    item.GetProperty("tid").GetInt64(),
                    item.GetProperty("args").TryGetProperty("detail", out var detail) ? detail.GetString()! : ""
                )
            );
        }

        foreach (var thread in events.Where(item => item.Duration is not null).GroupBy(item => item.Thread))
        {
            var open = new Stack<double>();
            foreach (var item in thread.OrderBy(item => item.Start).ThenByDescending(item => item.Duration))
            {
                while (open.TryPeek(out var end) && end <= item.Start)
                    open.Pop();
                Assert.True(
                    !open.TryPeek(out var outer) || item.Start + item.Duration <= outer,
                    $"{item.Name} reaches out of what it began in"
                );
                open.Push(item.Start + item.Duration!.Value);
            }
        }

        var frames = file.GetProperty("stackFrames");
        return (
            events,
            [
                .. file.GetProperty("samples")
                    .EnumerateArray()
                    .Select(sample =>
                    {
                        SpeedscopeFormat.Only(sample, "cpu", "tid", "ts", "name", "sf", "weight");
                        return (
                            Path(frames, sample.GetProperty("sf").GetInt32()),
                            sample.GetProperty("name").GetString()!,
                            sample.GetProperty("ts").GetDouble(),
                            sample.GetProperty("weight").GetDouble()
                        );
                    }),
            ]
        );
    }

    private static string Path(JsonElement frames, int number)
    {
        var frame = frames.GetProperty(number.ToString(System.Globalization.CultureInfo.InvariantCulture));
        SpeedscopeFormat.Only(frame, "category", "name", "parent?");
        var name = frame.GetProperty("name").GetString()!;
        return frame.TryGetProperty("parent", out var parent) ? Path(frames, parent.GetInt32()) + "<" + name : name;
    }
}
