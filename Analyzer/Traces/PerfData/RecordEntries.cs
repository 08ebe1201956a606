namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Records of the reader's window, in reading order until sorted. Grows, and is reused without allocation.</summary>
internal sealed class RecordEntries
{
    private RecordEntry[] _entries = new RecordEntry[4096];
    private RecordEntry[] _merged = new RecordEntry[4096];

    /// <summary>Start indexes of ascending runs, for merging.</summary>
    private int[] _runs = new int[64];

    /// <summary>Number of records.</summary>
    public int Count { get; private set; }

    /// <summary>A record.</summary>
    public ref RecordEntry this[int index] => ref _entries[index];

    public void Add(RecordEntry entry)
    {
        if (Count == _entries.Length)
        {
            Array.Resize(ref _entries, Count * 2);
            _merged = new RecordEntry[Count * 2];
        }

        _entries[Count++] = entry;
    }

    /// <summary>Removes the first records.</summary>
    public void RemoveFirst(int count)
    {
        Count -= count;
        Array.Copy(_entries, count, _entries, 0, Count);
    }

    /// <summary>Number of records up to a time; they must be sorted.</summary>
    public int CountUpTo(long time)
    {
        var low = 0;
        var high = Count;
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (_entries[middle].Time <= time)
                low = middle + 1;
            else
                high = middle;
        }

        return low;
    }

    /// <summary>
    /// Merges ascending runs pairwise. A run contains what was read from one CPU's ring at once, so there are few; equal times keep their
    /// order.
    /// </summary>
    public void Sort()
    {
        var runs = 0;
        for (var index = 0; index < Count; index++)
        {
            if (index > 0 && _entries[index].Time >= _entries[index - 1].Time)
                continue;
            if (runs + 1 >= _runs.Length)
                Array.Resize(ref _runs, _runs.Length * 2);
            _runs[runs++] = index;
        }

        while (runs > 1)
        {
            _runs[runs] = Count;
            var merged = 0;
            for (var run = 0; run < runs; run += 2)
            {
                var middle = _runs[Math.Min(run + 1, runs)];
                var end = _runs[Math.Min(run + 2, runs)];
                Merge(_runs[run], middle, end);
                _runs[merged++] = _runs[run];
            }

            (_entries, _merged) = (_merged, _entries);
            runs = merged;
        }
    }

    private void Merge(int left, int middle, int end)
    {
        var right = middle;
        for (var to = left; to < end; to++)
            _merged[to] =
                right >= end || (left < middle && _entries[left].Time <= _entries[right].Time) ? _entries[left++] : _entries[right++];
    }
}
