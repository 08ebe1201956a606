using System.Globalization;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>
/// Memory that an ordinary user may lock for rings (perf_mmap in kernel/events/core.c): an amount per CPU for all sessions of the user,
/// then the limit of the process.
/// </summary>
/// <param name="BytesPerCpu">kernel.perf_event_mlock_kb in bytes.</param>
/// <param name="ProcessBytes">RLIMIT_MEMLOCK of this process in bytes.</param>
/// <param name="Cpus">Number of online processors.</param>
internal sealed record LockedMemory(long BytesPerCpu, long ProcessBytes, int Cpus)
{
    /// <summary>Reads the limits of this process; unreadable ones get the kernel's defaults.</summary>
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
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or FormatException or InvalidOperationException)
        {
            // Keeps the defaults.
        }

        return new LockedMemory(bytesPerCpu, processBytes, OnlineCpus.Read().Count);
    }

    /// <summary>Largest ring that all CPUs can have: a power of two of pages, plus a page for its control block.</summary>
    public int RingBytes(int maxBytes)
    {
        var page = Environment.SystemPageSize;
        var share = BytesPerCpu + ProcessBytes / Cpus - page;
        var ring = (long)maxBytes;
        while (ring > page && ring > share)
            ring /= 2;
        return (int)ring;
    }
}
