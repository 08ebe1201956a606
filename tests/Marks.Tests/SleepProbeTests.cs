namespace EtwSerializerProfiler.Marks.Tests;

/// <summary>What the system says about a thread that runs, and about one that waits.</summary>
public sealed class SleepProbeTests
{
    [Fact]
    public void A_thread_that_asks_about_itself_is_running()
    {
        using var probe = Open();
        Assert.False(probe.IsSleeping);
    }

    [Fact]
    public async Task A_thread_that_waits_sleeps()
    {
        using var end = new ManualResetEvent(false);
        SleepProbe? probe = null;
        var thread = new Thread(() =>
        {
            Volatile.Write(ref probe, SleepProbe.OpenForCurrentThread());
            end.WaitOne();
        });
        Open().Dispose();
        thread.Start();
        await Wait.UntilAsync(() => Volatile.Read(ref probe) is { IsSleeping: true }, "the thread sleeps", () => !thread.IsAlive);
        end.Set();
        thread.Join();
        probe!.Dispose();
    }

    private static SleepProbe Open()
    {
        var probe = SleepProbe.OpenForCurrentThread();
        Assert.SkipWhen(probe is null, "this system does not show states of threads");
        return probe;
    }
}
