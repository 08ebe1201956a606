namespace EtwSerializerProfiler.Traces.Tests;

public sealed class TraceClockTests
{
    [Fact]
    public void Ticks_of_another_clock_become_time()
    {
        var clock = new TraceClock(1_000, 10_000_000); // QueryPerformanceCounter

        Assert.Equal(1.5, clock.ToMilliseconds(15_000));
        Assert.Equal(1500, clock.ToMicroseconds(15_000));
        Assert.Equal(1_500_000, clock.ToNanoseconds(15_000));
        Assert.Equal(15_000, clock.FromNanoseconds(1_500_000));
        Assert.Equal(1.4, clock.SinceOriginMilliseconds(15_000));
        Assert.Equal(900_000_000_000_000_000, new TraceClock(0, 1_000_000_000).ToNanoseconds(900_000_000_000_000_000));
    }
}
