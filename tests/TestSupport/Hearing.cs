using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>Lets a part of the analysis hear single events.</summary>
public static class Hearing
{
    /// <summary>Publishes an event to a part alone.</summary>
    public static void Hear<T>(this IEventSubscriber subscriber, in T item)
        where T : struct, ITraceEvent, allows ref struct => EventHub.Of(subscriber).Publish(item);
}
