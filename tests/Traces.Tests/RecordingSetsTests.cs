using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class RecordingSetsTests : IDisposable
{
    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_folder_of_recordings_is_all_of_them_the_oldest_first()
    {
        Write("b", new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        Write("a", new DateTime(2026, 1, 2, 0, 0, 0, DateTimeKind.Utc));
        Directory.CreateDirectory(Path.Combine(_folder.Path, "no recording"));

        Assert.Equal(["b", "a"], RecordingSets.Expand(_folder.Path).Select(path => Path.GetFileName(path)));
    }

    [Fact]
    public void A_recording_a_file_and_a_folder_without_recordings_are_themselves()
    {
        Write("a", DateTime.UnixEpoch);
        var recording = Path.Combine(_folder.Path, "a");

        Assert.Equal([recording], RecordingSets.Expand(recording));
        Assert.Equal(["no such file"], RecordingSets.Expand("no such file"));
        var empty = Path.Combine(recording, "empty");
        Directory.CreateDirectory(empty);
        Assert.Equal([empty], RecordingSets.Expand(empty));
    }

    [Fact]
    public void A_recording_that_cannot_be_read_is_still_one()
    {
        Write("a", DateTime.UnixEpoch);
        Directory.CreateDirectory(Path.Combine(_folder.Path, "b"));
        File.WriteAllText(Path.Combine(_folder.Path, "b", Recording.FileName), "{");

        Assert.Equal(2, RecordingSets.Expand(_folder.Path).Count);
    }

    private void Write(string name, DateTime started)
    {
        var folder = Path.Combine(_folder.Path, name);
        Directory.CreateDirectory(folder);
        RecordingFile.Write(
            folder,
            new Recording(
                Recording.CurrentSchema,
                "1",
                started,
                1,
                true,
                "",
                ["program"],
                "",
                false,
                new RecordingHost("m", "Linux", "X64", "", 2, 1),
                [],
                [],
                "",
                []
            )
        );
    }
}
