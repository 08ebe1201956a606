using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class RecordingFolderTests : IDisposable
{
    private readonly TempFolder _root = new();

    private string Path => System.IO.Path.Combine(_root.Path, "r");

    public void Dispose() => _root.Dispose();

    [Fact]
    public void A_start_that_fails_leaves_no_folder()
    {
        RecordingFolder.Create(Path).Dispose();

        Assert.False(Directory.Exists(Path));
        RecordingFolder.Create(Path).Dispose();
    }

    [Fact]
    public void A_start_that_fails_leaves_no_folder_above_its_own_either()
    {
        var parent = System.IO.Path.Combine(_root.Path, "a", "recordings");
        RecordingFolder.Create(System.IO.Path.Combine(parent, "r")).Dispose();

        Assert.Empty(Directory.GetFileSystemEntries(_root.Path));
    }

    [Fact]
    public void A_start_that_fails_leaves_a_folder_above_its_own_that_another_recorder_uses()
    {
        var parent = System.IO.Path.Combine(_root.Path, "recordings");
        var other = System.IO.Path.Combine(parent, "other");
        using (RecordingFolder.Create(System.IO.Path.Combine(parent, "r")))
            Directory.CreateDirectory(other);

        Assert.Equal([other], Directory.GetFileSystemEntries(parent));
    }

    [Fact]
    public void A_start_that_fails_leaves_a_folder_of_the_users_own_empty()
    {
        Directory.CreateDirectory(Path);

        using (var folder = RecordingFolder.Create(Path))
            File.WriteAllText(folder.File(Recording.FileName), "{}");

        Assert.Empty(Directory.EnumerateFileSystemEntries(Path));
    }

    [Fact]
    public void A_recorder_that_fails_later_leaves_what_was_recorded_without_the_reserve()
    {
        using (var folder = RecordingFolder.Create(Path))
        {
            File.WriteAllText(folder.File(Recording.FileName), "{}");
            File.WriteAllText(folder.File("clr.nettrace"), "x");
        }

        Assert.Equal(["clr.nettrace", Recording.FileName], Directory.GetFiles(Path).Select(System.IO.Path.GetFileName).Order());
    }

    [Fact]
    public void A_recording_of_nothing_is_removed_with_the_folders_that_were_made_for_it()
    {
        using var folder = RecordingFolder.Create(System.IO.Path.Combine(Path, "inner"));
        File.WriteAllText(folder.File(Recording.FileName), "{}");
        File.WriteAllText(folder.File("perf.data"), "x");

        Assert.True(folder.TryRemove("perf.data"));
        Assert.False(Directory.Exists(Path));
        folder.WriteInterim(() => throw new InvalidOperationException("nothing is written any more"));
    }

    [Fact]
    public void A_recording_of_nothing_stays_when_the_folder_has_a_file_of_another()
    {
        using (var folder = RecordingFolder.Create(Path))
        {
            File.WriteAllText(folder.File(Recording.FileName), "{}");
            File.WriteAllText(folder.File("perf.data"), "x");
            File.WriteAllText(folder.File("of the program.txt"), "x");

            Assert.False(folder.TryRemove("perf.data"));
        }

        Assert.Equal(
            ["of the program.txt", "perf.data", Recording.FileName],
            Directory.GetFiles(Path).Select(System.IO.Path.GetFileName).Order()
        );
    }

    [Fact]
    public void A_file_is_not_a_folder()
    {
        File.WriteAllText(Path, "x");

        var problem = Assert.Throws<ProblemException>(() => RecordingFolder.Create(Path)).Problem;
        Assert.Equal(("the path is a file, but a recording needs a folder", Path), (problem.What, problem.Where));
    }
}
