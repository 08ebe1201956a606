using EtwSerializerProfiler.Etl;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>Opens .etl files for TraceEvent on every system: all of its parsers work on the dispatcher, and TraceLog converts it.</summary>
/// <remarks>
/// <code>
/// using var source = EtlTraceEventSource.Open("trace.etl.zip");
/// source.Kernel.PerfInfoSample += sample => …;
/// source.Process();
/// </code>
/// TraceEvent's parsers throw on damaged payloads, which ends the processing; use 'esp-analyze' for damaged traces, which continues after
/// them. Damaged manifests of event sources, with which TraceEvent would not terminate, are omitted: events 0xFFFE without their data. A
/// dispatcher can be processed once; open the file again for another pass. Files that hold several kinds of sessions (.diagsession, kernel
/// and user session unmerged) are one trace. Damaged buffers are omitted; <see cref="EtlReader.Statistics"/> counts and names them, so to
/// learn of them open the reader yourself and pass it in.
/// </remarks>
public static class EtlTraceEventSource
{
    /// <summary>Opens a trace.</summary>
    /// <param name="path">.etl, .etl.zip, .zip or .diagsession.</param>
    /// <param name="options">Options; null for the portable reader with all events.</param>
    /// <exception cref="EtlFormatException">The file is not an .etl file.</exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    /// <exception cref="PlatformNotSupportedException">The native reader was requested on a system other than Windows.</exception>
    public static TraceEventDispatcher Open(string path, EtlTraceEventSourceOptions? options = null) => Open([path], options);

    /// <summary>Opens several files of one session as one trace.</summary>
    /// <inheritdoc cref="Open(string, EtlTraceEventSourceOptions)"/>
    public static TraceEventDispatcher Open(IReadOnlyList<string> paths, EtlTraceEventSourceOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(paths);
        options ??= new EtlTraceEventSourceOptions();
        if (options.UseNativeReader)
        {
            return OperatingSystem.IsWindows()
                ? new ETWTraceEventSource(paths, TraceEventSourceType.MergeAll)
                : throw new PlatformNotSupportedException(
                    "The native reader of .etl files exists only on Windows; leave out UseNativeReader."
                );
        }

        var schemas = new TraceLoggingSchemas();
        if (options.DescribeTraceLogging)
        {
            using var scan = EtlReader.Open(paths, options.Reading);
            while (scan.TryRead(out var item))
            {
                if (item.ExtendedData.Length > 0)
                    EventRecordBlock.Describe(item, schemas);
            }
        }

        return Open(EtlReader.Open(paths, options.Reading), schemas);
    }

    /// <summary>
    /// Feeds the remaining events of <paramref name="reader"/>, which is disposed after all events are processed; self-describing events
    /// have no names.
    /// </summary>
    /// <param name="reader">A newly opened reader.</param>
    public static TraceEventDispatcher Open(EtlReader reader) => Open(reader, new TraceLoggingSchemas());

    private static TraceEventDispatcher Open(EtlReader reader, TraceLoggingSchemas schemas) =>
        new EventRecordFeed(reader, schemas, null, null).CreateSource();
}

/// <summary>How <see cref="EtlTraceEventSource"/> opens a trace.</summary>
public sealed record EtlTraceEventSourceOptions
{
    /// <summary>Reads with Windows' own functions (ETWTraceEventSource); only on Windows.</summary>
    public bool UseNativeReader { get; init; }

    /// <summary>
    /// Finds self-describing events (TraceLogging) first, so that TraceEvent knows their names and fields. This costs a pass over the file
    /// that reads only headers.
    /// </summary>
    public bool DescribeTraceLogging { get; init; } = true;

    /// <summary>Options of the portable reader; null for its defaults.</summary>
    public EtlReadOptions? Reading { get; init; }
}
