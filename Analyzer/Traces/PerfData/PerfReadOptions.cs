namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>How to read a perf.data file.</summary>
public sealed record PerfReadOptions
{
    /// <summary>Order of the records.</summary>
    public PerfRecordOrder Order { get; init; } = PerfRecordOrder.Time;

    /// <summary>
    /// Most bytes kept back to put records in order, at least 1 MiB. Two rounds of the recorder must fit, else records may come late; they are counted.
    /// The reader needs about three times as much memory at worst.
    /// </summary>
    public int WindowBytes { get; init; } = 64 << 20;
}
