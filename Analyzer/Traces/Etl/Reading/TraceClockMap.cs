namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>Converts times of one file to the trace's clock, which is that of the file that began first.</summary>
/// <remarks>
/// Files of one boot with the performance counter share its ticks. Files with different clocks or boots are aligned by their start times in
/// UTC.
/// </remarks>
internal sealed class TraceClockMap
{
    private readonly bool _same;
    private readonly long _fileStart;
    private readonly long _fileFrequency;
    private readonly long _traceStart;
    private readonly long _traceFrequency;

    public TraceClockMap(EtlTraceHeader file, EtlTraceHeader trace)
    {
        var offset = EtlTime.Scale(
            EtlTime.Subtract(file.StartFileTime, trace.StartFileTime),
            trace.TicksPerSecond,
            TimeSpan.TicksPerSecond
        );
        _fileStart = file.StartTicks;
        _fileFrequency = file.TicksPerSecond;
        _traceStart = EtlTime.Add(trace.StartTicks, offset);
        _traceFrequency = trace.TicksPerSecond;
        // The same clock in the same boot: equal boot times, or start times that differ by at most a second in both representations.
        _same =
            ReferenceEquals(file, trace)
            || (
                Normal(file.Clock) == Normal(trace.Clock)
                && _fileFrequency == _traceFrequency
                && (
                    (file.BootTimeUtc is { } boot && boot == trace.BootTimeUtc)
                    || Math.Abs((double)EtlTime.Subtract(_fileStart, _traceStart)) <= _traceFrequency
                )
            );
        Start = Convert(file.StartTicks);
    }

    /// <summary>The file's start on the trace's clock.</summary>
    public long Start { get; }

    /// <summary>Ticks of the trace's clock per second.</summary>
    public long TicksPerSecond => _traceFrequency;

    public long Convert(long ticks) => _same ? ticks : ConvertOther(ticks);

    private long ConvertOther(long ticks) =>
        EtlTime.Add(_traceStart, EtlTime.Scale(EtlTime.Subtract(ticks, _fileStart), _traceFrequency, _fileFrequency));

    private static EtlClock Normal(EtlClock clock) => clock == EtlClock.Unspecified ? EtlClock.PerformanceCounter : clock;
}
