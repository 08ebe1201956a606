namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>Wanted range of time in the trace's ticks, both ends included.</summary>
internal readonly record struct TraceRange(long From, long To)
{
    public static TraceRange All { get; } = new(long.MinValue, long.MaxValue);

    public bool Contains(long time) => time >= From && time <= To;
}
