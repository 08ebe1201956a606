using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Analysis.Profiles;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>
/// Writes the JSON object form of the Trace Event Format: runs, pauses and compilations as complete events (X), exceptions as instant ones
/// (i), names of processes and threads as metadata (M); samples with the dictionary of stack frames. Times are in µs.
/// </summary>
internal static class ChromiumWriter
{
    private const double NanosecondsPerMicrosecond = 1e3;

    private static readonly string[] s_categories = ["run", "gc", "jit", "exception"];

    public static void Write(ProfileDocument document, Stream stream)
    {
        var (profile, facts) = document;
        using var json = JsonStream.Open(stream);
        json.WriteStartObject();
        json.WriteString("displayTimeUnit", "ms");
        WriteFacts(facts, json);
        json.WriteStartArray("traceEvents");
        int[] processes = [.. profile.Threads.Select(document.ProcessNumber)];
        WriteNames(profile, processes, json);
        foreach (var happened in profile.Events)
        {
            WriteEvent(happened, profile.Threads[happened.Thread], processes[happened.Thread], json);
            json.Drain();
        }

        json.WriteEndArray();
        WriteFrames(profile.Stacks, json);
        json.WriteStartArray("samples");
        foreach (var sample in profile.Samples)
        {
            json.WriteStartObject();
            json.WriteNumber("cpu", 0);
            json.WriteNumber("tid", profile.Threads[sample.Thread].ThreadId);
            json.WriteNumber("ts", sample.TimeNs / NanosecondsPerMicrosecond);
            json.WriteString("name", ProfileCategory.All[sample.Category].FullName);
            json.WriteNumber("sf", sample.Stack);
            json.WriteNumber("weight", sample.CpuNs / NanosecondsPerMicrosecond);
            json.WriteEndObject();
            json.Drain();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteFacts(ProfileFacts facts, Utf8JsonWriter json)
    {
        json.WriteStartObject("otherData");
        json.WriteString("exporter", facts.Exporter);
        json.WriteString("source", facts.Source);
        json.WriteString("command", facts.Command);
        json.WriteString("operatingSystem", facts.OperatingSystem);
        json.WriteString("cpu", facts.Cpu);
        json.WriteString("runtimes", string.Join(", ", facts.Runtimes));
        if (facts.StartedUtc is { } started)
            json.WriteString("startedUtc", started);
        json.WriteString("completeness", facts.Completeness);
        json.WriteString("lostEvents", facts.LostEvents.ToString(CultureInfo.InvariantCulture));
        json.WriteString("losses", string.Join("; ", facts.Losses));
        json.WriteEndObject();
    }

    private static void WriteNames(SampleProfile profile, int[] processes, Utf8JsonWriter json)
    {
        var named = new HashSet<int>();
        foreach (var (number, thread) in profile.Threads.Index())
        {
            if (named.Add(processes[number]))
                WriteName("process_name", processes[number], thread.ThreadId, ProfileDocument.ProcessName(thread), json);
            if (thread.Name.Length > 0)
                WriteName("thread_name", processes[number], thread.ThreadId, thread.Name, json);
        }
    }

    private static void WriteName(string kind, int process, long thread, string name, Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteString("name", kind);
        json.WriteString("ph", "M");
        json.WriteNumber("pid", process);
        json.WriteNumber("tid", thread);
        json.WriteStartObject("args");
        json.WriteString("name", name);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void WriteEvent(in ProfileEvent happened, ProfileThread thread, int process, Utf8JsonWriter json)
    {
        var isMoment = happened.Kind == ProfileEventKind.Exception;
        json.WriteStartObject();
        json.WriteString(
            "name",
            happened.Kind == ProfileEventKind.Pause ? $"GC pause, {happened.Name}"
                : happened.Kind == ProfileEventKind.Compilation ? $"JIT {happened.Name}"
                : happened.Name
        );
        json.WriteString("cat", s_categories[(int)happened.Kind]);
        json.WriteString("ph", isMoment ? "i" : "X");
        json.WriteNumber("ts", happened.StartNs / NanosecondsPerMicrosecond);
        if (isMoment)
            json.WriteString("s", "t");
        else
            json.WriteNumber("dur", (happened.StopNs - happened.StartNs) / NanosecondsPerMicrosecond);
        json.WriteNumber("pid", process);
        json.WriteNumber("tid", thread.ThreadId);
        json.WriteStartObject("args");
        if (happened.Detail.Length > 0)
            json.WriteString("detail", happened.Detail);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void WriteFrames(ProfileStacks stacks, Utf8JsonWriter json)
    {
        json.WriteStartObject("stackFrames");
        for (var stack = 0; stack < stacks.Count; stack++)
        {
            var frame = stacks.Frames[stacks.FrameOf(stack)];
            json.WriteStartObject(stack.ToString(CultureInfo.InvariantCulture));
            json.WriteString("category", frame.Module);
            json.WriteString("name", frame.Name);
            if (stacks.ParentOf(stack) is var parent and not ProfileStacks.Root)
                json.WriteNumber("parent", parent);
            json.WriteEndObject();
            json.Drain();
        }

        json.WriteEndObject();
    }
}
