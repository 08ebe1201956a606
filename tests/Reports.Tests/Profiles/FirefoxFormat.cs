using System.Text.Json;

namespace EtwSerializerProfiler.Reports.Tests.Profiles;

/// <summary>
/// The rules of the Firefox profiler's processed format of version 48, by its published types (src/types/profile and
/// docs-developer/CHANGELOG-formats.md of firefox-devtools/profiler): tables as columns of one length, indices into each other, callers
/// before callees, a grey default category, markers that the schema names.
/// </summary>
internal static class FirefoxFormat
{
    private static readonly string[] s_colors =
    [
        "transparent",
        "purple",
        "green",
        "orange",
        "yellow",
        "lightblue",
        "blue",
        "brown",
        "magenta",
        "red",
        "lightred",
        "darkgrey",
        "grey",
    ];
    private static readonly string[] s_places =
    [
        "marker-chart",
        "marker-table",
        "timeline-overview",
        "timeline-memory",
        "timeline-ipc",
        "timeline-fileio",
        "stack-chart",
    ];

    /// <summary>A sample that was read.</summary>
    public sealed record Sample(string Thread, string Stack, string Category, double TimeMs, double WeightMs);

    /// <summary>A marker that was read.</summary>
    public sealed record Marker(string Thread, string Name, string Text, string Detail, double StartMs, double? EndMs);

    /// <summary>Checks a file.</summary>
    public static (IReadOnlyList<Sample> Samples, IReadOnlyList<Marker> Markers) Check(JsonElement file)
    {
        var meta = file.GetProperty("meta");
        Assert.Equal(48, meta.GetProperty("preprocessedProfileVersion").GetInt32());
        foreach (var number in (string[])["version", "interval", "startTime", "processType", "stackwalk"])
            Assert.Equal(JsonValueKind.Number, meta.GetProperty(number).ValueKind);
        Assert.True(meta.GetProperty("interval").GetDouble() > 0);
        Assert.Equal(JsonValueKind.String, meta.GetProperty("product").ValueKind);
        var categories = meta.GetProperty("categories")
            .EnumerateArray()
            .Select(category =>
            {
                SpeedscopeFormat.Only(category, "name", "color", "subcategories");
                Assert.Contains(category.GetProperty("color").GetString(), s_colors);
                var details = category.GetProperty("subcategories").EnumerateArray().Select(detail => detail.GetString()!).ToList();
                Assert.Equal("Other", details[0]);
                return (
                    Name: category.GetProperty("name").GetString()!,
                    Color: category.GetProperty("color").GetString(),
                    Details: details
                );
            })
            .ToList();
        Assert.Equal("Other", Assert.Single(categories, category => category.Color == "grey").Name);
        var fields = meta.GetProperty("markerSchema")
            .EnumerateArray()
            .ToDictionary(
                schema => schema.GetProperty("name").GetString()!,
                schema =>
                {
                    Assert.All(schema.GetProperty("display").EnumerateArray(), place => Assert.Contains(place.GetString(), s_places));
                    return schema
                        .GetProperty("data")
                        .EnumerateArray()
                        .Select(field => field.GetProperty("key").GetString()!)
                        .Order()
                        .ToArray();
                }
            );
        Assert.Equal(JsonValueKind.Array, file.GetProperty("pages").ValueKind);
        var libraries = file.GetProperty("libs")
            .EnumerateArray()
            .Select(library =>
            {
                SpeedscopeFormat.Only(library, "arch", "name", "path", "debugName", "debugPath", "breakpadId", "codeId");
                return library.GetProperty("name").GetString();
            })
            .ToList();
        var (samples, markers, ids) = (new List<Sample>(), new List<Marker>(), new HashSet<(string?, long)>());
        foreach (var thread in file.GetProperty("threads").EnumerateArray())
        {
            Assert.Equal(JsonValueKind.String, thread.GetProperty("pid").ValueKind); // from version 47 on
            Assert.True(ids.Add((thread.GetProperty("pid").GetString(), thread.GetProperty("tid").GetInt64())));
            Assert.True(thread.GetProperty("isMainThread").ValueKind is JsonValueKind.True or JsonValueKind.False); // from version 46 on
            foreach (
                var field in (string[])
                    [
                        "processType",
                        "processStartupTime",
                        "processShutdownTime",
                        "registerTime",
                        "unregisterTime",
                        "pausedRanges",
                        "processName",
                    ]
            )
                Assert.True(thread.TryGetProperty(field, out _), field);
            ReadThread(thread, categories, fields, libraries.Count, samples, markers);
        }

        return (samples, markers);
    }

    private static void ReadThread(
        JsonElement thread,
        List<(string Name, string? Color, List<string> Details)> categories,
        Dictionary<string, string[]> fields,
        int libraries,
        List<Sample> samples,
        List<Marker> markers
    )
    {
        var name = thread.GetProperty("name").GetString()!;
        var texts = thread.GetProperty("stringArray").EnumerateArray().Select(text => text.GetString()!).ToList();
        Assert.Equal(texts.Distinct(), texts);
        var functions = Table(thread, "funcTable", "name", "isJS", "relevantForJS", "resource", "fileName", "lineNumber", "columnNumber");
        var resources = Table(thread, "resourceTable", "lib", "name", "host", "type");
        var frames = Table(
            thread,
            "frameTable",
            "address",
            "inlineDepth",
            "category",
            "subcategory",
            "func",
            "nativeSymbol",
            "innerWindowID",
            "implementation",
            "line",
            "column"
        );
        var stacks = Table(thread, "stackTable", "frame", "category", "subcategory", "prefix");
        Table(thread, "nativeSymbols", "libIndex", "address", "name", "functionSize");
        Assert.All(resources["lib"], library => Assert.InRange(library.GetInt32(), 0, libraries - 1));
        Assert.All(resources["name"], text => Assert.InRange(text.GetInt32(), 0, texts.Count - 1));
        Assert.All(functions["resource"], resource => Assert.InRange(resource.GetInt32(), -1, resources["lib"].Count - 1));
        var (paths, stackCategories) = (new List<string>(), new List<string>());
        for (var stack = 0; stack < stacks["frame"].Count; stack++)
        {
            var frame = stacks["frame"][stack].GetInt32();
            var text = texts[functions["name"][frames["func"][frame].GetInt32()].GetInt32()];
            var prefix = stacks["prefix"][stack];
            if (prefix.ValueKind != JsonValueKind.Null)
                Assert.InRange(prefix.GetInt32(), 0, stack - 1);
            paths.Add(prefix.ValueKind == JsonValueKind.Null ? text : paths[prefix.GetInt32()] + "<" + text);
            var category = categories[stacks["category"][stack].GetInt32()];
            stackCategories.Add(category.Name + "/" + category.Details[stacks["subcategory"][stack].GetInt32()]);

            // Newer versions derive a stack's category from its frame's.
            Assert.Equal(
                (stacks["category"][stack].GetInt32(), stacks["subcategory"][stack].GetInt32()),
                (frames["category"][frame].GetInt32(), frames["subcategory"][frame].GetInt32())
            );
        }

        var sampled = Table(thread, "samples", "stack", "time", "weight", "threadCPUDelta");
        Assert.Equal("tracing-ms", thread.GetProperty("samples").GetProperty("weightType").GetString());
        for (var sample = 0; sample < sampled["stack"].Count; sample++)
        {
            var stack = sampled["stack"][sample].GetInt32();
            samples.Add(
                new Sample(
                    name,
                    paths[stack],
                    stackCategories[stack],
                    sampled["time"][sample].GetDouble(),
                    sampled["weight"][sample].GetDouble()
                )
            );
            Assert.True(sample == 0 || sampled["time"][sample].GetDouble() >= sampled["time"][sample - 1].GetDouble());
            Assert.Equal(sampled["weight"][sample].GetDouble() * 1e6, sampled["threadCPUDelta"][sample].GetDouble(), 3);
        }

        var marked = Table(thread, "markers", "data", "name", "startTime", "endTime", "phase", "category");
        for (var marker = 0; marker < marked["name"].Count; marker++)
        {
            var data = marked["data"][marker];
            var isInterval = marked["phase"][marker].GetInt32() == 1;
            Assert.Equal(isInterval, marked["endTime"][marker].ValueKind == JsonValueKind.Number);
            Assert.Equal(
                fields[data.GetProperty("type").GetString()!],
                data.EnumerateObject().Select(field => field.Name).Where(field => field != "type").Order()
            );
            Assert.InRange(marked["category"][marker].GetInt32(), 0, categories.Count - 1);
            markers.Add(
                new Marker(
                    name,
                    texts[marked["name"][marker].GetInt32()],
                    data.GetProperty("name").GetString()!,
                    data.GetProperty("detail").GetString()!,
                    marked["startTime"][marker].GetDouble(),
                    isInterval ? marked["endTime"][marker].GetDouble() : null
                )
            );
        }
    }

    /// <summary>A table's columns, all as long as it says.</summary>
    private static Dictionary<string, List<JsonElement>> Table(JsonElement thread, string name, params string[] columns)
    {
        var table = thread.GetProperty(name);
        var length = table.GetProperty("length").GetInt32();
        return columns.ToDictionary(
            column => column,
            column =>
            {
                var values = table.GetProperty(column).EnumerateArray().ToList();
                Assert.True(values.Count == length, $"{name}.{column}");
                return values;
            }
        );
    }
}
