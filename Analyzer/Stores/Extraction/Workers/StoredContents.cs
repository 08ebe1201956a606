using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>The content of a store when the call began.</summary>
internal sealed class StoredContents
{
    private readonly Dictionary<string, StoredTrace> _byKey = [];
    private readonly Dictionary<string, StoredTrace> _byName = new(StringComparer.Ordinal);
    private readonly List<string> _tables;

    /// <summary>Creates it from the traces of a store.</summary>
    public StoredContents(IReadOnlyList<StoredTrace> traces)
    {
        foreach (var trace in traces)
        {
            _byKey.TryAdd(trace.ContentHash, trace);
            _byName.TryAdd(trace.Name, trace);
        }

        _tables = [.. traces.Select(trace => trace.Tables).Distinct()];
    }

    /// <summary>The stored trace with a name; null for none.</summary>
    public StoredTrace? Named(string name) => _byName.GetValueOrDefault(name);

    /// <summary>All extracts of a content, independent of their tables.</summary>
    public IEnumerable<StoredTrace> With(string digest) =>
        _tables.Select(tables => _byKey.GetValueOrDefault(TraceContent.Key(digest, tables))).OfType<StoredTrace>();
}
