using EtwSerializerProfiler.Etl;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>Events that describe other events: the manifests of EventSources, and what the merging of a trace adds for providers of the system.</summary>
internal static class Descriptions
{
    /// <summary>Id of the events in which an EventSource writes its manifest, in pieces.</summary>
    private const ushort ManifestId = 0xFFFE;

    /// <summary>Whether an event is one.</summary>
    public static bool Includes(in EtlEvent item) => item.IsClassic ? !item.IsKernel && item.ProviderId == KernelTraceControl.MetaData : item.Id == ManifestId;
}
