using EtwSerializerProfiler.Traces.NetTrace;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Determines which events two sessions of a process have in common: those of a kind that both have. They are taken from the first session
/// that has the kind, as for reports.
/// </summary>
internal static class RuntimeEventKind
{
    // Names of types and of inlined methods, which each session has for its own events.
    private const int BulkType = 15;
    private const int MethodDetails = 72;

    // One of two events reports a method, depending on the session's level.
    private const int MethodLoad = 141;
    private const int MethodUnload = 142;
    private const int VerboseByTerse = 2;

    private static readonly Guid s_runtime = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");

    /// <summary>The kind of an event.</summary>
    public static (Guid Provider, int Id) Of(NetTraceEventType type) =>
        (
            type.Provider,
            type.Provider == s_runtime && type.EventId is MethodLoad or MethodUnload ? type.EventId + VerboseByTerse : type.EventId
        );

    /// <summary>Whether each session has its own events of this type.</summary>
    public static bool IsOfSession(NetTraceEventType type) => type.Provider == s_runtime && type.EventId is BulkType or MethodDetails;
}
