using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>What a store held when the call began.</summary>
internal sealed class StoredContents
{
    private readonly Dictionary<string, StoredTrace> _byKey = [];
    private readonly Dictionary<string, StoredTrace> _byName = new(StringComparer.Ordinal);
    private readonly List<string> _tables;

    /// <summary>Takes the traces of a store.</summary>
    public StoredContents(IReadOnlyList<StoredTrace> traces)
    {
        foreach (var trace in traces)
        {
            _byKey.TryAdd(trace.ContentHash, trace);
            _byName.TryAdd(trace.Name, trace);
        }

        _tables = [.. traces.Select(trace => trace.Tables).Distinct()];
    }

    /// <summary>What is known under a name; null for nothing.</summary>
    public StoredTrace? Named(string name) => _byName.GetValueOrDefault(name);

    /// <summary>Extracts of a content, into whichever tables.</summary>
    public IEnumerable<StoredTrace> With(string digest) => _tables.Select(tables => _byKey.GetValueOrDefault(TraceContent.Key(digest, tables))).OfType<StoredTrace>();
}
