using System.Globalization;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>Describes this machine, for recording.json and to find recordings of similar machines.</summary>
public static class HostDescription
{
    /// <summary>Reads the description; values that the system does not report are empty.</summary>
    public static RecordingHost Read() =>
        new(
            Environment.MachineName,
            OperatingSystemName(),
            RuntimeInformation.ProcessArchitecture.ToString(),
            CpuModel(),
            Environment.ProcessorCount,
            GC.GetGCMemoryInfo().TotalAvailableMemoryBytes
        )
        {
            CpuMegahertz = OperatingSystem.IsLinux() ? ReadCpuMegahertz("/proc/cpuinfo") : null,
            LastLevelCacheBytes = OperatingSystem.IsLinux() ? ReadLastLevelCache("/sys/devices/system/cpu/cpu0/cache") : null,
        };

    /// <summary>Frequency of the first processor in a file like /proc/cpuinfo, in MHz; null when the file has none.</summary>
    public static double? ReadCpuMegahertz(string file) =>
        double.TryParse(
            FirstValue(file, "cpu MHz").TrimStart(' ', '\t', ':'),
            NumberStyles.AllowDecimalPoint,
            CultureInfo.InvariantCulture,
            out var megahertz
        )
        && megahertz > 0
            ? megahertz
            : null;

    /// <summary>
    /// Size of the highest-level cache in a folder like /sys/devices/system/cpu/cpu0/cache, in bytes; null when the folder has none.
    /// </summary>
    public static long? ReadLastLevelCache(string folder)
    {
        try
        {
            return Directory
                .EnumerateDirectories(folder, "index*")
                .Select(cache =>
                    (
                        Level: int.TryParse(
                            FirstValue(Path.Combine(cache, "level"), ""),
                            NumberStyles.None,
                            CultureInfo.InvariantCulture,
                            out var level
                        )
                            ? level
                            : 0,
                        Bytes: CacheBytes(FirstValue(Path.Combine(cache, "size"), ""))
                    )
                )
                .Where(cache => cache.Bytes is not null)
                .OrderByDescending(cache => cache.Level)
                .Select(cache => cache.Bytes)
                .FirstOrDefault();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>A size as the kernel writes it: <c>32768K</c>.</summary>
    private static long? CacheBytes(string text) =>
        text.EndsWith('K') && long.TryParse(text[..^1], NumberStyles.None, CultureInfo.InvariantCulture, out var kilobytes) && kilobytes > 0
            ? kilobytes * 1024
            : null;

    /// <summary>PRETTY_NAME of os-release with the kernel's version; on other systems the runtime's description.</summary>
    private static string OperatingSystemName()
    {
        // Wine shows the files of its Linux.
        if (!OperatingSystem.IsLinux())
            return RuntimeInformation.OSDescription;
        var pretty = FirstValue("/etc/os-release", "PRETTY_NAME=").Trim('"');
        return pretty.Length == 0 ? RuntimeInformation.OSDescription : $"{pretty}, kernel {Environment.OSVersion.Version}";
    }

    private static string CpuModel()
    {
        if (OperatingSystem.IsWindows())
            return Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER") ?? "";
        return FirstValue("/proc/cpuinfo", "model name").TrimStart(' ', '\t', ':');
    }

    private static string FirstValue(string file, string key)
    {
        try
        {
            return File.ReadLines(file).FirstOrDefault(line => line.StartsWith(key, StringComparison.Ordinal))?[key.Length..].Trim() ?? "";
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
