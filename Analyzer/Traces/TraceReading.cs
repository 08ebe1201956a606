using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces;

/// <summary>Serves the requests of several subscribers to several sources with one pass over each file.</summary>
public static class TraceReading
{
    /// <summary>Reads all sources. Requests to one source share a pass, and so do those to sources that share their files.</summary>
    /// <param name="requests">The requests; subscribers of earlier ones receive an event first.</param>
    /// <returns>What the passes found out about each source.</returns>
    /// <exception cref="IOException">A file became unreadable.</exception>
    public static IReadOnlyDictionary<ITraceSource, TraceReadResult> Read(IEnumerable<TraceRequest> requests)
    {
        ArgumentNullException.ThrowIfNull(requests);
        var results = new Dictionary<ITraceSource, TraceReadResult>();
        var joined = requests
            .GroupBy(request => request.Source)
            .Select((group, index) => (Source: group.Key, Hub: Join(group), Index: index));

        // A file of several sources is read after all files that precede any of them: the marks of each process must be known before its
        // kernel events are attributed.
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

    /// <summary>Reads a whole source for one subscriber.</summary>
    /// <param name="source">The source.</param>
    /// <param name="subscriber">Receives the events it subscribed to.</param>
    /// <param name="kinds">Kinds of events to read.</param>
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
