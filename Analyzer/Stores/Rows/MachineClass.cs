using System.Globalization;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>Properties that make times of machines comparable: operating system, architecture, processor model and count.</summary>
public static class MachineClass
{
    /// <summary>
    /// Separates the name of the operating system from the kernel version, which differs between machines that are updated at different
    /// times.
    /// </summary>
    private const string KernelVersion = ", kernel ";

    /// <summary>The class of a machine.</summary>
    public static string Of(RecordingHost host)
    {
        ArgumentNullException.ThrowIfNull(host);
        var kernel = host.OperatingSystem.IndexOf(KernelVersion, StringComparison.Ordinal);
        return Of(kernel >= 0 ? host.OperatingSystem[..kernel] : host.OperatingSystem, host.Architecture, host.Cpu, host.LogicalProcessors);
    }

    /// <summary>The class of a machine from partial information.</summary>
    /// <param name="operatingSystem">Its operating system; empty when unknown.</param>
    /// <param name="architecture">Its architecture; empty when unknown.</param>
    /// <param name="processor">Model of its processor; empty when unknown.</param>
    /// <param name="processors">Number of processors; 0 when unknown.</param>
    public static string Of(string operatingSystem, string architecture, string processor, int processors) =>
        string.Join(
            " | ",
            (
                (string[])
                    [operatingSystem, architecture, processor, processors > 0 ? processors.ToString(CultureInfo.InvariantCulture) : ""]
            ).Where(part => part.Length > 0)
        );
}
