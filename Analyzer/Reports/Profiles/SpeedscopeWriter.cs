using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Analysis.Profiles;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>
/// Writes speedscope's file format: sampled profiles with weights in ns, one for each group of runs; where samples are kept in order of
/// time one for each group and thread. The format has no place for metadata beside names: what was lost is said in the name of the whole.
/// </summary>
internal static class SpeedscopeWriter
{
    private const string Schema = "https://www.speedscope.app/file-format-schema.json";

    public static void Write(ProfileDocument document, Stream stream)
    {
        var (profile, facts) = document;
        using var json = JsonStream.Open(stream);
        json.WriteStartObject();
        json.WriteString("$schema", Schema);
        json.WriteString("exporter", facts.Exporter);
        json.WriteString("name", Name(facts));
        json.WriteStartObject("shared");
        json.WriteStartArray("frames");
        foreach (var frame in profile.Stacks.Frames)
        {
            json.WriteStartObject();
            json.WriteString("name", frame.Title);
            if (frame.Line is { } line)
            {
                json.WriteString("file", line.File);
                json.WriteNumber("line", line.Line);
            }
            else if (frame.Module.Length > 0)
            {
                json.WriteString("file", frame.Module);
            }

            json.WriteEndObject();
            json.Drain();
        }

        json.WriteEndArray();
        json.WriteEndObject();
        json.WriteStartArray("profiles");
        var times = profile.Sums.Count > 0 ? WriteSums(profile, json) : WriteInOrder(profile, json);
        json.WriteEndArray();

        // What it opens with: the profile of the most time.
        if (times.Count > 0)
            json.WriteNumber("activeProfileIndex", times.IndexOf(times.Max()));
        json.WriteEndObject();
    }

    private static string Name(ProfileFacts facts) =>
        facts.Losses.Count == 0 && facts.LostEvents == 0
            ? facts.Source
            : $"{facts.Source} ({facts.Completeness}{string.Concat(facts.Losses.Select(loss => "; " + loss))})";

    /// <returns>The time of each profile.</returns>
    private static List<long> WriteSums(SampleProfile profile, Utf8JsonWriter json)
    {
        var times = new List<long>();
        foreach (var group in profile.Sums.GroupBy(sum => sum.Group).OrderBy(group => group.Key))
        {
            // A stack is a sample for each cause that was found on it.
            times.Add(
                WriteProfile(json, profile.Stacks, profile.Groups[group.Key].Title, [.. group.Select(sum => (sum.Stack, sum.CpuNs))])
            );
        }

        return times;
    }

    /// <returns>The time of each profile.</returns>
    private static List<long> WriteInOrder(SampleProfile profile, Utf8JsonWriter json)
    {
        var times = new List<long>();
        foreach (
            var part in profile
                .Samples.GroupBy(sample => (sample.Group, sample.Thread))
                .OrderBy(part => part.Key.Group)
                .ThenByDescending(part => part.Count())
        )
        {
            var thread = profile.Threads[part.Key.Thread];
            var title = string.Create(
                CultureInfo.InvariantCulture,
                $"{profile.Groups[part.Key.Group].Title}, thread {(thread.Name.Length > 0 ? thread.Name + " " : "")}{thread.ThreadId}"
            );
            times.Add(WriteProfile(json, profile.Stacks, title, Joined(part)));
        }

        return times;
    }

    /// <summary>Neighbours of one stack are one.</summary>
    private static List<(int Stack, long CpuNs)> Joined(IEnumerable<ProfileSample> samples)
    {
        var joined = new List<(int Stack, long CpuNs)>();
        foreach (var sample in samples)
        {
            if (joined.Count > 0 && joined[^1].Stack == sample.Stack)
                joined[^1] = (sample.Stack, joined[^1].CpuNs + sample.CpuNs);
            else
                joined.Add((sample.Stack, sample.CpuNs));
        }

        return joined;
    }

    /// <returns>Its time, in ns.</returns>
    private static long WriteProfile(Utf8JsonWriter json, ProfileStacks stacks, string title, List<(int Stack, long CpuNs)> samples)
    {
        var time = samples.Sum(sample => sample.CpuNs);
        json.WriteStartObject();
        json.WriteString("type", "sampled");
        json.WriteString("name", title);
        json.WriteString("unit", "nanoseconds");
        json.WriteNumber("startValue", 0);
        json.WriteNumber("endValue", time);
        var frames = new List<int>();
        json.WriteStartArray("samples");
        foreach (var (stack, _) in samples)
        {
            stacks.Walk(stack, frames);
            json.WriteStartArray();
            foreach (var frame in frames)
                json.WriteNumberValue(frame);
            json.WriteEndArray();
            json.Drain();
        }

        json.WriteEndArray();
        json.WriteColumn("weights", samples, sample => json.WriteNumberValue(sample.CpuNs));
        json.WriteEndObject();
        return time;
    }
}
