using EtwSerializerProfiler.Traces.Clr;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>The lists of labels between two sequence points, by their numbers, and the kinds of events that they change.</summary>
internal sealed class LabelTable
{
    private readonly Dictionary<uint, EventLabels> _lists = [];

    /// <summary>A kind of event with the labels that change it; one object for equal ones, so that counting by kind stays cheap.</summary>
    private readonly Dictionary<NetTraceEventType, NetTraceEventType> _overridden = [];

    /// <summary>Labels of a number; null for none.</summary>
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

    /// <summary>Adds the lists of a block: u32 number of the first, u32 count, then the lists.</summary>
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
                return true; // a kind of a later version: the rest of the block cannot be read, but all other blocks can
            _lists[number++] = labels;
        }

        return reader.Fits;
    }

    /// <summary>Forgets all: a sequence point.</summary>
    public void Clear() => _lists.Clear();
}
