using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Address ranges that exist for some time: code that is loaded and freed, files that are mapped over each other. A lookup finds, by binary
/// search, the range that was added last among those that covered the address at that time.
/// </summary>
internal sealed class AddressTimeline
{
    private readonly PagedList<Entry> _entries = new();

    /// <summary>Entries sorted by start, each with the highest end up to it, which shows where a backward search may stop.</summary>
    private int[]? _sorted;
    private ulong[] _maxEnds = [];

    /// <summary>Adds a range that exists from the given time on.</summary>
    /// <returns>Its number, counted from 0; -1 for a range that is empty or beyond the last address, which is not added.</returns>
    public int Add(ulong start, ulong length, long from)
    {
        if (length == 0 || start + length <= start)
            return -1;
        _sorted = null;
        _entries.Add(new Entry(start, start + length, from, long.MaxValue));
        return _entries.Count - 1;
    }

    /// <summary>First address and length of the range with this number.</summary>
    public (ulong Start, ulong Length) Range(int number) => (_entries[number].Start, _entries[number].End - _entries[number].Start);

    /// <summary>Whether the range with this number has not ended so far.</summary>
    public bool IsOpen(int number) => _entries[number].To == long.MaxValue;

    /// <summary>Ends the range with this number, unless it has ended.</summary>
    public void End(int number, long time)
    {
        if (IsOpen(number))
            _entries[number] = _entries[number] with { To = time };
    }

    /// <summary>Ends all open ranges.</summary>
    public void EndAll(long time)
    {
        for (var i = 0; i < _entries.Count; i++)
            End(i, time);
    }

    /// <summary>Looks an address up.</summary>
    /// <param name="address">The address.</param>
    /// <param name="time">Time.</param>
    /// <param name="validFrom">Start of the interval in which the answer holds.</param>
    /// <param name="validTo">End, exclusive.</param>
    /// <returns>Number of the range; -1 when there is none.</returns>
    public int Find(ulong address, long time, out long validFrom, out long validTo)
    {
        var sorted = _sorted ?? Sort();
        var found = -1;
        validFrom = long.MinValue;
        validTo = long.MaxValue;
        var latest = long.MinValue;
        for (var i = LastStartAtOrBefore(sorted, address); i >= 0 && _maxEnds[i] > address; i--)
        {
            ref readonly var entry = ref _entries[sorted[i]];
            if (entry.End <= address)
                continue;
            Narrow(entry.From, time, ref validFrom, ref validTo);
            Narrow(entry.To, time, ref validFrom, ref validTo);
            if (entry.From > time || entry.To <= time || (found >= 0 && entry.From <= latest))
                continue;
            latest = entry.From;
            found = sorted[i];
        }

        return found;
    }

    /// <summary>Whether a range begins at or after <paramref name="start"/> and before <paramref name="end"/>.</summary>
    public bool AnyIn(ulong start, ulong end)
    {
        var sorted = _sorted ?? Sort();
        var last = end == 0 ? -1 : LastStartAtOrBefore(sorted, end - 1);
        return last >= 0 && _entries[sorted[last]].Start >= start;
    }

    private static void Narrow(long edge, long time, ref long from, ref long to)
    {
        if (edge <= time)
            from = Math.Max(from, edge);
        else
            to = Math.Min(to, edge);
    }

    private int LastStartAtOrBefore(int[] sorted, ulong address)
    {
        var low = 0;
        var high = sorted.Length;
        while (low < high)
        {
            var middle = (low + high) >>> 1;
            if (_entries[sorted[middle]].Start <= address)
                low = middle + 1;
            else
                high = middle;
        }

        return low - 1;
    }

    private int[] Sort()
    {
        // Entries with equal starts are sorted by number and searched from the end, so of two ranges with the same start and time the later
        // one wins.
        var sorted = new int[_entries.Count];
        for (var i = 0; i < sorted.Length; i++)
            sorted[i] = i;
        sorted
            .AsSpan()
            .Sort(
                (left, right) =>
                    _entries[left].Start.CompareTo(_entries[right].Start) is not 0 and var order ? order : left.CompareTo(right)
            );
        _maxEnds = new ulong[sorted.Length];
        var maxEnd = 0UL;
        for (var i = 0; i < sorted.Length; i++)
            _maxEnds[i] = maxEnd = Math.Max(maxEnd, _entries[sorted[i]].End);
        return _sorted = sorted;
    }

    private readonly record struct Entry(ulong Start, ulong End, long From, long To);
}
