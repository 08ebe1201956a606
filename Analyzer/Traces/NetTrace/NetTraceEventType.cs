using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.NetTrace.Universal;
using Microsoft.Diagnostics.Tracing.Parsers;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;
using Microsoft.Diagnostics.Tracing.Session;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Description of an event kind: a metadata record of a .nettrace file.</summary>
/// <param name="ProviderName">Name of the provider.</param>
/// <param name="EventId">Id of the event within its provider; 0 if it has none.</param>
/// <param name="Name">Name of the event; empty for runtime events, whose manifest has it.</param>
/// <param name="Version">Version of the payload's layout.</param>
internal sealed record NetTraceEventType(string ProviderName, int EventId, string Name, int Version)
{
    private const string RundownProvider = "Microsoft-Windows-DotNETRuntimeRundown";

    private static readonly Dictionary<string, Guid> s_manifestProviders = new()
    {
        ["Microsoft-Windows-DotNETRuntime"] = ClrTraceEventParser.ProviderGuid,
        [RundownProvider] = ClrRundownTraceEventParser.ProviderGuid,
        ["Microsoft-Windows-DotNETRuntimePrivate"] = ClrPrivateTraceEventParser.ProviderGuid,
        ["Microsoft-DotNETCore-SampleProfiler"] = SampleProfilerEvents.Provider,
        [TplEtwProviderTraceEventParser.ProviderName] = TplEtwProviderTraceEventParser.ProviderGuid,
    };

    /// <summary>Hashes the fields in which most kinds differ; it must be fast because counting looks up each event.</summary>
    public override int GetHashCode() => HashCode.Combine(Provider, EventId, Version, Name.Length);

    /// <summary>Keywords as bits.</summary>
    public long Keywords { get; init; }

    /// <summary>Level: 1 critical to 5 verbose, 0 always.</summary>
    public int Level { get; init; }

    /// <summary>Opcode, if the file has it; the manifest has those of runtime events.</summary>
    public int Opcode { get; init; }

    /// <summary>Names and types of its fields.</summary>
    public EventFields Fields { get; init; }

    /// <summary>Its kind among the events of a whole machine, if any.</summary>
    public UniversalEventKind Universal { get; } = UniversalEventKinds.Of(ProviderName, Name);

    /// <summary>Whether it lists existing items, so that its time is not that of their creation.</summary>
    public bool IsRundown { get; } = ProviderName == RundownProvider;

    /// <summary>Whether it describes the recorded process: EventPipe writes it when a session ends.</summary>
    public bool IsProcessInfo { get; } = Name == ProcessPayload.ProcessInfo && ProviderName == ProcessPayload.EventPipeProvider;

    /// <summary>
    /// Id of the provider, of which the files only have the name. Manifests have those of the runtime (that of the sample profiler is in
    /// ep-sample-profiler.c of dotnet/runtime); the rule for event sources gives the others.
    /// </summary>
    public Guid Provider { get; init; } =
        s_manifestProviders.TryGetValue(ProviderName, out var id) ? id : TraceEventProviders.GetEventSourceGuidFromName(ProviderName);
}
