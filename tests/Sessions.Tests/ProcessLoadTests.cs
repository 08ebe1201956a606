using System.Diagnostics;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class ProcessLoadTests
{
    [Fact]
    public void Load_is_the_cpu_time_since_the_last_reading()
    {
        var reader = new ProcessLoadReader();
        Assert.Null(reader.Read([Environment.ProcessId], TimeSpan.FromSeconds(1)));
        using var process = Process.GetCurrentProcess();
        var goal = process.TotalProcessorTime + TimeSpan.FromMilliseconds(50);
        while (process.TotalProcessorTime < goal)
            process.Refresh();

        var load = reader.Read([Environment.ProcessId], TimeSpan.FromSeconds(3))!.Value;
        process.Refresh();

        Assert.InRange(
            load.Processors,
            0.025,
            (process.TotalProcessorTime - goal + TimeSpan.FromMilliseconds(50)) / TimeSpan.FromSeconds(2) + 1
        );
        Assert.NotEqual(0, load.MemoryBytes);
    }

    [Fact]
    public void A_process_that_is_new_or_has_ended_has_no_load()
    {
        var reader = new ProcessLoadReader();
        Assert.Null(reader.Read([int.MaxValue], TimeSpan.FromSeconds(1)));
        Assert.Null(reader.Read([Environment.ProcessId], TimeSpan.FromSeconds(2)));
        Assert.Null(reader.Read([int.MaxValue], TimeSpan.FromSeconds(3)));
    }
}
