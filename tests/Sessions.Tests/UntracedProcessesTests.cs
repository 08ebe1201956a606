using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.PerfMaps;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class UntracedProcessesTests
{
    /// <summary>No process has the id: it belongs to one that has ended.</summary>
    private const int Ended = int.MaxValue;

    [Theory]
    [InlineData("644", true)]
    [InlineData("666", false)]
    public void A_perf_map_that_others_may_write_to_is_not_used(string mode, bool isUsed)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the temporary folders of other systems are a user's own");
        using var root = new TempFolder();
        var map = Path.Combine(root.Path, PerfMap.FileNameOf(Ended));
        File.WriteAllText(map, "1000 10 Planted:Method\n");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(map, (UnixFileMode)Convert.ToInt32(mode, 8));
        using var folder = RecordingFolder.Create(Path.Combine(root.Path, "r"));
        var processes = new UntracedProcesses(folder, ["mono", "app.exe"], DateTime.UtcNow.AddHours(-1), root.Path);

        var found = processes.Find([], Ended, exitCode: 0);
        Assert.Equal(isUsed ? 1 : 0, found.Count);
        var problems = processes.CopyMaps([new(Ended, Traces.Recordings.ProcessRole.Measured, "", "", 0, [])]);

        Assert.Equal(
            isUsed
                ? []
                :
                [
                    $"names of compiled methods were not copied from {map}: others may write to it (mode 666); start the program with umask 022",
                ],
            problems
        );
        Assert.Equal(isUsed, File.Exists(folder.File(PerfMap.FileNameOf(Ended))));
    }
}
