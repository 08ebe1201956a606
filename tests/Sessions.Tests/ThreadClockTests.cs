using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Sessions.Clocks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfData;
using ClockReading = EtwSerializerProfiler.Traces.Events.ThreadClock;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Clocks of threads from each system, as they come back from the file.</summary>
public sealed class ThreadClockTests : IDisposable
{
    private const int Process = 7;

    private readonly string _root = Directory.CreateTempSubdirectory("esp-clock-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Theory]
    [InlineData(PerfDataSource.ClockEvent, EventKinds.ThreadClocks, EventDetails.None, false, "CPU time and ready time of each thread,")]
    [InlineData(PerfDataSource.CpuClockEvent, EventKinds.ThreadClocks, EventDetails.NoReadyTime, false, "CPU time of each thread,")]
    [InlineData(PerfDataSource.CpuStepsEvent, EventKinds.None, EventDetails.None, true, "CPU time of each thread in steps of 10 to 16 ms,")]
    public void The_file_says_what_the_clocks_of_the_system_count(
        string name,
        EventKinds kinds,
        EventDetails details,
        bool isStepped,
        string purpose
    )
    {
        var source = Record(name, new FakeClocks(), ticksPerSecond: 1_000_000_000, out var plan);

        Assert.StartsWith(purpose, plan.Events[0].Purpose, StringComparison.Ordinal);
        Assert.Equal((kinds, details), (source.Kinds & ~EventKinds.ProcessLayout, source.Details));
        Assert.Equal(isStepped, source.HasSteppedClocks);
        Assert.Equal(EventKinds.ProcessLayout, source.Kinds & EventKinds.ProcessLayout);
    }

    /// <summary>The ended thread's last reading is the one that its system still gives.</summary>
    [Fact]
    public void Readings_end_with_the_final_time_of_an_ended_thread()
    {
        var seen = Read(Record(PerfDataSource.CpuClockEvent, new FakeClocks(), ticksPerSecond: 1_000_000_000, out _));

        Assert.Equal(["name 11 worker", "name 12 Finalizer"], seen.Names.Order());
        var last = seen.Clocks.Last(clock => clock.At.ThreadId == 11);
        Assert.Equal((5_000_000, 0), (last.CpuTicks, last.ReadyTicks));
        Assert.Equal([3_000_000], seen.Clocks.Where(clock => clock.At.ThreadId == 12).Select(clock => clock.CpuTicks).Distinct());
    }

    /// <summary>Windows's clock has 10 MHz; the file is in ns.</summary>
    [Fact]
    public void Times_and_readings_come_in_the_ticks_of_the_runtimes_files()
    {
        var clocks = new FakeClocks();
        var inNanoseconds = Record(PerfDataSource.ClockEvent, clocks, ticksPerSecond: 1_000_000_000, out _);
        var inTicks = PerfDataSource.Open(inNanoseconds.Name, Process, reportsLosses: true, ticksPerSecond: 10_000_000);
        var (expected, found) = (Read(inNanoseconds), Read(inTicks));

        Assert.Equal(10_000_000, inTicks.Clock.TicksPerSecond);
        Assert.Equal(inNanoseconds.Clock.OriginTicks / 100, inTicks.Clock.OriginTicks);
        Assert.Equal(
            expected.Clocks.Select(clock => (clock.At.Time / 100, clock.At.ThreadId, clock.CpuTicks / 100, clock.ReadyTicks / 100)),
            found.Clocks.Select(clock => (clock.At.Time, clock.At.ThreadId, clock.CpuTicks, clock.ReadyTicks))
        );
        Assert.NotEmpty(found.Clocks);
    }

    [Fact]
    public void Linux_gives_the_clocks_of_all_threads_of_a_process()
    {
        Assert.SkipUnless(File.Exists("/proc/self/schedstat"), "needs schedstat");
        using var clocks = new LinuxThreadClocks();
        var threads = clocks.Threads(Environment.ProcessId);
        using var main = clocks.Open(Environment.ProcessId, Environment.ProcessId);

        Assert.Contains(Environment.ProcessId, threads);
        Assert.True(main!.TryRead(out var time));
        Assert.True(time.Cpu > 0);
        Assert.NotEmpty(main.ReadName()!);
        Assert.Null(clocks.Open(Environment.ProcessId, int.MaxValue));
    }

    /// <summary>3 cycles a tick. The thread loses its processor in every spin but one, and its cycles stand still meanwhile.</summary>
    [Fact]
    public void The_rate_of_cycles_is_that_of_the_spin_without_an_interruption()
    {
        var (ticks, cycles, reads) = (0L, 0UL, 0);

        var rate = CycleRate.Measure(
            () =>
            {
                cycles += 3;
                ticks++;
                return cycles;
            },
            () =>
            {
                if (++reads % 150 == 0)
                    ticks += 150;
                return ticks;
            },
            spinTicks: 100
        );

        Assert.InRange(rate, 2.9, 3);
    }

    /// <summary>struct proc_threadinfo of macOS has 2 × 8 + 8 × 4 + 64 bytes.</summary>
    [Fact]
    public void The_structure_of_macOS_has_its_size() => Assert.Equal(112, Unsafe.SizeOf<ProcThreadInfo>());

    private PerfDataSource Record(string name, FakeClocks clocks, long ticksPerSecond, out ThreadClockPlan plan)
    {
        var path = Path.Combine(_root, "perf.data");
        plan = ThreadClockPlan.Create(name, "they need more", () => clocks);
        using (var session = ThreadClockSession.Start(plan, path, "1", [], open: null))
        {
            session.Watch(Process);
            clocks.HasEnded.Wait(TestContext.Current.CancellationToken);
            session.Stop();
            Assert.Equal("", session.Error);
        }

        Assert.True(clocks.IsDisposed);
        return PerfDataSource.Open(path, Process, reportsLosses: true, ticksPerSecond: ticksPerSecond);
    }

    private static Seen Read(PerfDataSource source)
    {
        var seen = new Seen();
        source.Read(EventHub.Of(seen));
        return seen;
    }

    private sealed class Seen : IEventSubscriber
    {
        public List<ClockReading> Clocks { get; } = [];

        public List<string> Names { get; } = [];

        public void Subscribe(EventHub hub)
        {
            hub.Subscribe((in ClockReading clock) => Clocks.Add(clock));
            hub.Subscribe((in ThreadNamed named) => Names.Add($"name {named.At.ThreadId} {named.Name}"));
        }
    }

    /// <summary>Thread 11 works 1 ms between two readings and ends at its fifth; thread 12 sleeps.</summary>
    private sealed class FakeClocks : IThreadClocks
    {
        public ManualResetEventSlim HasEnded { get; } = new();

        public bool IsDisposed { get; private set; }

        public TimeSpan ListInterval => TimeSpan.Zero;

        public IReadOnlyList<int> Threads(int processId) =>
            processId != Process ? []
            : HasEnded.IsSet ? [12]
            : [11, 12];

        public IThreadClock Open(int processId, int thread) => thread == 11 ? new Worker(HasEnded) : new Sleeper();

        public void Dispose() => IsDisposed = true;

        private sealed class Worker(ManualResetEventSlim hasEnded) : IThreadClock
        {
            private int _reads;

            public bool TryRead(out ThreadTime time)
            {
                time = new ThreadTime(++_reads * 1_000_000, 0);
                if (_reads == 5)
                    hasEnded.Set();
                return _reads < 5;
            }

            public string ReadName() => "worker";

            public void Dispose() { }
        }

        private sealed class Sleeper : IThreadClock
        {
            public bool TryRead(out ThreadTime time)
            {
                time = new ThreadTime(3_000_000, 0);
                return true;
            }

            public string ReadName() => "Finalizer";

            public void Dispose() { }
        }
    }
}
