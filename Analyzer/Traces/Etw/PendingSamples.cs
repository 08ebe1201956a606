namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>Waiting samples in order of arrival; any can be removed.</summary>
internal sealed class PendingSamples
{
    private PendingSample? _last;

    /// <summary>The oldest one; null when empty.</summary>
    public PendingSample? First { get; private set; }

    /// <summary>Number of samples.</summary>
    public int Count { get; private set; }

    /// <summary>Appends a sample.</summary>
    public void Add(PendingSample sample)
    {
        sample.Waiting = this;
        sample.Previous = _last;
        if (_last is null)
            First = sample;
        else
            _last.Next = sample;
        _last = sample;
        Count++;
    }

    /// <summary>Removes a sample.</summary>
    public void Remove(PendingSample sample)
    {
        if (sample.Previous is null)
            First = sample.Next;
        else
            sample.Previous.Next = sample.Next;
        if (sample.Next is null)
            _last = sample.Previous;
        else
            sample.Next.Previous = sample.Previous;
        sample.Previous = sample.Next = null;
        sample.Waiting = null;
        Count--;
    }
}
