using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Writing;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class ProcessSnapshotTests : IDisposable
{
    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("esp-snapshot-");

    public void Dispose() => _root.Delete(recursive: true);

    /// <summary>
    /// While the threads of all processes are listed, some end: their names cannot be opened, or not be read. Names and mappings of the
    /// others are written all the same.
    /// </summary>
    [Fact]
    public void A_thread_that_ends_meanwhile_hides_nothing_of_the_others()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "symbolic links need a right there");
        var process = Path.Combine(_root.FullName, "7");
        foreach (var thread in (string[])["7", "8", "9", "10"])
            Directory.CreateDirectory(Path.Combine(process, "task", thread));
        File.WriteAllText(Path.Combine(process, "task", "7", "comm"), "main\n");
        File.WriteAllText(Path.Combine(process, "task", "10", "comm"), "worker\n");
        var looped = Path.Combine(process, "task", "8", "comm");
        File.CreateSymbolicLink(looped, looped); // reading it gives an IOException; 9 has no such file
        File.WriteAllText(Path.Combine(process, "maps"), "7f0000000000-7f0000001000 r-xp 00000000 08:01 42 /usr/lib/libthing.so\n");
        Assert.ThrowsAny<IOException>(() => File.ReadAllText(looped));

        var path = Path.Combine(_root.FullName, "perf.data");
        using (var writer = new PerfDataWriter(path, [], new PerfDataFeatures(), [], 1 << 16))
            new ProcessSnapshot(writer, 1, 1000).WriteProcess(7, process);

        var text = File.ReadAllText(path, System.Text.Encoding.Latin1);
        Assert.All(["main", "worker", "/usr/lib/libthing.so"], name => Assert.Contains(name, text, StringComparison.Ordinal));
    }
}
