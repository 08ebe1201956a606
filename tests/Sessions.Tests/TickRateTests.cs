using EtwSerializerProfiler.Sessions.Ptrace;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class TickRateTests
{
    private const long Millisecond = 1_000_000;

    [Theory]
    [InlineData(0, 1)] // nothing ran
    [InlineData(50, 1)]
    [InlineData(100, 1)]
    [InlineData(250, 2.5)]
    [InlineData(10_000, 25)] // four ticks in a window of 100 ms at least
    public void Ticks_are_as_far_apart_as_threads_run_at_once(int interruptions, double milliseconds)
    {
        var rate = new TickRate(1000, 100 * Millisecond);
        for (var tick = 0; tick < 100; tick++)
            rate.CountTick();
        for (var interruption = 0; interruption < interruptions; interruption++)
            rate.CountInterruption();
        rate.EndWindow();
        Assert.Equal(milliseconds * Millisecond, rate.Period);

        rate.EndWindow(); // a window without a tick gives no rate
        Assert.Equal(milliseconds * Millisecond, rate.Period);
    }

    [Fact]
    public void Ticks_are_jittered_around_the_period()
    {
        var rate = new TickRate(1000, 100 * Millisecond);
        var pauses = Enumerable.Range(0, 10_000).Select(_ => rate.NextPause()).ToList();
        Assert.InRange(pauses.Min(), Millisecond * 7 / 8, Millisecond * 0.88);
        Assert.InRange(pauses.Max(), Millisecond * 1.12, Millisecond * 9 / 8);
        Assert.InRange(pauses.Average(), Millisecond * 0.995, Millisecond * 1.005);
    }
}
