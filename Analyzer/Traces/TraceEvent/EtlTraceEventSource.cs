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
/// TraceEvent's parsers throw at damaged payloads, and that ends the processing: leave damaged traces to 'esp-analyze', which goes on behind them. Damaged manifests of event sources, with
/// which TraceEvent would not come to an end, are left out: events 0xFFFE without their data. A dispatcher can be processed once; open the file again for another pass. Files that hold several kinds of sessions (.diagsession, kernel and user
/// session unmerged) are one trace. Damaged buffers are left out; <see cref="EtlReader.Statistics"/> counts and names them, so open the reader yourself
/// and hand it over to know of them.
/// </remarks>
public static class EtlTraceEventSource
{
    /// <summary>Opens a trace.</summary>
    /// <param name="path">.etl, .etl.zip, .zip or .diagsession.</param>
    /// <param name="options">How; null for the portable reader with all events.</param>
    /// <exception cref="EtlFormatException">The file is not an .etl file.</exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    /// <exception cref="PlatformNotSupportedException">The native reader was asked for and this is not Windows.</exception>
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
                : throw new PlatformNotSupportedException("The native reader of .etl files exists only on Windows; leave out UseNativeReader.");
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

        return Open(() => EtlReader.Open(paths, options.Reading), schemas);
    }

    /// <summary>Feeds what <paramref name="reader"/> has not given yet. It is disposed of when all events are processed; events that describe themselves stay undescribed.</summary>
    /// <param name="reader">A reader that was just opened.</param>
    public static TraceEventDispatcher Open(EtlReader reader) => Open(() => reader, new TraceLoggingSchemas());

    private static TraceEventDispatcher Open(Func<EtlReader> open, TraceLoggingSchemas schemas) => new EventRecordFeed(open, schemas, null, null).CreateSource();
}

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
