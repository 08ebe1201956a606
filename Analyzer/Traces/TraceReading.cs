using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces;

/// <summary>Answers the requests of several readers to several sources in as few passes over the files as there are files.</summary>
public static class TraceReading
{
    /// <summary>Reads. Several requests to one source are one pass, and so are those to sources that share their files.</summary>
    /// <param name="requests">Who wants what; those who come first hear an event first.</param>
    /// <returns>What the passes found out about each source.</returns>
    /// <exception cref="IOException">A file became unreadable.</exception>
    public static IReadOnlyDictionary<ITraceSource, TraceReadResult> Read(IEnumerable<TraceRequest> requests)
    {
        ArgumentNullException.ThrowIfNull(requests);
        var results = new Dictionary<ITraceSource, TraceReadResult>();
        var joined = requests
            .GroupBy(request => request.Source)
            .Select((group, index) => (Source: group.Key, Hub: Join(group), Index: index));

        // A file of several sources comes after all that stands before any of them: what a process says of itself before what its kernel
        // events cost.
        foreach (
            var group in joined
                .GroupBy(pass => pass.Source is ISharedTraceSource shared ? shared.SharedFiles : pass.Source)
                .OrderBy(group => group.Last().Index)
        )
        {
            if (group.First().Source is not ISharedTraceSource source)
            {
                var only = group.Single();
                results[only.Source] = only.Source.Read(only.Hub);
                continue;
            }

            var together = group.Select(pass => (pass.Source, pass.Hub)).ToList();
            var found = source.ReadTogether(together);
            for (var i = 0; i < together.Count; i++)
                results[together[i].Source] = found[i];
        }

        return results;
    }

    /// <summary>Reads a source from begin to end for one subscriber.</summary>
    /// <param name="source">The source.</param>
    /// <param name="subscriber">Receives the events it subscribed to.</param>
    /// <param name="kinds">Kinds of events it is to hear.</param>
    /// <exception cref="IOException">The file became unreadable.</exception>
    public static TraceReadResult Read(this ITraceSource source, IEventSubscriber subscriber, EventKinds kinds = EventKinds.All)
    {
        ArgumentNullException.ThrowIfNull(source);
        return source.Read(EventHub.Of(subscriber, kinds));
    }

    private static EventHub Join(IEnumerable<TraceRequest> requests)
    {
        var hub = new EventHub();
        foreach (var request in requests)
        {
            if (request.Subscriber is { } subscriber)
                hub.Add(subscriber, request.Kinds);
        }

        return hub;
    }
}
