using System.Globalization;
#if !NET
using System.Runtime.InteropServices;
#endif

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>Memory that a process can use without making others swap.</summary>
public static class AvailableMemory
{
    private const string LinuxFile = "/proc/meminfo";

    /// <summary>The memory in bytes; null when unknown.</summary>
    /// <remarks>Linux: MemAvailable of /proc/meminfo, on .NET at most the limit of the container. Windows: free physical memory.</remarks>
    public static long? Bytes()
    {
        var system = OperatingSystem.IsLinux() ? OfLinux() : null;
#if NET
        var info = GC.GetGCMemoryInfo();
        var runtime = info.TotalAvailableMemoryBytes - info.MemoryLoadBytes; // the container's limit, or the machine's memory
        if (info.Index == 0)
            runtime = info.TotalAvailableMemoryBytes; // no GC yet, so the load is unknown
        return system is { } available ? Math.Min(available, runtime) : runtime;
#else
        if (system is not null || !OperatingSystem.IsWindows())
            return system;
        var status = new MemoryStatus { Length = (uint)Marshal.SizeOf<MemoryStatus>() };
        return GlobalMemoryStatusEx(ref status) ? (long)status.AvailablePhysical : null;
#endif
    }

    /// <summary>Parses MemAvailable in /proc/meminfo; in bytes, null when missing.</summary>
    public static long? Parse(IEnumerable<string> lines)
    {
        var line = lines.FirstOrDefault(line => line.StartsWith("MemAvailable:", StringComparison.Ordinal));
        var cells = line?.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return cells is { Length: 3 } && long.TryParse(cells[1], NumberStyles.None, CultureInfo.InvariantCulture, out var kilobytes)
            ? kilobytes * 1024
            : null;
    }

    private static long? OfLinux() => File.Exists(LinuxFile) ? Parse(File.ReadLines(LinuxFile)) : null;

#if !NET
    [DllImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool GlobalMemoryStatusEx(ref MemoryStatus status);

    /// <summary>MEMORYSTATUSEX of Windows' sysinfoapi.h.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct MemoryStatus
    {
        public uint Length;
        public uint Load;
        public ulong TotalPhysical;
        public ulong AvailablePhysical;
        public ulong TotalPageFile;
        public ulong AvailablePageFile;
        public ulong TotalVirtual;
        public ulong AvailableVirtual;
        public ulong AvailableExtendedVirtual;
    }
#endif
}
