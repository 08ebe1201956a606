namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>Samples that wait, in the order in which they began to; any can leave at once.</summary>
internal sealed class PendingSamples
{
    private PendingSample? _last;

    /// <summary>The one that has waited longest; null when there is none.</summary>
    public PendingSample? First { get; private set; }

    /// <summary>How many wait.</summary>
    public int Count { get; private set; }

    /// <summary>Adds one behind the others.</summary>
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

    /// <summary>Takes one out.</summary>
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
