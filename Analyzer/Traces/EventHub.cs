using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces;

/// <summary>Handles an event; a view in it is valid during the call.</summary>
public delegate void EventAction<T>(in T item)
    where T : struct, ITraceEvent, allows ref struct;

/// <summary>A part of the analysis that handles events.</summary>
public interface IEventSubscriber
{
    /// <summary>Subscribes to all events that it handles. Called for each source that it is read from, and once to learn the kinds.</summary>
    void Subscribe(EventHub hub);
}

/// <summary>
/// Passes the events of one pass over a source on to those that subscribed to their type, in the order of their subscriptions. Publishing allocates nothing; an event that nobody
/// subscribed to costs a load and a branch.
/// </summary>
public sealed class EventHub
{
    /// <summary>More than there are types of events; a test counts them.</summary>
    internal const int MaxTypes = 64;

    /// <summary>Types that have a slot so far.</summary>
    private static int s_types;

    private Handlers _handlers;

    /// <summary>Kinds that the part which subscribes now may hear.</summary>
    private EventKinds _offered = EventKinds.All;

    private EventKinds _subscribed;

    /// <summary>Kinds that are looked for and have not come yet.</summary>
    private EventKinds _missing;

    /// <summary>Kinds of the events that are wanted; decoders need not read others.</summary>
    public EventKinds Wanted => _subscribed | _missing;

    /// <summary>Whether any subscriber wants the stacks of the runtime's events.</summary>
    public bool WantsStacks { get; private set; }

    /// <summary>The kinds a part subscribes to.</summary>
    public static EventKinds KindsOf(IEventSubscriber subscriber) => Of(subscriber).Wanted;

    /// <summary>A hub with one part.</summary>
    /// <param name="subscriber">The part.</param>
    /// <param name="offered">Kinds of events it is to hear; its subscriptions to others do not count.</param>
    public static EventHub Of(IEventSubscriber subscriber, EventKinds offered = EventKinds.All)
    {
        var hub = new EventHub();
        hub.Add(subscriber, offered);
        return hub;
    }

    /// <summary>A hub that only finds out which kinds of events a source has: each kind is wanted until its first event came.</summary>
    public static EventHub LookingForKinds() => new() { _missing = EventKinds.All };

    /// <summary>Of <see cref="LookingForKinds"/>: kinds whose events came.</summary>
    public EventKinds Seen => EventKinds.All & ~_missing;

    /// <summary>Of <see cref="LookingForKinds"/>: a kind is recorded, even if none of its events is passed on.</summary>
    public void Recorded(EventKinds kind) => _missing &= ~kind;

    /// <summary>Adds a part.</summary>
    /// <param name="subscriber">The part.</param>
    /// <param name="offered">Kinds of events it is to hear; its subscriptions to others do not count.</param>
    public void Add(IEventSubscriber subscriber, EventKinds offered = EventKinds.All)
    {
        ArgumentNullException.ThrowIfNull(subscriber);
        _offered = offered;
        subscriber.Subscribe(this);
        _offered = EventKinds.All;
    }

    /// <summary>Adds a handler after those that were added before.</summary>
    /// <param name="handler">Receives the events.</param>
    /// <param name="withStack">Whether it uses their stacks, which cost time to find.</param>
    public void Subscribe<T>(EventAction<T> handler, bool withStack = false)
        where T : struct, ITraceEvent, allows ref struct
    {
        if ((T.Kind & _offered) == 0)
            return;
        _subscribed |= T.Kind;
        WantsStacks |= withStack;
        _handlers[Slot<T>.Index] = Delegate.Combine(_handlers[Slot<T>.Index], handler);
    }

    /// <summary>Whether anybody wants events of this type: others need not be decoded.</summary>
    public bool Wants<T>()
        where T : struct, ITraceEvent, allows ref struct => _handlers[Slot<T>.Index] is not null || (T.ShowsKind && (_missing & T.Kind) != 0);

    /// <summary>Passes an event on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Publish<T>(in T item)
        where T : struct, ITraceEvent, allows ref struct
    {
        if (_handlers[Slot<T>.Index] is { } handlers)
            Unsafe.As<EventAction<T>>(handlers)(in item);
        else if (T.ShowsKind)
            _missing &= ~T.Kind;
    }

    /// <summary>The place of a type's handlers: a constant once the code that asks for it is optimized.</summary>
    private static class Slot<T>
        where T : struct, ITraceEvent, allows ref struct
    {
        public static readonly int Index = Interlocked.Increment(ref s_types) - 1;
    }

    /// <summary>By type: its handlers, null when it has none.</summary>
    [InlineArray(MaxTypes)]
    private struct Handlers
    {
        private Delegate? _first;
    }
}
