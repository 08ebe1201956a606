namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>CPU time of a thread between two of its samples, by its switches, in ns.</summary>
internal sealed class OnCpuClock
{
    private readonly List<long> _gaps = [];

    private long _switchedIn = -1;
    private long _lastSample;

    /// <summary>CPU time since the last sample, up to the last switch-out.</summary>
    private long _sinceSample;

    public long MedianGap => _gaps.Order().ElementAt(_gaps.Count / 2);

    public void Switch(long time, bool isOut)
    {
        if (isOut && _switchedIn >= 0)
            _sinceSample += time - Math.Max(_switchedIn, _lastSample);
        _switchedIn = isOut ? -1 : time;
    }

    public void Sample(long time)
    {
        if (_switchedIn >= 0)
            _gaps.Add(_sinceSample + time - Math.Max(_switchedIn, _lastSample));
        (_sinceSample, _lastSample) = (0, time);
    }
}
