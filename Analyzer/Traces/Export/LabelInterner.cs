using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>Numbers the distinct activities of events between two sequence points, as lists of labels.</summary>
internal sealed class LabelInterner
{
    // Kinds of labels; the highest bit ends a list.
    private const int Activity = 1;
    private const int Related = 2;
    private const int IsLast = 0x80;

    private readonly Dictionary<(Guid Activity, Guid Related), int> _numbers = [];
    private readonly BlockBuffer _pending = new(4096);

    /// <summary>Number of the first unwritten list.</summary>
    public int FirstPending { get; private set; } = 1;

    /// <summary>Number of unwritten lists.</summary>
    public int PendingCount => _numbers.Count + 1 - FirstPending;

    /// <summary>The number of an event's labels; 0 for none.</summary>
    public int GetOrAdd(Guid activity, Guid related)
    {
        if (activity == Guid.Empty && related == Guid.Empty)
            return 0;
        ref var number = ref CollectionsMarshal.GetValueRefOrAddDefault(_numbers, (activity, related), out var isKnown);
        if (isKnown)
            return number;
        if (PendingCount == 1)
            _pending.Clear();
        if (activity != Guid.Empty)
        {
            _pending.Byte(related == Guid.Empty ? Activity | IsLast : Activity);
            _pending.Guid(activity);
        }

        if (related != Guid.Empty)
        {
            _pending.Byte(Related | IsLast);
            _pending.Guid(related);
        }

        return number = _numbers.Count;
    }

    /// <summary>The unwritten lists; valid until the next is added.</summary>
    public ReadOnlySpan<byte> TakePending()
    {
        FirstPending = _numbers.Count + 1;
        return _pending.Written;
    }

    /// <summary>Removes all.</summary>
    public void Clear()
    {
        _numbers.Clear();
        _pending.Clear();
        FirstPending = 1;
    }
}
