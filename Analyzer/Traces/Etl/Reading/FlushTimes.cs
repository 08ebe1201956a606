namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>
/// Interprets a buffer's time of writing, after which it has no events. Merged files have system time there, others the session's ticks.
/// </summary>
internal sealed class FlushTimes
{
    /// <summary>FILETIME of 1990-01-01; a smaller value is not the system time of a trace.</summary>
    private const long FirstFileTime = 122_671_584_000_000_000;

    private readonly EtlTraceHeader _header;
    private readonly TraceClockMap _clock;

    public FlushTimes(EtlTraceHeader header, TraceClockMap clock)
    {
        _header = header;
        _clock = clock;
        Slack = clock.TicksPerSecond / 1000;
    }

    /// <summary>Maximum time by which a buffer's first record may be later than its earliest: 1 ms.</summary>
    public long Slack { get; }

    /// <summary>
    /// Whether all events of a buffer are certainly earlier than a time of the trace's clock; allows one second for clock drift.
    /// </summary>
    public bool EndsBefore(BufferHeader header, long from)
    {
        return from != long.MinValue && TimeOf(header) is { } time && EtlTime.Add(time, _clock.TicksPerSecond) < from;
    }

    /// <summary>Time of writing on the trace's clock; null when unknown.</summary>
    public long? TimeOf(BufferHeader header)
    {
        if (header.TimeStamp <= 0)
            return null;
        var ticks =
            header.TimeStamp >= FirstFileTime && _header.Clock != EtlClock.SystemTime
                ? EtlTime.Add(
                    _header.StartTicks,
                    EtlTime.Scale(
                        EtlTime.Subtract(header.TimeStamp, _header.StartFileTime),
                        _header.TicksPerSecond,
                        TimeSpan.TicksPerSecond
                    )
                )
                : header.TimeStamp;
        return _clock.Convert(ticks);
    }
}
