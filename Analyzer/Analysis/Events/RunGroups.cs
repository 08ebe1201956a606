using System.Runtime.InteropServices;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Rows of the table that the runs of a report belong to, by number; the same for all processes.</summary>
internal sealed class RunGroups
{
    private readonly Dictionary<SummaryKey, int> _numbers = [];
    private readonly List<SummaryKey> _keys = [];

    /// <summary>The key of a number.</summary>
    public SummaryKey this[int number] => _keys[number];

    /// <summary>The number of a key.</summary>
    public int NumberOf(SummaryKey key)
    {
        ref var number = ref CollectionsMarshal.GetValueRefOrAddDefault(_numbers, key, out var known);
        if (!known)
        {
            number = _keys.Count;
            _keys.Add(key);
        }

        return number;
    }
}
