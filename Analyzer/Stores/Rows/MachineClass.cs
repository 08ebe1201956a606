using System.Globalization;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>What machines must have in common for their times to be comparable: operating system, architecture, processor and how many.</summary>
public static class MachineClass
{
    /// <summary>What stands behind the name of the operating system and differs between machines that are updated at different times.</summary>
    private const string KernelVersion = ", kernel ";

    /// <summary>The class of a machine.</summary>
    public static string Of(RecordingHost host)
    {
        ArgumentNullException.ThrowIfNull(host);
        var kernel = host.OperatingSystem.IndexOf(KernelVersion, StringComparison.Ordinal);
        return Of(kernel >= 0 ? host.OperatingSystem[..kernel] : host.OperatingSystem, host.Architecture, host.Cpu, host.LogicalProcessors);
    }

    /// <summary>The class of a machine of which a trace tells something.</summary>
    /// <param name="operatingSystem">Its operating system; empty when unknown.</param>
    /// <param name="architecture">Its architecture; empty when unknown.</param>
    /// <param name="processor">Model of its processor; empty when unknown.</param>
    /// <param name="processors">How many processors; 0 when unknown.</param>
    public static string Of(string operatingSystem, string architecture, string processor, int processors) =>
        string.Join(" | ", ((string[])[operatingSystem, architecture, processor, processors > 0 ? processors.ToString(CultureInfo.InvariantCulture) : ""]).Where(part => part.Length > 0));
}
