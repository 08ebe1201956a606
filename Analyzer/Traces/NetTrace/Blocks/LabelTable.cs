using EtwSerializerProfiler.Traces.Clr;

namespace EtwSerializerProfiler.Traces.NetTrace.Blocks;

/// <summary>Label lists between two sequence points by id, and the event kinds that they change.</summary>
internal sealed class LabelTable
{
    private readonly Dictionary<uint, EventLabels> _lists = [];

    /// <summary>An event kind with the labels that change it; one object for equal ones, so that counting by kind stays fast.</summary>
    private readonly Dictionary<NetTraceEventType, NetTraceEventType> _overridden = [];

    /// <summary>Labels with an id; null for none.</summary>
    public EventLabels? Find(uint number) => number == 0 ? null : _lists.GetValueOrDefault(number);

    /// <summary>The kind of an event with its labels.</summary>
    public NetTraceEventType TypeOf(NetTraceEventType type, EventLabels? labels)
    {
        if (labels is not { Overrides: true })
            return type;
        var changed = labels.Override(type);
        if (!_overridden.TryGetValue(changed, out var known))
            _overridden.Add(changed, known = changed);
        return known;
    }

    /// <summary>Adds the lists of a block: u32 id of the first, u32 count, then the lists.</summary>
    /// <returns>False when the block is damaged.</returns>
    public bool TryAdd(ReadOnlySpan<byte> block)
    {
        var reader = new PayloadReader(block);
        var (number, count) = ((uint)reader.Int32(), (uint)reader.Int32());
        for (; count > 0 && reader.Fits; count--)
        {
            if (!EventLabels.TryRead(ref reader, out var labels))
                return false;
            if (labels is null)
                return true; // a kind of a later version: the rest of the block is unreadable, but other blocks are readable
            _lists[number++] = labels;
        }

        return reader.Fits;
    }

    /// <summary>Clears the lists at a sequence point.</summary>
    public void Clear() => _lists.Clear();
}
