using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces;

/// <summary>Handles an event; views in it are valid during the call.</summary>
public delegate void EventAction<T>(in T item)
    where T : struct, ITraceEvent, allows ref struct;

/// <summary>A part of the analysis that handles events.</summary>
public interface IEventSubscriber
{
    /// <summary>Subscribes to all events that it handles. Called for each of its sources, and once to find the kinds.</summary>
    void Subscribe(EventHub hub);
}

/// <summary>
/// Delivers the events of one pass over a source to the subscribers of their type, in subscription order. Publishing allocates nothing; an
/// event without subscribers costs a load and a branch.
/// </summary>
public sealed class EventHub
{
    /// <summary>Upper limit of event types; a test counts them.</summary>
    internal const int MaxTypes = 64;

    /// <summary>Number of types with a slot so far.</summary>
    private static int s_types;

    private Handlers _handlers;

    /// <summary>Kinds that the current subscriber may receive.</summary>
    private EventKinds _offered = EventKinds.All;

    private EventKinds _subscribed;

    /// <summary>Kinds to look for that have not come yet.</summary>
    private EventKinds _missing;

    /// <summary>Kinds of wanted events; decoders need not read others.</summary>
    public EventKinds Wanted => _subscribed | _missing;

    /// <summary>Whether any subscriber needs the stacks of runtime events.</summary>
    public bool WantsStacks { get; private set; }

    /// <summary>Decoders read names of code from it, which repeat; set by a subscriber that keeps them.</summary>
    public TextPool Texts
    {
        get => field ??= new TextPool();
        set;
    }

    /// <summary>The kinds to which a part subscribes.</summary>
    public static EventKinds KindsOf(IEventSubscriber subscriber) => Of(subscriber).Wanted;

    /// <summary>Creates a hub with one part.</summary>
    /// <param name="subscriber">The part.</param>
    /// <param name="offered">Kinds that it may receive; its subscriptions to others are ignored.</param>
    public static EventHub Of(IEventSubscriber subscriber, EventKinds offered = EventKinds.All)
    {
        var hub = new EventHub();
        hub.Add(subscriber, offered);
        return hub;
    }

    /// <summary>Creates a hub that only finds the event kinds of a source: each kind is wanted until its first event.</summary>
    public static EventHub LookingForKinds() => new() { _missing = EventKinds.All };

    /// <summary>For <see cref="LookingForKinds"/>: kinds with events.</summary>
    public EventKinds Seen => EventKinds.All & ~_missing;

    /// <summary>For <see cref="LookingForKinds"/>: marks a kind as recorded, even if none of its events is published.</summary>
    public void Recorded(EventKinds kind) => _missing &= ~kind;

    /// <summary>Adds a part.</summary>
    /// <param name="subscriber">The part.</param>
    /// <param name="offered">Kinds that it may receive; its subscriptions to others are ignored.</param>
    public void Add(IEventSubscriber subscriber, EventKinds offered = EventKinds.All)
    {
        ArgumentNullException.ThrowIfNull(subscriber);
        _offered = offered;
        subscriber.Subscribe(this);
        _offered = EventKinds.All;
    }

    /// <summary>Adds a handler after the existing ones.</summary>
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

    /// <summary>Whether any subscriber wants events of this type; others need not be decoded.</summary>
    public bool Wants<T>()
        where T : struct, ITraceEvent, allows ref struct =>
        _handlers[Slot<T>.Index] is not null || (T.ShowsKind && (_missing & T.Kind) != 0);

    /// <summary>Delivers an event.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Publish<T>(in T item)
        where T : struct, ITraceEvent, allows ref struct
    {
        if (_handlers[Slot<T>.Index] is { } handlers)
            Unsafe.As<EventAction<T>>(handlers)(in item);
        else if (T.ShowsKind)
            _missing &= ~T.Kind;
    }

    /// <summary>Index of a type's handlers; a constant in optimized code.</summary>
    private static class Slot<T>
        where T : struct, ITraceEvent, allows ref struct
    {
        public static readonly int Index = Interlocked.Increment(ref s_types) - 1;
    }

    /// <summary>Handlers by type; null for none.</summary>
    [InlineArray(MaxTypes)]
    private struct Handlers
    {
        private Delegate? _first;
    }
}
