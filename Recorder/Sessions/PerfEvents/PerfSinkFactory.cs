using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Writing;

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
