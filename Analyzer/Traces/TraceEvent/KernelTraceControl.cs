namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>Events that the merging of a trace adds to it (KernelTraceControl.dll).</summary>
internal static class KernelTraceControl
{
    /// <summary>Opcode of a TRACE_EVENT_INFO: the description of an event.</summary>
    public const byte EventInfo = 32;

    /// <summary>Class of events that describe events.</summary>
    public static readonly Guid MetaData = new("bbccf6c1-6cd1-48c4-80ff-839482e37671");
}
