using System.Diagnostics.Tracing;
using System.Text;
using EtwSerializerProfiler.Marks;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.EventPipe;
using Microsoft.Diagnostics.Tracing.Parsers;
using Microsoft.Diagnostics.Tracing.Parsers.AspNet;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;
using Microsoft.Diagnostics.Tracing.Parsers.Kernel;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>The parsers of well-known providers that ship with TraceEvent (TraceLog knows the same), and our own marks.</summary>
public static class StandardParsers
{
    /// <summary>
    /// Manifest of the run marks as XML text, because TraceEvent's <see cref="ProviderManifest"/> parses itself lazily and is not
    /// thread-safe.
    /// </summary>
    private static readonly Lazy<byte[]> s_runs = new(() =>
        Encoding.UTF8.GetBytes(
            EventSource.GenerateManifest(typeof(RunEventSource), null)
                ?? throw new NotSupportedException("This build has no EventSource, so run marks have no names.")
        )
    );

    /// <summary>Registers the events of these providers by name with a source.</summary>
    public static void AddTo(TraceEventDispatcher source)
    {
        ArgumentNullException.ThrowIfNull(source);
        // A parser describes only events with a subscriber.
        source.Kernel.All += Ignore;
        source.Clr.All += Ignore;
        new ClrRundownTraceEventParser(source).All += Ignore;
        new ClrStressTraceEventParser(source).All += Ignore;
        new ClrPrivateTraceEventParser(source).All += Ignore;
        new JScriptTraceEventParser(source).All += Ignore;
        new JSDumpHeapTraceEventParser(source).All += Ignore;
        new AspNetTraceEventParser(source).All += Ignore;
        new TplEtwProviderTraceEventParser(source).All += Ignore;
        new SymbolTraceEventParser(source).All += Ignore;
        new HeapTraceProviderTraceEventParser(source).All += Ignore;
        new MicrosoftWindowsKernelFileTraceEventParser(source).All += Ignore;
        new IisTraceEventParser(source).All += Ignore;
        new WpfTraceEventParser(source).All += Ignore;
        new ApplicationServerTraceEventParser(source).All += Ignore;
        using var runs = new MemoryStream(s_runs.Value);
        source.Dynamic.AddDynamicProvider(new ProviderManifest(runs));
        source.Dynamic.All += Ignore;
    }

    /// <summary>Registers these events and EventPipe's own with an EventPipe source.</summary>
    public static void AddTo(EventPipeEventSource source)
    {
        ArgumentNullException.ThrowIfNull(source);
        AddTo((TraceEventDispatcher)source);

        // Registered before the dynamic parser, these would keep it from naming events.
        new SampleProfilerTraceEventParser(source).All += Ignore;
        new UniversalSystemTraceEventParser(source).All += Ignore;
        new UniversalEventsTraceEventParser(source).All += Ignore;
    }

    private static void Ignore(Microsoft.Diagnostics.Tracing.TraceEvent data) { }
}
