using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>CPU samples of EventPipe's sample profiler: which thread ran, and for how long.</summary>
public sealed class SampleProfilerTests
{
    private const byte External = 1;
    private const byte Managed = 2;
    private const int Ms = 1_000_000;

    [Fact]
    public void A_thread_in_managed_code_has_run_since_the_tick_before_and_one_outside_of_it_counts_for_nothing()
    {
        var heard = Read([
            (1000, 1, Managed),
            (1010, 2, Managed),
            (2010, 1, Managed),
            (2020, 2, External),
            (3520, 1, External),
            (3530, 2, Managed),
            (3540, 3, Managed),
        ]);

        // From the last stack of a tick to the first one of the next: 1,000 and 1,500 µs. Before the first tick it is unknown.
        Assert.Equal([(2010, 1L, 1000), (3530, 2L, 1500), (3540, 3L, 1500)], heard);
    }

    [Fact]
    public void A_gap_without_ticks_is_not_the_programs_CPU_time()
    {
        List<(double, int, byte)> ticks =
        [
            .. Enumerable.Range(0, 100).Select(tick => (1000.0 * tick, 1, Managed)),
            (500_000, 1, Managed),
            (501_000, 1, Managed),
        ];
        var heard = Read(ticks);

        Assert.InRange(heard[^2].Weight, 2000, 2200);
        Assert.Equal(1000, heard[^1].Weight);
    }

    [Fact]
    public void The_time_between_ticks_is_the_recorded_one()
    {
        var heard = Read([.. Enumerable.Range(0, 200).Select(tick => (10_000.0 * tick, 1, Managed))]);

        Assert.All(heard, sample => Assert.Equal(10_000, sample.Weight));
        Assert.Equal(199, heard.Count);
    }

    [Fact]
    public void A_first_gap_does_not_last_as_the_usual_time_between_ticks()
    {
        var heard = Read([
            (0, 1, Managed),
            .. Enumerable.Range(0, 300).Select(tick => (1_000_000 + (1000.0 * tick), 1, Managed)),
            (3_000_000, 1, Managed),
        ]);

        Assert.InRange(heard[^1].Weight, 1900, 2300);
    }

    [Fact]
    public void A_damaged_payload_gives_no_sample_and_a_stack_of_as_many_frames_as_the_runtime_keeps_is_cut()
    {
        var listener = new Listener();
        var samples = new SampleProfilerEvents(EventHub.Of(listener));
        samples.Add(At(1000, 1), [2, 0, 0], [1]);
        samples.Add(At(1000, 1), [2, 0, 0, 0], [1]);
        samples.Add(At(2000, 1), [2, 0, 0, 0], []);
        samples.Add(At(3000, 1), [9, 0, 0, 0], [1]);
        samples.Add(At(4000, 1), [2, 0, 0, 0], new ulong[99]);
        samples.Add(At(5000, 1), [2, 0, 0, 0], new ulong[100]);

        Assert.Equal([(0, false), (99, false), (100, true)], listener.Stacks);
        Assert.True(listener.AllWalkedByRuntime);
    }

    [Fact]
    public void A_trace_of_a_program_that_only_waits_has_samples_all_the_same()
    {
        var hub = EventHub.LookingForKinds();
        new SampleProfilerEvents(hub).Add(At(1000, 1), [External, 0, 0, 0], [1]);

        Assert.Equal(EventKinds.CpuSamples, hub.Seen);
    }

    [Fact]
    public void Threads_that_wait_are_published_too_without_CPU_time()
    {
        var listener = new StackListener();
        var samples = new SampleProfilerEvents(EventHub.Of(listener));
        samples.Add(At(1000, 1), [External, 0, 0, 0], [1, 2]);
        samples.Add(At(1010, 2), [Managed, 0, 0, 0], [3]);
        samples.Add(At(1020, 3), [Managed, 0, 0], [3]);

        Assert.Equal([(1000, 1L, false, 2), (1010, 2L, true, 1)], listener.Samples);
    }

    [Fact]
    public void Samples_of_the_kernel_are_read_where_there_are_both_and_describe_what_is_read()
    {
        var profiler = new SyntheticTrace
        {
            Kinds = EventKinds.CpuSamples | EventKinds.Gc,
            Details = EventDetails.Stacks | EventDetails.ManagedSamples,
        };
        var kernel = new SyntheticTrace
        {
            Kinds = EventKinds.CpuSamples | EventKinds.ContextSwitches,
            Details = EventDetails.KernelSamples,
        };

        var both = new TracedProcess(1, "", "", [profiler, kernel], []);
        Assert.Equal(
            [EventKinds.Gc, EventKinds.CpuSamples | EventKinds.ContextSwitches],
            both.Shares(EventKinds.All).Select(share => share.Share)
        );
        Assert.Equal(EventDetails.Stacks | EventDetails.KernelSamples, both.Details);

        var alone = new TracedProcess(1, "", "", [profiler], []);
        Assert.Equal([EventKinds.CpuSamples | EventKinds.Gc], alone.Shares(EventKinds.All).Select(share => share.Share));
        Assert.Equal(EventDetails.Stacks | EventDetails.ManagedSamples, alone.Details);
    }

    [Theory]
    [InlineData(EventDetails.None, EventKinds.None, "estimated by EventPipe's sample profiler: managed code at safe points")]
    [InlineData(EventDetails.ClockedSamples, EventKinds.ThreadClocks, "by the threads' CPU clocks; managed frames at safe points")]
    [InlineData(EventDetails.ClockedSamples, EventKinds.None, "which advance in steps of 10 to 16 ms, so the CPU time of a single run")]
    public void The_header_says_how_the_samples_were_weighted(EventDetails weighted, EventKinds clocks, string note)
    {
        var profiler = new SyntheticTrace { Kinds = EventKinds.CpuSamples, Details = EventDetails.ManagedSamples | weighted };
        var process = new TracedProcess(
            1,
            "",
            "",
            [profiler, new SyntheticTrace { Kinds = clocks, Details = EventDetails.NoReadyTime }],
            []
        );

        Assert.Equal(EventDetails.ManagedSamples | EventDetails.NoReadyTime | weighted, process.Details);
        Assert.Contains(note, new TraceInput([], [process], [], false, [], []).SampleProfilerNote, StringComparison.Ordinal);
    }

    /// <summary>Samples of ticks; times and weights in µs.</summary>
    private static List<(int Time, long Thread, int Weight)> Read(IEnumerable<(double Us, int Thread, byte Mode)> events)
    {
        var listener = new Listener();
        var samples = new SampleProfilerEvents(EventHub.Of(listener));
        foreach (var (us, thread, mode) in events)
            samples.Add(At(us, thread), [mode, 0, 0, 0], [0x1000]);
        return listener.Samples;
    }

    private static EventAt At(double us, int thread) => new((long)(us * Ms / 1000), 7, thread);

    private sealed class StackListener : IEventSubscriber
    {
        public List<(int Time, long Thread, bool IsManaged, int Frames)> Samples { get; } = [];

        public void Subscribe(EventHub hub) => hub.Subscribe<ProfilerSample>(OnSample);

        private void OnSample(in ProfilerSample sample) =>
            Samples.Add(((int)(sample.At.Time / 1000), sample.At.ThreadId, sample.IsManaged, sample.Frames.Length));
    }

    private sealed class Listener : IEventSubscriber
    {
        public List<(int Time, long Thread, int Weight)> Samples { get; } = [];

        public List<(int Frames, bool? IsCut)> Stacks { get; } = [];

        public bool AllWalkedByRuntime { get; private set; } = true;

        public void Subscribe(EventHub hub) => hub.Subscribe<CpuSample>(OnCpuSample);

        private void OnCpuSample(in CpuSample sample)
        {
            Samples.Add(((int)(sample.At.Time / 1000), sample.At.ThreadId, (int)(sample.CpuTicks / 1000)));
            Stacks.Add((sample.Frames.Length, sample.IsCut));
            AllWalkedByRuntime &= sample.IsWalkedByRuntime;
        }
    }
}
