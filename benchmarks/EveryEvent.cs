using System.Reflection;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>Subscribes to every event with its stack and ignores it, so that all are decoded.</summary>
internal sealed class EveryEvent : IEventSubscriber
{
    private static readonly MethodInfo s_subscribe = typeof(EveryEvent).GetMethod(
        nameof(SubscribeTo),
        BindingFlags.NonPublic | BindingFlags.Static
    )!;

    public void Subscribe(EventHub hub)
    {
        foreach (
            var type in typeof(ITraceEvent).Assembly.GetTypes().Where(type => type.IsValueType && type.IsAssignableTo(typeof(ITraceEvent)))
        )
            s_subscribe.MakeGenericMethod(type).Invoke(null, [hub]);
    }

    private static void SubscribeTo<T>(EventHub hub)
        where T : struct, ITraceEvent, allows ref struct => hub.Subscribe((in T _) => { }, withStack: true);
}
