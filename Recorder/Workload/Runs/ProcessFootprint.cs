using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Memory of this process and size of its program.</summary>
public static class ProcessFootprint
{
    /// <summary>The kernel's status of this process on Linux: one source for every runtime.</summary>
    private const string LinuxFile = "/proc/self/status";

    /// <summary>Endings of files that a program does not need: debug information and documentation.</summary>
    private static readonly string[] s_notNeeded = [".dbg", ".pdb", ".xml"];

    private static readonly Lazy<long> s_programBytes = new(() => SizeOf(AppContext.BaseDirectory));

    /// <summary>
    /// Size of the program's folder in bytes, without debug information and documentation; <see cref="RunMeasurement.Unknown"/> when it
    /// cannot be read. With NativeAOT the folder holds little besides the executable. A shared framework is outside of it.
    /// </summary>
    public static long ProgramBytes => s_programBytes.Value;

    /// <summary>
    /// The largest working set of this process so far, in bytes; <see cref="RunMeasurement.Unknown"/> when the system does not report it.
    /// </summary>
    public static long PeakWorkingSetBytes()
    {
        if (OperatingSystem.IsLinux())
            return File.Exists(LinuxFile) ? Parse(File.ReadLines(LinuxFile)) ?? RunMeasurement.Unknown : RunMeasurement.Unknown;
        using var self = Process.GetCurrentProcess();
        return self.PeakWorkingSet64 is > 0 and var bytes ? bytes : RunMeasurement.Unknown;
    }

    /// <summary>Parses VmHWM in /proc/self/status; in bytes, null when missing.</summary>
    public static long? Parse(IEnumerable<string> lines)
    {
        const string Name = "VmHWM:";
        var line = lines.FirstOrDefault(line => line.StartsWith(Name, StringComparison.Ordinal));
        var cells = line?.Split([' ', '\t'], StringSplitOptions.RemoveEmptyEntries);
        return cells is [_, var text, "kB"] && long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var kilobytes)
            ? kilobytes * 1024
            : null;
    }

    /// <summary>
    /// Sum of the files of a folder and its subfolders that a program needs, in bytes; <see cref="RunMeasurement.Unknown"/> when the folder
    /// cannot be read.
    /// </summary>
    public static long SizeOf(string folder)
    {
        try
        {
            return new DirectoryInfo(folder)
                .EnumerateFiles("*", SearchOption.AllDirectories)
                .Where(file => !s_notNeeded.Contains(file.Extension, StringComparer.OrdinalIgnoreCase))
                .Sum(file => file.Length);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return RunMeasurement.Unknown;
        }
    }
}
