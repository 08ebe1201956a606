using EtwSerializerProfiler.Traces.TraceEventFeed;

namespace EtwSerializerProfiler.Traces.Tests.TraceEvent;

public sealed class BackingFileTests
{
    [Fact]
    public void It_has_no_name_that_could_stay_behind_and_is_read_by_its_path()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "elsewhere it has a name up to the end of the process");
        using var file = BackingFile.Create();
        file.SetFirstBlock(4711, blocks: 2);

        Assert.StartsWith("/proc/self/fd/", file.Path, StringComparison.Ordinal);
        Assert.EndsWith(" (deleted)", new FileInfo(file.Path).LinkTarget, StringComparison.Ordinal);
        Assert.Equal([0, 0, 0, 0, .. BitConverter.GetBytes(4711), .. new byte[16]], File.ReadAllBytes(file.Path));
    }
}
