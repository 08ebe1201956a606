namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>
/// What a buffer's own time says: it was written then, so its events are not later. Merged files have system time there, others the session's ticks.
/// </summary>
internal sealed class FlushTimes
{
    /// <summary>FILETIME of 1990-01-01; less is no system time of a trace.</summary>
    private const long FirstFileTime = 122_671_584_000_000_000;

    private readonly EtlTraceHeader _header;
    private readonly TraceClockMap _clock;

    public FlushTimes(EtlTraceHeader header, TraceClockMap clock)
    {
        _header = header;
        _clock = clock;
        Slack = clock.TicksPerSecond / 1000;
    }

    /// <summary>How much later than its earliest record the first record of a buffer may be: 1 ms.</summary>
    public long Slack { get; }

    /// <summary>Whether all events of a buffer are surely earlier than a time of the trace's clock; one second is allowed for clocks that drift.</summary>
    public bool EndsBefore(BufferHeader header, long from)
    {
        return from != long.MinValue && TimeOf(header) is { } time && EtlTime.Add(time, _clock.TicksPerSecond) < from;
    }

    /// <summary>When a buffer was written, on the trace's clock; null when it does not say.</summary>
    public long? TimeOf(BufferHeader header)
    {
        if (header.TimeStamp <= 0)
            return null;
        var ticks = header.TimeStamp >= FirstFileTime && _header.Clock != EtlClock.SystemTime
            ? EtlTime.Add(_header.StartTicks, EtlTime.Scale(EtlTime.Subtract(header.TimeStamp, _header.StartFileTime), _header.TicksPerSecond, TimeSpan.TicksPerSecond))
            : header.TimeStamp;
        return _clock.Convert(ticks);
    }
}
