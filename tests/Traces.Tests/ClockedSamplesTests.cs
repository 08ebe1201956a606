using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.NetTrace;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>Samples of the sample profiler weighted by the threads' clocks, in windows of 20 ms. Times are in ms.</summary>
public sealed class ClockedSamplesTests
{
    private const long Ms = 1_000_000;

    [Theory]
    [InlineData(6, 6, 0, 0)] // less CPU time than managed samples: less of each
    [InlineData(12, 12, 0, 0)] // just as much
    [InlineData(15, 12, 3, 0)] // the rest ran in native code
    [InlineData(20, 13, 7, 0)] // a little more than all ticks: they reach over the window's edges
    [InlineData(30, 15, 8, 8)] // far more: no sample gets it
    public void Managed_samples_come_first_and_the_sum_is_the_clocks(int cpu, int managed, int external, int unsampled)
    {
        var heard = Read(
            Clocks((1, 0, 0), (1, 20, cpu)),
            [.. Enumerable.Range(0, 18).Select(tick => (tick, 1, IsManaged: tick % 3 != 0, Elapsed: 1))]
        );

        Assert.Equal((managed, external, unsampled), (Sum(heard, 1), Sum(heard, 2), Sum(heard, 0)));
        Assert.Equal(cpu * Ms, heard.Sum(sample => sample.Weight));
    }

    /// <summary>
    /// A ready thread does not wait: it was on a processor for half of the time between ticks, in managed code as in native code.
    /// </summary>
    [Fact]
    public void Time_without_a_processor_is_left_out_of_all_samples_alike()
    {
        var clocks = new ThreadClockTable(1_000_000_000);
        clocks.Add(1, 0, 0, 0);
        clocks.Add(1, 20 * Ms, 9 * Ms, 9 * Ms);
        var heard = Read(clocks, [.. Enumerable.Range(0, 18).Select(tick => (tick, 1, IsManaged: tick % 3 != 0, Elapsed: 1))]);

        Assert.Equal((6, 3, 0), (Sum(heard, 1), Sum(heard, 2), Sum(heard, 0)));
        Assert.Equal(9 * Ms, heard.Sum(sample => sample.Weight));
    }

    [Fact]
    public void The_time_of_a_GC_lies_where_the_profiler_did_not_tick()
    {
        var heard = Read(
            Clocks((1, 0, 0), (1, 20, 20)),
            [(1, 1, true, 1), (2, 1, true, 1), (16, 1, true, 4), (17, 1, true, 1), (18, 1, true, 1)]
        );

        Assert.Equal(
            [(9, 10 * Ms, true)],
            heard.Where(sample => sample.Frames == 0).Select(sample => (sample.Time, sample.Weight, sample.IsCut))
        );
        Assert.Equal(20 * Ms, heard.Sum(sample => sample.Weight));
    }

    [Fact]
    public void Each_thread_and_each_window_has_its_own_clock()
    {
        var clocks = Clocks((1, 0, 500), (1, 20, 504), (1, 40, 504), (1, 60, 510), (2, 0, 0), (2, 60, 0));
        var heard = Read(
            clocks,
            [(10, 1, true, 5), (10, 2, true, 5), (30, 1, true, 5), (30, 2, true, 5), (50, 1, true, 5), (50, 2, false, 5)]
        );

        Assert.Equal([(10, 4 * Ms), (50, 6 * Ms)], heard.Select(sample => (sample.Time, sample.Weight)));
    }

    [Fact]
    public void A_thread_without_managed_frames_has_its_time_without_a_stack()
    {
        var heard = Read(Clocks((1, 0, 0), (1, 20, 10), (7, 20, 0), (7, 40, 12)), [(10, 1, true, 10), (25, 1, true, 10)]);

        Assert.Equal(
            [(10, 1, 10 * Ms, 1, false), (32, 7, 12 * Ms, 0, false)],
            heard.Select(sample => (sample.Time, sample.Thread, sample.Weight, sample.Frames, sample.IsCut))
        );
    }

    [Fact]
    public void A_thread_that_lived_between_two_looks_counts_by_its_ticks()
    {
        var heard = Read(Clocks((1, 0, 0), (1, 20, 10)), [(10, 1, true, 10), (12, 9, true, 2), (14, 9, false, 2)]);

        Assert.Equal([(1, 10 * Ms), (9, 2 * Ms)], heard.Select(sample => (sample.Thread, sample.Weight)));
    }

    [Fact]
    public void A_clock_that_begins_anew_is_that_of_another_thread_with_the_same_id()
    {
        var heard = Read(Clocks((1, 0, 20), (1, 20, 23), (1, 21, 0), (1, 40, 4)), [(10, 1, true, 10), (30, 1, true, 10)]);

        Assert.Equal([3 * Ms, 4 * Ms], heard.Select(sample => sample.Weight));
    }

    [Fact]
    public void Readings_close_to_each_other_are_kept_apart_only_as_far_as_windows_need()
    {
        var clocks = Clocks([.. Enumerable.Range(0, 201).Select(ms => (1L, (long)ms, (long)(ms / 2)))]);

        Assert.Equal((100.0 * Ms, 0.0), clocks.Between(1, 0, 200 * Ms));
        Assert.InRange(clocks.Between(1, 50 * Ms, 150 * Ms).Cpu, 49 * Ms, 51 * Ms);
    }

    [Fact]
    public void A_clock_in_steps_is_read_over_two_steps_so_that_no_window_has_more_than_a_thread_can_run()
    {
        var clocks = new ThreadClockTable(1_000_000_000);
        for (var step = 0; step < 8; step++)
        {
            clocks.Add(1, (step * 125 * Ms / 8) + 1, step * 125 * Ms / 8, 0);
            clocks.Add(1, (step + 1) * 125 * Ms / 8, step * 125 * Ms / 8, 0); // stands still until the next interrupt
        }

        var ticks = Enumerable.Range(1, 108).Select(tick => ((long)tick, 1, true, 1L)).ToArray();

        Assert.DoesNotContain(Read(clocks, ticks, isStepped: true), sample => sample.Frames == 0);
        Assert.Contains(Read(clocks, ticks), sample => sample.Frames == 0);
    }

    /// <summary>Windows: 10 MHz. Windows and weights are as in a trace in ns.</summary>
    [Fact]
    public void Windows_are_as_long_in_a_trace_with_another_clock()
    {
        var clocks = new ThreadClockTable(10_000_000);
        clocks.Add(1, 0, 0, 0);
        clocks.Add(1, 200_000, 50_000, 0);
        clocks.Add(1, 400_000, 200_000, 0);
        var listener = new Listener();
        var clocked = new ClockedSamples(EventHub.Of(listener), clocks, 1, ClockedSamples.Window(10_000_000, isStepped: false));
        clocked.Add(new EventAt(100_000, 1, 1), isManaged: true, 100_000, [1]);
        clocked.Add(new EventAt(300_000, 1, 1), isManaged: true, 150_000, [1]);
        clocked.Finish();

        Assert.Equal([50_000, 150_000], listener.Heard.Select(sample => sample.Weight));
    }

    [Fact]
    public void Damaged_times_end_soon_and_add_nothing()
    {
        var heard = Read(
            Clocks((1, 0, 0), (1, 20, 5), (1, 18, 60), (1, long.MaxValue / Ms, 5)),
            [(10, 1, true, 10), (8_000_000_000_000, 1, true, 1)]
        );

        Assert.Equal(5 * Ms, heard.Sum(sample => sample.Weight));
    }

    private static int Sum(List<Heard> heard, ulong leaf) =>
        (int)
            Math.Round(heard.Where(sample => sample.Leaf == leaf).Sum(sample => sample.Weight) / (double)Ms, MidpointRounding.AwayFromZero);

    private static ThreadClockTable Clocks(params (long Thread, long Ms, long Cpu)[] readings)
    {
        var clocks = new ThreadClockTable(1_000_000_000);
        foreach (var (thread, ms, cpu) in readings)
            clocks.Add(thread, ms * Ms, cpu * Ms, 0);
        return clocks;
    }

    /// <summary>The frame of managed samples is 1, that of others 2, of samples without a stack 0.</summary>
    private static List<Heard> Read(
        ThreadClockTable clocks,
        (long Time, int Thread, bool IsManaged, long Elapsed)[] samples,
        bool isStepped = false
    )
    {
        var listener = new Listener();
        var clocked = new ClockedSamples(EventHub.Of(listener), clocks, 1, ClockedSamples.Window(1_000_000_000, isStepped));
        foreach (var (time, thread, isManaged, elapsed) in samples)
            clocked.Add(new EventAt(time * Ms, 1, thread), isManaged, elapsed * Ms, [isManaged ? 1UL : 2UL]);
        clocked.Finish();
        return listener.Heard;
    }

    private readonly record struct Heard(int Time, int Thread, long Weight, int Frames, ulong Leaf, bool IsCut);

    private sealed class Listener : IEventSubscriber
    {
        public List<Heard> Heard { get; } = [];

        public void Subscribe(EventHub hub) => hub.Subscribe<CpuSample>(OnCpuSample);

        private void OnCpuSample(in CpuSample sample) =>
            Heard.Add(
                new Heard(
                    (int)(sample.At.Time / Ms),
                    (int)sample.At.ThreadId,
                    sample.CpuTicks,
                    sample.Frames.Length,
                    sample.Frames.Length > 0 ? sample.Frames[0] : 0,
                    sample.IsCut == true
                )
            );
    }
}
