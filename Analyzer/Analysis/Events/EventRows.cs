using System.Runtime.InteropServices;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Sums events by the table row of their run and by a key; the grouping of all event reports.</summary>
/// <typeparam name="TKey">What the events of a row have in common besides their runs' row.</typeparam>
/// <typeparam name="TTally">What is added up.</typeparam>
/// <param name="groups">Rows of runs.</param>
internal sealed class EventRows<TKey, TTally>(Interner<SummaryKey> groups)
    where TKey : struct
    where TTally : class, new()
{
    private readonly Dictionary<(int Group, TKey Key), TTally> _rows = [];

    /// <summary>The sums of a row; allocates only for a new row.</summary>
    public TTally At(int group, TKey key)
    {
        ref var tally = ref CollectionsMarshal.GetValueRefOrAddDefault(_rows, (group, key), out _);
        return tally ??= new TTally();
    }

    /// <summary>All rows, unordered.</summary>
    public IEnumerable<(SummaryKey Runs, TKey Key, TTally Tally)> All =>
        _rows.Select(pair => (groups[pair.Key.Group], pair.Key.Key, pair.Value));
}
