using System.Buffers.Binary;
using System.Text;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.NetTrace;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>Content and stacks of the runtime's events, from each kind of file; damaged payloads yield less and never throw.</summary>
public sealed class ClrEventTests : IDisposable
{
    private const int App = 4000;
    private const int Main = 4001;

    private static readonly ulong[] s_stack = [0x7FF6_0000_1000, 0x7FF6_0000_2000];

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void EventPipe_gives_details_and_stacks_when_they_are_asked_for()
    {
        var source = NetTraceSource.Open(TestFiles.Data("net10/clr.nettrace"));
        var all = new Listener();
        source.Read(all);

        Assert.Equal((151, 151), (all.Exceptions.Count, all.Exceptions.Count(item => item.Frames > 0)));
        Assert.Equal(
            150,
            all.Exceptions.Count(item =>
                item is { Type: "System.InvalidOperationException", Message: "x", HResult: unchecked((int)0x80131509), IsRethrown: false }
            )
        );
        Assert.Equal((1583, 1583), (all.Allocations.Count, all.Allocations.Count(item => item.Frames > 0)));
        Assert.Contains(all.Allocations, item => item.Type == "System.Byte[]");
        Assert.All(all.Allocations, item => Assert.True(item.Type.Length > 0 && item.Bytes > 0));
        Assert.Equal(
            (8, 8, 8),
            (
                all.Contentions.Count,
                all.Contentions.Count(item => item is { Lock: > 0, Owner: > 0 }),
                all.Contentions.Count(item => item.Frames > 0)
            )
        );
        Assert.Equal((45, 45, 45), (all.Ends, all.Statistics.Count, all.Before.Count));
        Assert.Equal((298_296, 286_200), (all.Statistics[0].HeapBytes, all.Statistics[0].PromotedBytes)); // as TraceEvent's parser has them

        var plain = new Listener(withStacks: false);
        source.Read(plain);
        Assert.Equal(all.Exceptions.Select(item => item with { Frames = 0 }), plain.Exceptions);
    }

    [Fact]
    public void Stacks_cost_no_memory()
    {
        var source = NetTraceSource.Open(TestFiles.Data("net10/clr.nettrace"));
        long with = 0,
            without = 0;
        for (var pass = 0; pass < 3; pass++) // the first ones compile and fill caches
        {
            with = Allocated(new EventCounter(withStacks: true));
            without = Allocated(new EventCounter());
        }

        // The file has thousands of events, so stacks that allocate would exceed the limit, which is for what the JIT allocates meanwhile.
        Assert.InRange(with - without, long.MinValue, 20_000);

        long Allocated(EventCounter counter)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            source.Read(counter, EventKinds.All & ~EventKinds.RunMarks);
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    [Theory]
    [InlineData("item")]
    [InlineData("clr")]
    [InlineData("kernel")]
    [InlineData("none")]
    public void Etw_joins_an_event_with_its_stack_whichever_way_it_comes_and_keeps_the_order(string way)
    {
        var heard = new Listener();
        var source = Open(trace =>
        {
            trace.Clr(1000, App, Main, 80, 1, Exception("System.FormatException", "one", 5), way == "item" ? s_stack : []);
            Stack(trace, way, 1000);
            trace.Clr(1010, App, Main, 81, 2, Contention());
            Stack(trace, way == "item" ? "none" : way, 1010);
            trace.Clr(1020, App, Main, 91, 1, new byte[11]);
            trace.Clr(1030, App, Main, 80, 1, Exception("System.IO.IOException", "two", 6));
            trace.Clr(2_000_000, App, Main, 80, 1, Exception("System.FormatException", "late", 7));
        });
        source.Read(heard, EventKinds.Exceptions | EventKinds.Contention);

        Assert.Equal(["one", "two", "late"], heard.Exceptions.Select(item => item.Message));
        Assert.Equal([way == "none" ? 0 : 2, 0, 0], heard.Exceptions.Select(item => item.Frames));
        Assert.Equal((0xABCUL, 77L), (heard.Contentions[0].Lock, heard.Contentions[0].Owner));
        Assert.Equal(way is "none" or "item" ? 0 : 2, heard.Contentions[0].Frames);
        Assert.Equal(heard.Times.Order(), heard.Times);
        Assert.Equal(way != "none", (source.Details & EventDetails.Stacks) != 0);
    }

    [Fact]
    public void Damaged_payloads_have_less_and_never_throw()
    {
        var random = new Random(7);
        var payloads = new (int Id, byte[] Payload)[]
        {
            (80, Exception("System.FormatException", "message", 5)),
            (81, Contention()),
            (10, Tick()),
            (303, Sample()),
            (4, new byte[110]),
            (204, History()),
            (2, new byte[10]),
            (145, Jitting()),
            (143, Jitting()),
            (301, new byte[11]),
        };
        foreach (var (id, payload) in payloads)
        {
            for (var length = 0; length <= payload.Length; length++)
                Read(id, payload[..length]);
            for (var round = 0; round < 200; round++)
            {
                var damaged = payload.ToArray();
                for (var flip = random.Next(1, 8); flip > 0; flip--)
                    damaged[random.Next(damaged.Length)] ^= (byte)(1 << random.Next(8));
                Read(id, damaged[..random.Next(damaged.Length + 1)]);
            }
        }

        static void Read(int id, byte[] payload) =>
            new Clr.ClrEventDispatcher(EventHub.Of(new Listener())).Dispatch(
                new Guid("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"),
                id,
                new EventAt(1, 2, 3),
                payload,
                new Clr.ClrEventDetail(s_stack, payload.Length % 2 == 0 ? 8 : 4)
            );
    }

    [Fact]
    public void Payloads_of_32_bit_processes_have_their_own_layout()
    {
        var heard = new Listener();
        var clr = new Clr.ClrEventDispatcher(EventHub.Of(heard));
        var provider = new Guid("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
        clr.Dispatch(
            provider,
            80,
            default,
            [.. Text("T"), .. Text("m"), .. new byte[4], .. BitConverter.GetBytes(9), 4, 0, 0, 0],
            new Clr.ClrEventDetail(default, 4)
        );
        clr.Dispatch(
            provider,
            81,
            default,
            [0, 0, 0, .. BitConverter.GetBytes(0xABC), .. new byte[4], .. BitConverter.GetBytes(77L)],
            new Clr.ClrEventDetail(default, 4)
        );
        clr.Dispatch(
            provider,
            303,
            default,
            [.. new byte[6], .. new byte[4], .. Text("S"), .. new byte[4], .. BitConverter.GetBytes(55L), .. new byte[8]],
            new Clr.ClrEventDetail(default, 4)
        );

        Assert.Equal(
            ("T", "m", 9, true),
            (heard.Exceptions[0].Type, heard.Exceptions[0].Message, heard.Exceptions[0].HResult, heard.Exceptions[0].IsRethrown)
        );
        Assert.Equal((0xABCUL, 77L), (heard.Contentions[0].Lock, heard.Contentions[0].Owner));
        Assert.Equal(("S", 55L), (heard.Allocations[0].Type, heard.Allocations[0].Bytes));
    }

    /// <summary>Traces of .NET Framework 4.5.2 and of .NET 7, recorded on Windows for TraceEvent's tests.</summary>
    [Theory]
    [InlineData("net.4.5.2.x64.etl.zip", 10_382, 264, 0)]
    [InlineData("gcevents.etl.zip", 12, 2, 2)]
    public void Traces_of_Windows_give_types_and_heap_sizes(string name, int ticks, int gcs, int sizes)
    {
        var path = Path.Combine("/work/shared/traces", name);
        Assert.SkipUnless(File.Exists(path), $"{path} is not here");
        var heard = new Listener();
        foreach (var source in EtwTrace.Open([path]).Sources)
        {
            var before = heard.Times.Count;
            source.Read(heard, EventKinds.AllocationTicks | EventKinds.Gc);
            Assert.Equal(heard.Times.Skip(before).Order(), heard.Times.Skip(before));
        }

        Assert.Equal((ticks, gcs, gcs, sizes), (heard.Allocations.Count, heard.Ends, heard.Statistics.Count, heard.Before.Count));
        Assert.All(heard.Allocations, item => Assert.True(item.Type.Length > 0 && item.Bytes > 0));
        Assert.All(heard.Statistics, item => Assert.InRange(item.HeapBytes, 1, 10_000_000_000));
        if (ticks > 100)
            Assert.InRange(heard.Allocations.Count(item => item.Frames > 0), 0.99 * ticks, ticks);
    }

    private static void Stack(SyntheticEtl trace, string way, long at)
    {
        if (way == "clr")
            trace.Clr(
                at + 1,
                App,
                Main,
                82,
                0,
                [0, 0, 0, 0, .. BitConverter.GetBytes(s_stack.Length), .. s_stack.SelectMany(BitConverter.GetBytes)]
            );
        else if (way == "kernel")
            trace.Stack(at + 1, at, App, Main, s_stack);
    }

    private static byte[] Text(string text) => Encoding.Unicode.GetBytes(text + "\0");

    private static byte[] Exception(string type, string message, int hresult) =>
        [.. Text(type), .. Text(message), .. new byte[8], .. BitConverter.GetBytes(hresult), 16, 0, 0, 0];

    private static byte[] Contention() => [0, 0, 0, .. BitConverter.GetBytes(0xABCL), .. new byte[8], .. BitConverter.GetBytes(77L)];

    private static byte[] Tick() =>
        [
            .. BitConverter.GetBytes(100_000),
            .. new byte[6],
            .. BitConverter.GetBytes(100_000L),
            .. new byte[8],
            .. Text("System.String"),
            .. new byte[20],
        ];

    private static byte[] Sample() => [.. new byte[14], .. Text("System.String"), .. new byte[24]];

    private static byte[] Jitting() =>
        [.. new byte[24], .. new byte[12], .. Text("Type"), .. Text("Method"), .. Text("void ()"), .. new byte[2]];

    private static byte[] History()
    {
        var payload = new byte[86 + (5 * 80)];
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(82), 5);
        return payload;
    }

    private EtwSource Open(Action<SyntheticEtl> write)
    {
        var path = Path.Combine(_folder.Path, "events.etl");
        using (var trace = new SyntheticEtl(path))
        {
            trace.Process(App, "MyApp.exe");
            trace.Thread(Main, App);
            write(trace);
        }

        return Assert.Single(EtwTrace.Open([path]).Sources);
    }

    /// <summary>Keeps the events.</summary>
    private sealed class Listener(bool withStacks = true) : IEventSubscriber
    {
        public List<(string Type, string Message, int? HResult, bool IsRethrown, int Frames)> Exceptions { get; } = [];

        public List<(string Type, long Bytes, int Frames)> Allocations { get; } = [];

        public List<(ulong Lock, long Owner, int Frames)> Contentions { get; } = [];

        public List<HeapStatistics> Statistics { get; } = [];

        public List<long> Before { get; } = [];

        public List<long> Times { get; } = [];

        public int Ends { get; private set; }

        /// <inheritdoc />
        public void Subscribe(EventHub hub)
        {
            hub.Subscribe<ExceptionThrown>(OnExceptionThrown, withStacks);
            hub.Subscribe<AllocationTick>(OnAllocationTick, withStacks);
            hub.Subscribe<AllocationSample>(OnAllocationSample, withStacks);
            hub.Subscribe<ContentionStarted>(OnContentionStarted, withStacks);
            hub.Subscribe<ContentionStopped>(OnContentionStopped);
            hub.Subscribe<GcEnded>(OnGcEnded);
            hub.Subscribe<HeapStatistics>(OnHeapStatistics);
            hub.Subscribe<HeapSizeBefore>(OnHeapSizeBefore);
        }

        private void OnExceptionThrown(in ExceptionThrown exception)
        {
            Times.Add(exception.At.Time);
            Exceptions.Add(
                (exception.Type.ToString(), exception.Message.ToString(), exception.HResult, exception.IsRethrown, exception.Stack.Length)
            );
        }

        private void OnAllocationTick(in AllocationTick tick)
        {
            Times.Add(tick.At.Time);
            Allocations.Add((tick.Type.ToString(), tick.Bytes, tick.Stack.Length));
        }

        private void OnAllocationSample(in AllocationSample sample) =>
            Allocations.Add((sample.Type.ToString(), sample.ObjectBytes, sample.Stack.Length));

        private void OnContentionStarted(in ContentionStarted contention)
        {
            Times.Add(contention.At.Time);
            Contentions.Add((contention.LockId, contention.OwnerThreadId, contention.Stack.Length));
        }

        private void OnContentionStopped(in ContentionStopped contention) => Times.Add(contention.At.Time);

        private void OnGcEnded(in GcEnded gc) => Ends++;

        private void OnHeapStatistics(in HeapStatistics statistics)
        {
            Times.Add(statistics.At.Time);
            Statistics.Add(statistics);
        }

        private void OnHeapSizeBefore(in HeapSizeBefore heap) => Before.Add(heap.Bytes);
    }
}
