using System.Globalization;

namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>Number of worker processes for a machine.</summary>
public static class WorkerCount
{
    /// <summary>Maximum memory of a worker, except for very large recordings.</summary>
    public const long BytesEach = 300_000_000;

    /// <summary>One worker per processor, limited by memory; at least one.</summary>
    /// <param name="processors">Number of processors.</param>
    /// <param name="availableBytes">Free memory in bytes.</param>
    public static int For(int processors, long availableBytes) => (int)Math.Clamp(availableBytes / BytesEach, 1, Math.Max(processors, 1));

    /// <summary>Number of workers for this machine now.</summary>
    public static int Here() => For(Environment.ProcessorCount, AvailableBytes());

    /// <summary>Free memory: as reported by Linux; on other systems and in containers, at most the limit.</summary>
    private static long AvailableBytes()
    {
        var limit = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        try
        {
            const string Available = "MemAvailable:";
            var line = File.Exists("/proc/meminfo")
                ? File.ReadLines("/proc/meminfo").FirstOrDefault(line => line.StartsWith(Available, StringComparison.Ordinal))
                : null;
            return
                line is not null
                && long.TryParse(
                    line[Available.Length..].Replace("kB", "", StringComparison.Ordinal).Trim(),
                    NumberStyles.None,
                    CultureInfo.InvariantCulture,
                    out var kilobytes
                )
                ? Math.Min(limit, kilobytes * 1024)
                : limit;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return limit;
        }
    }
}
