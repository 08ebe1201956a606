using System.Diagnostics;
using System.Globalization;

namespace EtwSerializerProfiler.Benchmarks;

internal static class ProcessMemory
{
    /// <summary>The largest resident set so far (VmHWM of /proc/self/status), with its unit.</summary>
    public static string Peak() =>
        File.Exists("/proc/self/status")
            ? File.ReadLines("/proc/self/status")
                .First(line => line.StartsWith("VmHWM:", StringComparison.Ordinal))["VmHWM:".Length..]
                .Trim()
            : string.Create(CultureInfo.InvariantCulture, $"{Process.GetCurrentProcess().PeakWorkingSet64 / 1024} kB");
}
