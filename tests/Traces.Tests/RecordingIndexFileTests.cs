using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class RecordingIndexFileTests
{
    private static readonly RecordingIndex s_index = new(
        RecordingIndex.CurrentSchema,
        "1.0",
        new DateTime(2026, 11, 21, 22, 0, 0, DateTimeKind.Utc),
        [new("net10.0", "net10.0"), new("a/b", "it's mono")],
        ["net472: no Mono was found"]
    );

    [Fact]
    public void An_index_is_read_as_it_was_written()
    {
        using var folder = new TempFolder();
        Assert.False(RecordingIndexFile.Exists(folder.Path));

        RecordingIndexFile.Write(folder.Path, s_index);

        Assert.True(RecordingIndexFile.Exists(folder.Path));
        var read = RecordingIndexFile.Read(folder.Path);
        Assert.Equal(s_index.Recordings, read.Recordings);
        Assert.Equal(s_index.Problems, read.Problems);
        Assert.Equal((s_index.Schema, s_index.ToolVersion, s_index.StartedUtc), (read.Schema, read.ToolVersion, read.StartedUtc));
        Assert.Equal(Path.Combine(folder.Path, "a/b"), RecordingIndexFile.FolderOf(folder.Path, read.Recordings[1]));
        Assert.Contains("it's mono", File.ReadAllText(RecordingIndexFile.PathOf(folder.Path)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("../other")]
    [InlineData("/etc")]
    [InlineData("a/../..")]
    [InlineData(".")]
    [InlineData("")]
    public void Recordings_lie_in_sub_folders(string outside)
    {
        using var folder = new TempFolder();
        var index = s_index with { Recordings = [new IndexedRecording(outside, "x")] };

        Assert.Throws<TraceFormatException>(() => RecordingIndexFile.Write(folder.Path, index));
        folder.Write(
            RecordingIndex.FileName,
            $$"""{"schema":1,"toolVersion":"1","startedUtc":"2026-11-21T22:00:00Z","recordings":[{"folder":"{{outside}}","label":"x"}],"problems":[]}"""
        );
        var error = Assert.Throws<TraceFormatException>(() => RecordingIndexFile.Read(folder.Path));
        Assert.Contains(RecordingIndex.FileName, error.Message, StringComparison.Ordinal);
        Assert.Contains("sub-folders", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("nothing", "index.json of esp-record")]
    [InlineData("null", "JSON object")]
    [InlineData("{}", "index.json of esp-record")]
    [InlineData(
        """{"schema":2,"toolVersion":"9","startedUtc":"2026-11-21T22:00:00Z","recordings":[],"problems":[]}""",
        "schema 1 or older"
    )]
    [InlineData("""{"schema":1,"toolVersion":"1","startedUtc":"2026-11-21T22:00:00Z","recordings":null,"problems":[]}""", "line 1, byte")]
    [InlineData(
        """{"schema":1,"toolVersion":"1","startedUtc":"2026-11-21T22:00:00Z","recordings":[null],"problems":[]}""",
        "line 1, byte 80: expected an element of the list"
    )]
    [InlineData(
        """{"schema":1,"toolVersion":"1","startedUtc":"2026-11-21T22:00:00Z","recordings":[{"folder":"a","label":"x"},{"folder":"b","label":"x"}],"problems":[]}""",
        "unique label"
    )]
    [InlineData(
        """{"schema":1,"toolVersion":"1","startedUtc":"2026-11-21T22:00:00Z","recordings":[{"folder":"a","label":" "}],"problems":[]}""",
        "unique label"
    )]
    public void Bad_indexes_are_named_with_what_was_expected(string json, string expected)
    {
        using var folder = new TempFolder();
        folder.Write(RecordingIndex.FileName, json);

        var error = Assert.Throws<TraceFormatException>(() => RecordingIndexFile.Read(folder.Path));

        Assert.Equal(RecordingIndexFile.PathOf(folder.Path), error.TraceFile);
        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_folder_without_an_index_is_said()
    {
        using var folder = new TempFolder();

        Assert.Contains(
            "no index.json",
            Assert.Throws<TraceFormatException>(() => RecordingIndexFile.Read(folder.Path)).Message,
            StringComparison.Ordinal
        );
    }
}
