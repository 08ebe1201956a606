using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>Publishes single events to a part of the analysis.</summary>
public static class Hearing
{
    /// <summary>Publishes an event to one subscriber.</summary>
    public static void Hear<T>(this IEventSubscriber subscriber, in T item)
        where T : struct, ITraceEvent, allows ref struct => EventHub.Of(subscriber).Publish(item);
}
