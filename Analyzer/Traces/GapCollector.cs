namespace EtwSerializerProfiler.Traces;

/// <summary>Collects the gaps of a source while it is read: gaps of several processors or threads that overlap become one.</summary>
public sealed class GapCollector
{
    /// <summary>
    /// With more gaps, neighbours are joined: a source that loses events all the time must not take memory for each loss.
    /// </summary>
    private const int MaxGaps = 8192;

    private readonly List<EventGap> _gaps = [];

    /// <summary>Adds a gap.</summary>
    public void Add(long start, long stop, long lost)
    {
        _gaps.Add(new EventGap(Math.Min(start, stop), stop, lost));
        if (_gaps.Count <= MaxGaps)
            return;
        Join();
        if (_gaps.Count > MaxGaps / 2)
            JoinNeighbours();
    }

    /// <summary>The gaps in order of time, without overlaps.</summary>
    public IReadOnlyList<EventGap> Gaps()
    {
        Join();
        return _gaps.Count == 0 ? [] : [.. _gaps];
    }

    private void Join()
    {
        _gaps.Sort((left, right) => left.StartTicks.CompareTo(right.StartTicks));
        var last = -1;
        foreach (var gap in _gaps.ToArray())
        {
            if (last >= 0 && gap.StartTicks <= _gaps[last].StopTicks)
                _gaps[last] = Union(_gaps[last], gap);
            else
                _gaps[++last] = gap;
        }

        _gaps.RemoveRange(last + 1, _gaps.Count - last - 1);
    }

    private void JoinNeighbours()
    {
        for (var pair = 0; pair < _gaps.Count / 2; pair++)
            _gaps[pair] = Union(_gaps[2 * pair], _gaps[2 * pair + 1]);
        _gaps.RemoveRange(_gaps.Count / 2, _gaps.Count - _gaps.Count / 2 - _gaps.Count % 2);
    }

    private static EventGap Union(EventGap first, EventGap second) =>
        new(first.StartTicks, Math.Max(first.StopTicks, second.StopTicks), first.LostEvents + second.LostEvents);
}
