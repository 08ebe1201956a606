using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>Opens what takes a perf session's records.</summary>
/// <param name="path">Path of the file that is to hold them in the end.</param>
/// <param name="events">Events with their ids.</param>
/// <param name="features">What to say of machine and recording.</param>
/// <param name="tracingData">Description of the tracepoints, empty without tracepoints.</param>
/// <param name="bufferBytes">Largest part that is asked for at once.</param>
public delegate IPerfRecordSink PerfSinkFactory(string path, IReadOnlyList<PerfEvent> events, PerfDataFeatures features, ReadOnlySpan<byte> tracingData, int bufferBytes);
