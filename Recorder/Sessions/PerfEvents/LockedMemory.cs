using System.Globalization;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>Memory an ordinary user may lock for rings (perf_mmap in kernel/events/core.c): so much a CPU for all his sessions, and then his process's own limit.</summary>
/// <param name="BytesPerCpu">kernel.perf_event_mlock_kb in bytes.</param>
/// <param name="ProcessBytes">RLIMIT_MEMLOCK of this process in bytes.</param>
/// <param name="Cpus">Processors that are switched on.</param>
internal sealed record LockedMemory(long BytesPerCpu, long ProcessBytes, int Cpus)
{
    /// <summary>Reads the limits of this process; the kernel's defaults where they cannot be read.</summary>
    public static LockedMemory Read()
    {
        var bytesPerCpu = 516L << 10;
        var processBytes = 64L << 10;
        try
        {
            bytesPerCpu = long.Parse(File.ReadAllText("/proc/sys/kernel/perf_event_mlock_kb"), CultureInfo.InvariantCulture) << 10;
            const string Name = "Max locked memory";
            var line = File.ReadLines("/proc/self/limits").First(line => line.StartsWith(Name, StringComparison.Ordinal));
            var soft = line[Name.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries)[0];
            processBytes = soft == "unlimited" ? 1L << 40 : long.Parse(soft, CultureInfo.InvariantCulture);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or FormatException or InvalidOperationException)
        {
            // The defaults stand.
        }

        return new LockedMemory(bytesPerCpu, processBytes, OnlineCpus.Read().Count);
    }

    /// <summary>Largest ring of a power of two of pages that all CPUs can have; a page for its control block comes on top.</summary>
    public int RingBytes(int largest)
    {
        var page = Environment.SystemPageSize;
        var share = BytesPerCpu + ProcessBytes / Cpus - page;
        var ring = (long)largest;
        while (ring > page && ring > share)
            ring /= 2;
        return (int)ring;
    }
}
