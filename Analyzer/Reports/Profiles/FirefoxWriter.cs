using System.Globalization;
using System.Text.Json;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>
/// Writes the processed profile format of the Firefox profiler, version 48 (docs-developer/CHANGELOG-formats.md of
/// firefox-devtools/profiler; newer versions of the profiler upgrade it): threads with their samples, runs, pauses, compilations and
/// exceptions as markers, causes as categories of the samples.
/// </summary>
internal static class FirefoxWriter
{
    /// <summary>Version of the format.</summary>
    private const int FormatVersion = 48;

    /// <summary>Version of the format the profiler's own recordings have; readers look at <see cref="FormatVersion"/>.</summary>
    private const int GeckoVersion = 29;

    public static void Write(ProfileDocument document, Stream stream)
    {
        var profile = document.Profile;
        using var json = JsonStream.Open(stream);
        var categories = new FirefoxCategories();
        var modules = profile
            .Stacks.Frames.Select(frame => frame.Module)
            .Where(module => module.Length > 0)
            .Distinct()
            .Index()
            .ToDictionary(module => module.Item, module => module.Index);
        json.WriteStartObject();
        WriteMeta(document, categories, json);
        json.WriteStartArray("libs");
        foreach (var module in modules.Keys)
            WriteLibrary(module, json);
        json.WriteEndArray();
        json.WriteStartArray("pages");
        json.WriteEndArray();
        json.WriteStartArray("threads");
        var samples = profile.Samples.ToLookup(sample => sample.Thread);
        var events = profile.Events.ToLookup(happened => happened.Thread);
        foreach (
            var (number, thread) in profile
                .Threads.Index()
                .OrderBy(item => document.ProcessNumber(item.Item))
                .ThenByDescending(item => item.Item.IsMeasuring)
        )
            new FirefoxThread(profile, thread, categories, modules).Write(
                json,
                document.ProcessNumber(thread),
                [.. samples[number]],
                [.. events[number]]
            );
        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteMeta(ProfileDocument document, FirefoxCategories categories, Utf8JsonWriter json)
    {
        var (profile, facts) = document;
        json.WriteStartObject("meta");
        json.WriteNumber("version", GeckoVersion);
        json.WriteNumber("preprocessedProfileVersion", FormatVersion);
        json.WritePropertyName("interval");
        json.WriteMilliseconds(Math.Max(profile.PeriodNs, 1));
        json.WriteNumber("startTime", facts.StartedUtc is { } started ? (started - DateTime.UnixEpoch).TotalMilliseconds : 0);
        json.WriteNumber("processType", 0);
        json.WriteNumber("stackwalk", 1);
        json.WriteBoolean("debug", value: false);
        json.WriteBoolean("symbolicated", value: true);
        json.WriteBoolean("usesOnlyOneStackType", value: true);
        json.WriteBoolean("doesNotUseFrameImplementation", value: true);
        json.WriteBoolean("sourceCodeIsNotOnSearchfox", value: true);
        json.WriteString("product", facts.Source);
        json.WriteString("importedFrom", facts.Exporter);
        json.WriteString("arguments", facts.Command);
        json.WriteString("oscpu", facts.OperatingSystem);
        json.WriteString("platform", facts.OperatingSystem);
        json.WriteString("toolkit", "");
        json.WriteString("abi", "");
        json.WriteString("misc", "");
        json.WriteString("CPUName", facts.Cpu);
        if (facts.LogicalProcessors is { } processors)
            json.WriteNumber("logicalCPUs", processors);
        WriteEmpty(json, "extensions", "id", "name", "baseURL");
        json.WriteStartObject("sampleUnits");
        json.WriteString("time", "ms");
        json.WriteString("eventDelay", "ms");
        json.WriteString("threadCPUDelta", "ns");
        json.WriteEndObject();
        categories.Write(json);
        FirefoxMarkers.WriteSchema(json);
        WriteExtra(facts, json);
        json.WriteEndObject();
    }

    /// <summary>What the profiler shows with the recording's information.</summary>
    private static void WriteExtra(ProfileFacts facts, Utf8JsonWriter json)
    {
        json.WriteStartArray("extra");
        json.WriteStartObject();
        json.WriteString("label", "Recording");
        json.WriteStartArray("entries");
        WriteEntry("Runtimes", string.Join(", ", facts.Runtimes));
        WriteEntry("Completeness", facts.Completeness);
        foreach (var (number, loss) in facts.Losses.Index())
            WriteEntry(string.Create(CultureInfo.InvariantCulture, $"Warning {number + 1}"), loss);
        json.WriteEndArray();
        json.WriteEndObject();
        json.WriteEndArray();

        void WriteEntry(string label, string value)
        {
            json.WriteStartObject();
            json.WriteString("label", label);
            json.WriteString("format", "string");
            json.WriteString("value", value);
            json.WriteEndObject();
        }
    }

    private static void WriteLibrary(string module, Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteString("arch", "");
        foreach (var name in (string[])["name", "path", "debugName", "debugPath"])
            json.WriteString(name, module);
        json.WriteString("breakpadId", "");
        json.WriteNull("codeId");
        json.WriteEndObject();
    }

    /// <summary>A table without rows.</summary>
    internal static void WriteEmpty(Utf8JsonWriter json, string name, params ReadOnlySpan<string> columns)
    {
        json.WriteStartObject(name);
        json.WriteNumber("length", 0);
        foreach (var column in columns)
        {
            json.WriteStartArray(column);
            json.WriteEndArray();
        }

        json.WriteEndObject();
    }
}
