namespace EtwSerializerProfiler.Marks.Tests;

// Allocated bytes and GCs are those of the whole process: no other test may run beside these. The test runner's own threads may, so the
// minimum of several runs counts.
[CollectionDefinition(nameof(RunClockTests), DisableParallelization = true)]
[Collection(nameof(RunClockTests))]
public sealed class RunClockTests
{
    [Fact]
    public void Waits_equal_runs_also_when_operations_throw()
    {
        using var clock = new RunClock();
        for (var run = 1; run <= 20; run++)
        {
            var measurement = clock.Measure(
                TestRuns.Identity(runNumber: run),
                () => clock.Runs % 3 == 0 ? throw new InvalidDataException("broken") : clock.Runs
            );
            Assert.Equal(run % 3 == 0 ? -1 : run, measurement.DataBytes);
        }

        Assert.Equal(20, clock.Runs);
        Assert.Equal(20, clock.MarkerWaits);
    }

    [Fact]
    public void An_exception_is_the_error_of_the_measurement_with_type_and_message()
    {
        using var clock = new RunClock();

        var measurement = clock.Measure(TestRuns.Identity(), () => throw new InvalidDataException("broken"));

        Assert.Equal("System.IO.InvalidDataException: broken", measurement.Error);
        Assert.Equal("", clock.Measure(TestRuns.Identity(), () => 1).Error);
    }

    [Fact]
    public void The_reason_inside_an_exception_is_in_the_error()
    {
        using var clock = new RunClock();
        var measurement = clock.Measure(
            TestRuns.Identity(),
            () =>
                throw new TypeInitializationException(
                    "Some.Type",
                    new InvalidOperationException("not ready\nsee below", new InvalidDataException("broken"))
                )
        );
        Assert.Equal(
            "System.TypeInitializationException: The type initializer for 'Some.Type' threw an exception. <- System.InvalidOperationException: not ready <- System.IO.InvalidDataException: broken",
            measurement.Error
        );
    }

    [Fact]
    public void Allocated_bytes_are_those_of_the_operation()
    {
        using var clock = new RunClock();
        Assert.InRange(MinAllocated(clock, Allocate), 1_000_000, 1_010_000);

        static long Allocate()
        {
            var bytes = new byte[1_000_000];
            GC.KeepAlive(bytes);
            return bytes.Length;
        }
    }

    [Fact]
    public void An_empty_run_allocates_next_to_nothing()
    {
        using var clock = new RunClock();
        Assert.InRange(MinAllocated(clock, () => 0), 0, 200);
    }

    [Theory]
    [InlineData(0, 1, 0, 0)]
    [InlineData(1, 0, 1, 0)]
    [InlineData(2, 0, 0, 1)]
    public void GCs_are_counted_in_their_own_generation_only(int generation, int gen0, int gen1, int gen2)
    {
        using var clock = new RunClock();

        var counted = Enumerable
            .Range(0, 5)
            .Select(_ =>
                clock.Measure(
                    TestRuns.Identity(),
                    () =>
                    {
                        GC.Collect(generation);
                        return 0;
                    }
                )
            )
            .Select(measurement => (measurement.Gen0, measurement.Gen1, measurement.Gen2))
            .ToList();

        // The GC may be of a higher generation than requested.
        Assert.Contains((gen0, gen1, gen2), counted);
        Assert.All(counted, count => Assert.True(count.Gen0 + count.Gen1 + count.Gen2 >= 1));
    }

    [Fact]
    public void Times_bracket_the_operation_and_waiting_costs_no_cpu()
    {
        using var clock = new RunClock();

        var measurement = clock.Measure(
            TestRuns.Identity(),
            () =>
            {
                Thread.Sleep(100);
                return 0;
            }
        );

        Assert.True((measurement.StopTicks - measurement.StartTicks) * 1000.0 / measurement.TicksPerSecond >= 99);
        if (measurement.ThreadCpuNanoseconds >= 0)
            Assert.InRange(measurement.ThreadCpuNanoseconds, 0, 50_000_000);
    }

    [Fact]
    public void A_busy_operation_costs_the_cpu_time_it_takes()
    {
        using var clock = new RunClock();

        var measurement = clock.Measure(
            TestRuns.Identity(),
            () =>
            {
                var x = 1u;
                for (var step = 0; step < 30_000_000; step++)
                    x = x * 1_664_525 + 1_013_904_223;
                return x;
            }
        );

        // Other threads may preempt the loop: then its time advances, but not its CPU time. That clock is read around the other one, and
        // ran 7 µs longer once.
        if (measurement.ThreadCpuNanoseconds >= 0)
            Assert.InRange(
                measurement.ThreadCpuNanoseconds,
                2_000_000,
                (measurement.StopTicks - measurement.StartTicks) * 1_000_000_000 / measurement.TicksPerSecond + 5_000_000
            );
    }

    private static long MinAllocated(RunClock clock, Func<long> operation)
    {
        var identity = TestRuns.Identity();
        return Enumerable.Range(0, 20).Min(_ => clock.Measure(identity, operation).AllocatedBytes);
    }
}
