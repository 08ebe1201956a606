using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>Opens the target of a perf session's records.</summary>
/// <param name="path">Path of the final file.</param>
/// <param name="events">Events with their ids.</param>
/// <param name="features">Description of machine and recording.</param>
/// <param name="tracingData">Description of the tracepoints; empty without tracepoints.</param>
/// <param name="bufferBytes">Maximum size of a single request.</param>
public delegate IPerfRecordSink PerfSinkFactory(
    string path,
    IReadOnlyList<PerfEvent> events,
    PerfDataFeatures features,
    ReadOnlySpan<byte> tracingData,
    int bufferBytes
);

/// <summary>The perf.data file of a recording.</summary>
internal static class PerfDataSink
{
    /// <summary>
    /// Rate up to which records are compressed: that of busy processors with samples of 4 KB. Compressing takes at most 1.5 % of each, and
    /// at most a quarter of the draining thread's time.
    /// </summary>
    private static readonly long s_packedBytesPerSecond = 4_000_000L * Math.Min(Environment.ProcessorCount, 16);

    /// <inheritdoc cref="PerfSinkFactory"/>
    /// <exception cref="IOException">The file exists, or cannot be written.</exception>
    public static IPerfRecordSink Open(
        string path,
        IReadOnlyList<PerfEvent> events,
        PerfDataFeatures features,
        ReadOnlySpan<byte> tracingData,
        int bufferBytes
    ) => new PerfDataWriter(path, events, features, tracingData, bufferBytes, s_packedBytesPerSecond);
}
