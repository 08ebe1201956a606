using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;
using Microsoft.Diagnostics.Tracing.Parsers.AspNet;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;
using Microsoft.Diagnostics.Tracing.Parsers.Kernel;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>The parsers of well-known providers that ship with TraceEvent; TraceLog knows the same.</summary>
public static class StandardParsers
{
    /// <summary>Lets a source know the events of these providers by name.</summary>
    public static void AddTo(TraceEventDispatcher source)
    {
        ArgumentNullException.ThrowIfNull(source);
        _ = source.Kernel;
        _ = source.Clr;
        _ = new ClrRundownTraceEventParser(source);
        _ = new ClrStressTraceEventParser(source);
        _ = new ClrPrivateTraceEventParser(source);
        _ = new JScriptTraceEventParser(source);
        _ = new JSDumpHeapTraceEventParser(source);
        _ = new AspNetTraceEventParser(source);
        _ = new TplEtwProviderTraceEventParser(source);
        _ = new SymbolTraceEventParser(source);
        _ = new HeapTraceProviderTraceEventParser(source);
        _ = new MicrosoftWindowsKernelFileTraceEventParser(source);
        _ = new IisTraceEventParser(source);
        _ = new WpfTraceEventParser(source);
        _ = new ApplicationServerTraceEventParser(source);
        _ = source.Dynamic;
    }
}
