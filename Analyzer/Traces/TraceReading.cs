namespace EtwSerializerProfiler.Traces;

/// <summary>Answers what several readers want to know of several sources in as few passes over the files as there are files.</summary>
public static class TraceReading
{
    /// <summary>Reads. Several requests to one source are one pass, and so are those to sources that share their files.</summary>
    /// <param name="requests">Who wants what. Those that want nothing only learn about the source itself.</param>
    /// <returns>What the passes found out about each source.</returns>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    public static IReadOnlyDictionary<ITraceSource, TraceReadResult> Read(IEnumerable<TraceRequest> requests)
    {
        ArgumentNullException.ThrowIfNull(requests);
        var results = new Dictionary<ITraceSource, TraceReadResult>();
        var joined = requests.GroupBy(request => request.Source).Select(Join);
        foreach (var group in joined.GroupBy(request => request.Source is ISharedTraceSource shared ? shared.SharedFiles : request.Source))
        {
            if (group.First().Source is not ISharedTraceSource source)
            {
                var only = group.Single();
                results[only.Source] = only.Source.Read(only.Visitor, only.Wanted);
                continue;
            }

            var together = group.ToList();
            var found = source.ReadTogether(together);
            for (var i = 0; i < together.Count; i++)
                results[together[i].Source] = found[i];
        }

        return results;
    }

    private static TraceRequest Join(IGrouping<ITraceSource, TraceRequest> requests)
    {
        var all = requests.ToList();
        return all.Count == 1 ? all[0] : new TraceRequest(requests.Key, new VisitorGroup(all), all.Aggregate(TraceCapabilities.None, (wanted, request) => wanted | request.Wanted));
    }
}
