using System.Globalization;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>The kernel's values for threads that requested a priority.</summary>
public sealed class ThreadSchedulingTests
{
    [Fact]
    public void The_priority_is_granted_to_the_thread_that_asks_and_not_to_those_it_starts()
    {
        Assert.SkipUnless(ThreadScheduling.Probe() == Precedence.HighestPriority, "needs CAP_SYS_NICE");

        var (own, child) = (0, -20);
        OnThread(() =>
        {
            ThreadScheduling.TakePrecedence();
            own = Nice();
            OnThread(() => child = Nice());
        });

        Assert.Equal((-20, 0), (own, child));
    }

    [Fact]
    public void Short_slices_need_no_right_and_keep_the_priority()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.OSVersion.Version >= new Version(6, 12), "needs Linux 6.12");

        var (before, after, precedence) = (0, -1, Precedence.None);
        OnThread(() =>
        {
            before = Nice();
            precedence = ThreadScheduling.TakeShortSlices();
            after = Nice();
        });

        Assert.Equal((Precedence.ShortSlices, before), (precedence, after));
    }

    private static void OnThread(Action action)
    {
        var thread = new Thread(() => action());
        thread.Start();
        thread.Join();
    }

    /// <summary>Field 19 of proc(5) stat; the name in parentheses before may contain spaces.</summary>
    private static int Nice() =>
        int.Parse(File.ReadAllText("/proc/thread-self/stat").Split(") ")[^1].Split(' ')[16], CultureInfo.InvariantCulture);
}
