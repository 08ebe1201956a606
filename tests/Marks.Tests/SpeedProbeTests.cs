namespace EtwSerializerProfiler.Marks.Tests;

// Allocated bytes are counted: no other test may run beside these.
[Collection(nameof(RunClockTests))]
public sealed class SpeedProbeTests
{
    [Fact]
    public void A_reading_is_a_time_and_allocates_nothing()
    {
        SpeedProbe.WarmUp();
        var before = GC.GetAllocatedBytesForCurrentThread();
        long min = long.MaxValue;
        for (var reading = 0; reading < 500; reading++)
            min = Math.Min(min, SpeedProbe.Nanoseconds());

        // One-time allocations of the runtime; the smallest object for each reading would be 12,000.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 10_000);
        Assert.InRange(min, 1_000, 1_000_000_000);
    }

    [Fact]
    public void A_clock_reads_the_probe_around_each_run_and_outside_of_its_counters()
    {
        using var clock = new RunClock();
        var identity = TestRuns.Identity();
        Func<long> nothing = () => 0;

        var measurements = Enumerable.Range(0, 9).Select(_ => clock.Measure(identity, nothing)).ToList();

        Assert.All(
            measurements,
            measurement =>
                Assert.True(measurement.ProbeBeforeNanoseconds > 0 && measurement.ProbeAfterNanoseconds > 0, measurement.ToString())
        );

        // The end of one run's clock and the begin of the next one's have two readings of three pieces between them.
        for (var run = 1; run < measurements.Count; run++)
        {
            var between = (measurements[run].StartTicks - measurements[run - 1].StopTicks) * 1e9 / measurements[run].TicksPerSecond;
            Assert.True(
                between > 3 * (measurements[run - 1].ProbeAfterNanoseconds + measurements[run].ProbeBeforeNanoseconds),
                $"{between} ns: {measurements[run - 1]} {measurements[run]}"
            );
        }

        Assert.True(
            measurements.Min(measurement => (measurement.StopTicks - measurement.StartTicks) * 1e9 / measurement.TicksPerSecond)
                < measurements.Min(measurement => measurement.ProbeBeforeNanoseconds),
            "the probe lies in the run"
        );
    }

    [Fact]
    public void A_clock_of_first_calls_reads_none()
    {
        using var clock = new RunClock(probesSpeed: false);

        var measurement = clock.Measure(TestRuns.Identity(), () => 0);

        Assert.Equal((SpeedProbe.NotRead, SpeedProbe.NotRead), (measurement.ProbeBeforeNanoseconds, measurement.ProbeAfterNanoseconds));
    }
}
