using System.Text.Json.Nodes;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>A recording.json with any single value damaged is read, or rejected with the position of the damage.</summary>
public sealed class DamagedRecordingTests : IDisposable
{
    private static readonly string[] s_values =
    [
        "null",
        "\"\"",
        "\"\\u0000\"",
        "\"zz\"",
        "\"0x\"",
        "-1",
        "0",
        "9223372036854775807",
        "1e300",
        "[]",
        "[null]",
        "{}",
        "[[]]",
    ];

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("zz")]
    [InlineData("")]
    [InlineData("0x")]
    [InlineData("0x10000000000000000")]
    public void Damaged_keywords_are_refused_with_line_and_byte(string keywords)
    {
        Write(node => node["plannedSessions"]![0]!["providers"]![0]!["keywords"] = keywords);

        var (code, _, error) = AnalyzeTool.Run("table", _folder.Path);

        Assert.Equal(3, code);
        Assert.Contains("expected a provider's keywords in hexadecimal, such as '0x1C011'", error, StringComparison.Ordinal);
        Assert.Matches("line [0-9]+, byte [0-9]+", error);
        Assert.Contains(Path.Combine(_folder.Path, Recording.FileName), error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("span")]
    [InlineData("kept")]
    public void An_interval_without_ticks_per_second_is_refused(string interval)
    {
        Write(node => node[interval]!["ticksPerSecond"] = 0);

        var (code, _, error) = AnalyzeTool.Run("table", _folder.Path);

        Assert.Equal(3, code);
        Assert.Contains("ticks per second", error, StringComparison.Ordinal);
    }

    [Fact]
    public void Any_damaged_value_is_read_or_refused()
    {
        var paths = new List<string>();
        Write(node => Collect(node, paths));
        var codes = new SortedDictionary<int, int>();
        var others = new List<string>();
        foreach (var path in paths)
        {
            foreach (var value in s_values)
            {
                Write(node => Replace(node, path, value));
                var (code, _, error) = AnalyzeTool.Run("table", _folder.Path, "--format", "json");
                codes[code] = codes.GetValueOrDefault(code) + 1;
                if (code is not (0 or 3))
                    others.Add($"{path} = {value}: {code} {error}");
            }
        }

        Assert.Empty(others);
        Assert.True(codes[0] > 200 && codes[3] > 1000, string.Join(", ", codes));
    }

    /// <summary>Writes a changed recording with every optional part, with its runs but without its traces.</summary>
    private void Write(Action<JsonNode> change)
    {
        var recording = RecordingFile.Read(TestFiles.Recording) with
        {
            Variables = [new RuntimeVariable("DOTNET_gcServer", "0", true, "a collector")],
            Kernel = new RecordedKernelSession("perf.data", 1, ["cpu-clock"], 1000, 2, 3, 4, ["a note"], ""),
            Kept = new KeptInterval(2 << 20, 1, 2_000_000_000_000_000, 1_000_000_000, KeptInterval.AtEnd, 640_000, 1_500_000, 4711),
            Span = new RecordedSpan(1, 2_000_000_000_000_000, 1_000_000_000),
            Dumps = [new RecordedDump("dumps/1.dmp", 14755, "memory>500", "mini", 6, 7, 9, 10, 1)],
            DumpsNotTaken = [new DumpNotTaken("gc-pause>50", "no GC paused longer than 12.5 ms")],
        };
        RecordingFile.Write(_folder.Path, recording);
        var path = Path.Combine(_folder.Path, Recording.FileName);
        var node = JsonNode.Parse(File.ReadAllText(path))!;
        change(node);
        File.WriteAllText(path, node.ToJsonString());
        File.Copy(
            Path.Combine(TestFiles.Recording, Recording.RunsFileName),
            Path.Combine(_folder.Path, Recording.RunsFileName),
            overwrite: true
        );
    }

    private static void Collect(JsonNode node, List<string> paths)
    {
        if (node.Parent is not null)
            paths.Add(node.GetPath());
        IEnumerable<JsonNode?> children = node switch
        {
            JsonObject fields => fields.Select(field => field.Value),
            JsonArray items => items,
            _ => [],
        };
        foreach (var child in children.OfType<JsonNode>())
            Collect(child, paths);
    }

    private static void Replace(JsonNode node, string path, string value)
    {
        if (node.GetPath() == path)
        {
            node.ReplaceWith(JsonNode.Parse(value));
            return;
        }

        IEnumerable<JsonNode?> children = node switch
        {
            JsonObject fields => [.. fields.Select(field => field.Value)],
            JsonArray items => [.. items],
            _ => [],
        };
        foreach (var child in children.OfType<JsonNode>())
            Replace(child, path, value);
    }
}
