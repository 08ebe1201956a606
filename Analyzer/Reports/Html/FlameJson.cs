using System.Text;
using System.Text.Json;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Flame graphs as data for the page's script: texts once, and a row of numbers a node.</summary>
internal static class FlameJson
{
    /// <summary>Name of what is no serializer's.</summary>
    private const string Outside = "Outside";

    /// <summary>Writes them. Every character that means something in HTML is escaped.</summary>
    public static string Write(HtmlReport report)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer))
        {
            var groups = CauseCatalog.All.Select(cause => cause.Group).Distinct().ToList();
            json.WriteStartObject();
            json.WriteStartArray("causes");
            foreach (var name in (string[])[Outside, CauseColumns.OwnName, .. groups])
            {
                json.WriteStartArray();
                json.WriteStringValue(HtmlMatrix.Said(name));
                json.WriteStringValue(HtmlMatrix.Class(name));
                json.WriteEndArray();
            }

            json.WriteEndArray();
            int[] group = [.. CauseCatalog.All.Select(cause => groups.IndexOf(cause.Group))];
            Set("flames", report.Flames!, group, json);
            if (report.BaseFlames is { } other)
                Set("base", other, group, json);
            if (report.IsComparison)
                Runs(report, json);
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(buffer.GetBuffer(), 0, (int)buffer.Length);
    }

    private static void Set(string name, FlameSet set, int[] group, Utf8JsonWriter json)
    {
        var modules = set.Frames.Select(frame => frame.Module).Distinct().Select((module, number) => (module, number)).ToDictionary(pair => pair.module, pair => pair.number);
        json.WriteStartObject(name);
        json.WriteStartArray("modules");
        foreach (var module in modules.OrderBy(pair => pair.Value))
            json.WriteStringValue(module.Key);
        json.WriteEndArray();
        json.WriteStartArray("frames");
        foreach (var frame in set.Frames)
        {
            json.WriteStringValue(frame.Name);
            json.WriteNumberValue((2 * modules[frame.Module]) + (frame.IsInlined ? 1 : 0));
        }

        json.WriteEndArray();
        json.WriteStartArray("trees");
        foreach (var tree in set.Trees)
            Tree(tree, set, group, json);
        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Tree(FlameTree tree, FlameSet set, int[] group, Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteString("name", Name(tree));
        json.WriteNumber("samples", tree.Samples);
        json.WriteNumber("us", Microseconds(set, tree.Ticks));
        json.WriteNumber("left", tree.NodesTotal - tree.Nodes.Count);
        json.WriteNumber("cut", tree.CutSamples);

        // Level, frame, inclusive and own samples, cause (0 outside, 1 own, from 2 on the groups), inclusive and own µs.
        json.WriteStartArray("nodes");
        foreach (var node in tree.Nodes)
        {
            json.WriteNumberValue(node.Depth);
            json.WriteNumberValue(node.Frame);
            json.WriteNumberValue(node.InclusiveSamples);
            json.WriteNumberValue(node.Samples);
            json.WriteNumberValue(node.Cause switch { FlameSet.Outside => 0, FlameSet.Own => 1, var cause => 2 + group[cause] });
            json.WriteNumberValue(Microseconds(set, node.InclusiveTicks));
            json.WriteNumberValue(Microseconds(set, node.Ticks));
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Runs(HtmlReport report, Utf8JsonWriter json)
    {
        json.WriteStartObject("runs");
        foreach (var (key, (baseline, other)) in report.FlameRuns)
        {
            json.WriteStartArray(Name(key));
            json.WriteNumberValue(baseline);
            json.WriteNumberValue(other);
            json.WriteEndArray();
        }

        json.WriteEndObject();
    }

    private static string Name(FlameTree tree) => Name(tree.Runs);

    private static string Name(Analysis.Rows.SummaryKey runs) => (runs with { ObjectCount = 0 }).ToString();

    private static long Microseconds(FlameSet set, long ticks) => (long)Math.Round(1e3 * set.ToMilliseconds(ticks));
}
