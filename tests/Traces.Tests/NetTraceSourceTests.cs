using EtwSerializerProfiler.Foundation.Progress;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.NetTrace;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class NetTraceSourceTests
{
    [Fact]
    public void Reads_what_TraceEvents_typed_parsers_count()
    {
        var counter = new EventCounter();
        var source = NetTraceSource.Open(TestFiles.Data("net10/clr.nettrace"));
        var result = source.Read(counter);

        Assert.Equal((4098, 0), (result.Events, result.LostEvents));
        Assert.Null(result.Damage);
        Assert.Equal((45, 83, 83), (counter.Gcs, counter.Suspends, counter.Restarts));
        Assert.Equal((76, 151, 1583), (counter.Marks, counter.Exceptions, counter.Samples));
        Assert.Equal(1_000_000_000, source.Clock.TicksPerSecond);
        Assert.Equal(14755, source.ProcessId);
        Assert.Equal(
            EventKinds.RunMarks | EventKinds.Gc | EventKinds.Exceptions | EventKinds.Contention | EventKinds.AllocationSamples,
            source.Kinds
        );
        Assert.Equal(EventDetails.Stacks, source.Details);
    }

    [Fact]
    public void Reads_compilations_and_waits()
    {
        var counter = new EventCounter();
        NetTraceSource.Open(TestFiles.Data("net10/code.nettrace")).Read(counter);

        Assert.Equal((286, 286, 69), (counter.JitStarts, counter.JittedLoads, counter.Waits));
    }

    [Fact]
    public void Reads_allocation_ticks()
    {
        var counter = new EventCounter();
        var source = NetTraceSource.Open(TestFiles.Unmarked);
        source.Read(counter);

        Assert.Equal((EventKinds.Gc | EventKinds.AllocationTicks, EventDetails.Stacks), (source.Kinds, source.Details));
        Assert.InRange(counter.TickBytes / counter.Ticks, 100_000, 200_000);
    }

    [Fact]
    public void Sends_only_what_a_pass_wants()
    {
        var counter = new EventCounter();
        NetTraceSource.Open(TestFiles.Data("net10/clr.nettrace")).Read(counter, EventKinds.RunMarks);

        Assert.Equal((76, 0, 0), (counter.Marks, counter.Gcs, counter.Exceptions));
    }

    /// <summary>Events that name code are skipped then; the facts on the whole file must not change.</summary>
    [Theory]
    [InlineData("net10/code.nettrace")]
    [InlineData("net10/clr.nettrace")]
    public void A_pass_that_wants_no_code_counts_as_one_that_does(string name)
    {
        var source = NetTraceSource.Open(TestFiles.Data(name));
        var (all, some) = (new EventCounter(), new EventCounter());

        Assert.Equal(source.Read(all), source.Read(some, EventKinds.All & ~EventKinds.MethodCode));
        Assert.Equal(
            (all.JitStarts, all.JittedLoads, all.Waits, all.Gcs, all.Marks),
            (some.JitStarts, some.JittedLoads, some.Waits, some.Gcs, some.Marks)
        );
        Assert.True(source.Read(some, EventKinds.MethodCode).Events > all.JitStarts);
    }

    /// <summary>Most events of a trace are of providers that no table needs: they are counted where they stand, and then skipped.</summary>
    [Theory]
    [InlineData("net10/clr.nettrace")]
    [InlineData("net10/code.nettrace")]
    [InlineData("others/dotnet-trace.nettrace")]
    [InlineData("others/spans.nettrace")]
    public void What_is_left_out_is_counted(string name)
    {
        var (events, first, last) = (0L, long.MaxValue, 0L);
        var (whole, some) = (new EventCounter(), new EventCounter());
        var source = NetTraceSource.Open(TestFiles.Data(name));
        source.Read(
            EventHub.Of(whole),
            (in NetTraceEvent item) =>
            {
                events++;
                first = Math.Min(first, item.Time);
                last = item.Type.IsRundown ? last : Math.Max(last, item.Time);
            }
        );
        var result = source.Read(some);

        Assert.Equal((events, first, last), (result.Events, result.FirstTime, result.LastTime));
        Assert.Equivalent(whole, some, strict: true);
    }

    [Fact]
    public void TraceEvent_reads_no_further_than_it_must()
    {
        var layout = NetTraceLayout.Scan(TestFiles.Data("net10/clr.nettrace"));
        var progress = new ReadProgress();
        ReadProgress.Current = progress;
        var damage = TraceEventPass.Read(layout, (source, stop) => source.AllEvents += _ => stop());
        ReadProgress.Current = null;

        Assert.Null(damage);
        Assert.InRange(Assert.Single(progress.Passes).Done, 1, layout.FileBytes / 2);
    }

    [Fact]
    public void An_error_of_a_subscriber_is_not_taken_for_damage()
    {
        var source = NetTraceSource.Open(TestFiles.Data("net10/clr.nettrace"));

        Assert.Throws<InvalidTimeZoneException>(() => source.Read(new FailingSubscriber()));
    }

    [Theory]
    [InlineData("", "empty")]
    [InlineData("Nettrac", "not a .nettrace")]
    [InlineData("This is a text file, not a trace", "not a .nettrace")]
    [InlineData("Nettrace\u0014\0\0\0!FastSerialization.1", "damaged or cut off")]
    [InlineData("Nettrace\u0014\0\0\0!SlowSerialization.1", "damaged or of another format")]
    [InlineData("Nettrace\0\0\0\0\u0009\0\0\0\0\0\0\0", "version 9")]
    public void A_file_that_is_not_a_trace_says_what_was_expected(string content, string found)
    {
        using var folder = new TempFolder();
        var path = folder.Write("x.nettrace", content);

        var error = Assert.Throws<TraceFormatException>(() => NetTraceSource.Open(path));
        Assert.Equal(path, error.TraceFile);
        Assert.Contains(found, error.Message, StringComparison.Ordinal);
        Assert.Contains("expected", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_event_costs_no_memory_beyond_TraceEvents_own()
    {
        var path = TestFiles.Data("net10/clr.nettrace");
        var source = NetTraceSource.Open(path);
        long ours = 0,
            raw = 0;
        for (var pass = 0; pass < 3; pass++) // the first ones compile and fill caches
        {
            ours = Allocated(() => source.Read(new EventCounter(), EventKinds.All & ~EventKinds.RunMarks));
            raw = Allocated(() =>
            {
                using var events = new EventPipeEventSource(path);
                events.AllEvents += _ => { };
                events.Process();
            });
        }

        // Measured: 61,744, of which 65,536 are the file's buffer. 4,098 small objects, one an event, would be 98,000 more.
        Assert.InRange(ours - raw, long.MinValue, 80_000);
    }

    private static long Allocated(Action action)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        action();
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private sealed class FailingSubscriber : IEventSubscriber
    {
        /// <inheritdoc />
        public void Subscribe(EventHub hub) => hub.Subscribe<ExceptionThrown>(OnExceptionThrown, withStack: true);

        private void OnExceptionThrown(in Events.ExceptionThrown exception) => throw new InvalidTimeZoneException();
    }
}
