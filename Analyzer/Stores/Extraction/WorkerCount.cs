using System.Globalization;

namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>How many worker processes a machine can take.</summary>
public static class WorkerCount
{
    /// <summary>Memory that a worker takes at most, but for very large recordings.</summary>
    public const long BytesEach = 300_000_000;

    /// <summary>As many as processors, as far as the memory reaches; at least one.</summary>
    /// <param name="processors">Processors.</param>
    /// <param name="availableBytes">Memory that is free.</param>
    public static int For(int processors, long availableBytes) => (int)Math.Clamp(availableBytes / BytesEach, 1, Math.Max(processors, 1));

    /// <summary>As many as this machine can take now.</summary>
    public static int Here() => For(Environment.ProcessorCount, AvailableBytes());

    /// <summary>Memory that is free: what Linux says, elsewhere and in containers the limit at most.</summary>
    private static long AvailableBytes()
    {
        var limit = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        try
        {
            const string Available = "MemAvailable:";
            var line = File.Exists("/proc/meminfo") ? File.ReadLines("/proc/meminfo").FirstOrDefault(line => line.StartsWith(Available, StringComparison.Ordinal)) : null;
            return line is not null && long.TryParse(line[Available.Length..].Replace("kB", "", StringComparison.Ordinal).Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out var kilobytes)
                ? Math.Min(limit, kilobytes * 1024)
                : limit;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return limit;
        }
    }
}
