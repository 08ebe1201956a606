using EtwSerializerProfiler.Etl;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>How <see cref="EtlTraceEventSource"/> opens a trace.</summary>
public sealed record EtlTraceEventSourceOptions
{
    /// <summary>Reads with Windows' own functions (ETWTraceEventSource); on Windows only.</summary>
    public bool UseNativeReader { get; init; }

    /// <summary>
    /// Looks for events that describe themselves (TraceLogging) first, so that TraceEvent knows their names and fields. It costs a pass over the file that
    /// only looks at headers.
    /// </summary>
    public bool DescribeTraceLogging { get; init; } = true;

    /// <summary>Options of the portable reader; null for its defaults.</summary>
    public EtlReadOptions? Reading { get; init; }
}
