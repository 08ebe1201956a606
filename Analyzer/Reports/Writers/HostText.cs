using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>The machine of a recording in one line.</summary>
internal static class HostText
{
    /// <summary>Operating system, architecture, processor, number of logical processors, memory; without those that are unknown.</summary>
    public static string Of(RecordingHost host)
    {
        string[] facts =
        [
            host.OperatingSystem,
            host.Architecture,
            host.Cpu,
            host.LogicalProcessors > 0 ? Plural.Of(host.LogicalProcessors, "logical processor") : "",
            host.MemoryBytes > 0 ? string.Create(CultureInfo.InvariantCulture, $"{host.MemoryBytes / 1e9:0.0} GB") : "",
        ];
        return string.Join(", ", facts.Where(fact => fact.Length > 0));
    }
}
