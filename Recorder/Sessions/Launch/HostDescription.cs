using System.Globalization;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Launch;

/// <summary>Describes this machine for recording.json.</summary>
public static class HostDescription
{
    /// <summary>Reads the description; what the system does not say is empty.</summary>
    public static RecordingHost Read() => new(
        Environment.MachineName,
        OperatingSystemName(),
        RuntimeInformation.ProcessArchitecture.ToString(),
        CpuModel(),
        Environment.ProcessorCount,
        GC.GetGCMemoryInfo().TotalAvailableMemoryBytes)
    {
        CpuMegahertz = ReadCpuMegahertz("/proc/cpuinfo"),
    };

    /// <summary>Frequency of the first processor that a file of the form of /proc/cpuinfo tells, in MHz; null when it tells none.</summary>
    public static double? ReadCpuMegahertz(string file) =>
        double.TryParse(FirstValue(file, "cpu MHz").TrimStart(' ', '\t', ':'), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var megahertz) && megahertz > 0 ? megahertz : null;

    /// <summary>PRETTY_NAME of os-release with the kernel's version, elsewhere what the runtime says.</summary>
    private static string OperatingSystemName()
    {
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
