using System.Diagnostics.Tracing;
using System.Numerics;
using System.Reflection;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class EventHubTests
{
    public static TheoryData<Type> EventTypes =>
        [.. typeof(ITraceEvent).Assembly.GetTypes().Where(type => type.IsValueType && typeof(ITraceEvent).IsAssignableFrom(type))];

    [Theory]
    [MemberData(nameof(EventTypes))]
    public void Every_event_has_one_kind(Type type)
    {
        var kind = (EventKinds)
            typeof(EventHubTests)
                .GetMethod(nameof(KindOf), BindingFlags.Static | BindingFlags.NonPublic)!
                .MakeGenericMethod(type)
                .Invoke(null, null)!;

        Assert.Equal(1, BitOperations.PopCount((uint)kind));
        Assert.Equal(kind, kind & EventKinds.All);
    }

    [Fact]
    public void Every_event_has_room_in_a_hub() => Assert.InRange(EventTypes.Count, 1, EventHub.MaxTypes);

    [Fact]
    public void All_holds_every_kind() => Assert.Equal(EventKinds.All, Enum.GetValues<EventKinds>().Aggregate((all, kind) => all | kind));

    [Fact]
    public void What_a_part_wants_follows_from_its_subscriptions()
    {
        Assert.Equal(EventKinds.ContextSwitches | EventKinds.ReadyThreads | EventKinds.Exceptions, EventHub.KindsOf(new Listener()));

        var hub = EventHub.Of(new Listener(), EventKinds.ContextSwitches);
        Assert.Equal((EventKinds.ContextSwitches, false), (hub.Wanted, hub.WantsStacks));
        Assert.Equal((true, false, false), (hub.Wants<SwitchedIn>(), hub.Wants<SwitchedOut>(), hub.Wants<ThreadReadied>()));
        Assert.True(EventHub.Of(new Listener()).WantsStacks);
    }

    [Fact]
    public void Subscribers_hear_an_event_in_the_order_of_their_subscriptions()
    {
        var heard = new List<int>();
        var hub = new EventHub();
        for (var i = 0; i < 4; i++)
        {
            var number = i;
            hub.Subscribe((in SwitchedIn _) => heard.Add(number));
        }

        hub.Publish(new SwitchedIn(default));

        Assert.Equal([0, 1, 2, 3], heard);
    }

    [Fact]
    public void A_kind_is_looked_for_until_an_event_shows_it()
    {
        var hub = EventHub.LookingForKinds();
        // An end alone shows nothing.
        Assert.Equal((true, false, EventKinds.None), (hub.Wants<GcStarted>(), hub.Wants<GcEnded>(), hub.Seen));

        hub.Publish(new GcEnded(default, 1, 0));
        Assert.Equal(EventKinds.None, hub.Seen);

        hub.Publish(new GcStarted(default, 1, 0, 0, GcKind.Blocking));
        Assert.Equal((false, true, EventKinds.Gc), (hub.Wants<GcStarted>(), hub.Wants<JitStarted>(), hub.Seen));
    }

    [Fact]
    public void Publishing_allocates_nothing()
    {
        var (first, second) = (new Listener(), new Listener());
        var hub = EventHub.Of(first);
        hub.Add(second);
        long allocated = 0;
        for (var pass = 0; pass < 3; pass++) // the first ones compile
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < 10_000; i++)
            {
                hub.Publish(new SwitchedIn(new EventAt(i, 1, 1)));
                hub.Publish(new ExceptionThrown { At = new EventAt(i, 1, 1), Type = "T" });
                hub.Publish(new GcEnded(default, 1, 0));
            }

            allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        }

        Assert.InRange(allocated, 0, 9_999); // allocations of the JIT meanwhile; a byte per event would be more
        Assert.Equal((30_000, 30_000), (first.Switches, second.Switches));
    }

    [Fact]
    public void Each_subscriber_gets_the_kinds_of_its_request()
    {
        var (switches, both) = (new Listener(), new Listener());
        var source = new Source("a", new object());

        TraceReading.Read([
            new TraceRequest(source, switches, EventKinds.ContextSwitches),
            new TraceRequest(source, both, EventKinds.ContextSwitches | EventKinds.ReadyThreads),
        ]);

        Assert.Equal((1, 0), (switches.Switches, switches.Readied));
        Assert.Equal((1, 1), (both.Switches, both.Readied));
        Assert.Equal([EventKinds.ContextSwitches | EventKinds.ReadyThreads], source.Passes);
    }

    [Fact]
    public void Sources_that_share_their_files_are_read_in_one_pass()
    {
        var (files, others) = (new object(), new object());
        var sources = new[] { new Source("a", files), new Source("b", others), new Source("c", files) };

        var results = TraceReading.Read(sources.Select(source => new TraceRequest(source, new Listener(), EventKinds.ContextSwitches)));

        Assert.Equal([1, 2, 3], sources.Select(source => results[source].Events));
        Assert.Equal(["a c", "b"], Source.Log(sources));
    }

    [Fact]
    public void What_is_asked_for_a_kind_brings_it() =>
        Assert.All(
            EventOrigins.All,
            origin =>
            {
                var keywords = origin.Provider == EventOrigins.RuntimeProvider ? (ulong)EventOrigins.Keywords(origin.Kind) : 0;

                Assert.Equal(origin.Kind, EventOrigins.Kinds(origin.Provider, keywords, EventLevel.Verbose, int.MaxValue) & origin.Kind);
                Assert.Equal(EventKinds.None, EventOrigins.Kinds(origin.Provider, keywords, origin.Level - 1, int.MaxValue) & origin.Kind);
                if (origin.FirstVersion > 0)
                    Assert.Equal(
                        EventKinds.None,
                        EventOrigins.Kinds(origin.Provider, keywords, EventLevel.Verbose, origin.FirstVersion - 1) & origin.Kind
                    );
            }
        );

    /// <summary>Recordings enable exceptions by the keyword without events of catch blocks.</summary>
    [Theory]
    [InlineData(RuntimeKeywords.Exception)]
    [InlineData(RuntimeKeywords.Monitoring)]
    public void Either_keyword_brings_exceptions(RuntimeKeywords keyword) =>
        Assert.Equal(EventKinds.Exceptions, EventOrigins.Kinds(EventOrigins.RuntimeProvider, (ulong)keyword, EventLevel.Informational, 10));

    private static EventKinds KindOf<T>()
        where T : struct, ITraceEvent, allows ref struct => T.Kind;

    private sealed class Listener : IEventSubscriber
    {
        public int Switches { get; private set; }

        public int Readied { get; private set; }

        public void Subscribe(EventHub hub)
        {
            hub.Subscribe<SwitchedIn>(OnSwitchedIn);
            hub.Subscribe<ThreadReadied>(OnThreadReadied);
            hub.Subscribe<ExceptionThrown>(OnExceptionThrown, withStack: true);
        }

        private void OnSwitchedIn(in SwitchedIn switched) => Switches++;

        private void OnThreadReadied(in ThreadReadied readied) => Readied++;

        private void OnExceptionThrown(in ExceptionThrown exception) { }
    }

    /// <summary>A source that records its passes; it has one switch and one ready event.</summary>
    private sealed class Source(string name, object files) : ISharedTraceSource
    {
        private readonly List<string> _together = [];

        public string Name => name;

        public TraceClock Clock => new(0, 1000);

        public int ProcessId => name[0] - 'a';

        public EventKinds Kinds => EventKinds.All;

        public EventDetails Details => EventDetails.All;

        public object SharedFiles => files;

        public List<EventKinds> Passes { get; } = [];

        public static IEnumerable<string> Log(IEnumerable<Source> sources) => sources.SelectMany(source => source._together);

        public TraceReadResult Read(EventHub hub) => ReadTogether([(this, hub)])[0];

        public IReadOnlyList<TraceReadResult> ReadTogether(IReadOnlyList<(ITraceSource Source, EventHub Hub)> sources)
        {
            _together.Add(string.Join(' ', sources.Select(item => item.Source.Name)));
            foreach (var (source, hub) in sources)
            {
                ((Source)source).Passes.Add(hub.Wanted);
                hub.Publish(new SwitchedIn(default));
                hub.Publish(new ThreadReadied(default, null));
            }

            return [.. sources.Select(item => new TraceReadResult(1 + item.Source.ProcessId, 0, 0, 0, null))];
        }
    }
}
