using System.Globalization;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// Remembers from one process to the next how fast <see cref="SpeedProbe"/> can be on this machine and runtime: a process that begins and ends in a slow phase knows nothing faster itself. It is
/// a hint only: a file that is missing, old, of another processor or runtime, or cannot be written, is as good as none.
/// </summary>
/// <param name="path">The file: runtime, processor and nanoseconds, a line each.</param>
public sealed class SpeedMemory(string path)
{
    /// <summary>After this time it is forgotten: a virtual machine may have moved to another host.</summary>
    private static readonly TimeSpan s_lifetime = TimeSpan.FromDays(1);

    /// <summary>What a reading depends on, besides the state of the machine.</summary>
    private static string[] Key => [RuntimeInformation.FrameworkDescription, $"{RuntimeInformation.ProcessArchitecture} {ProcessorName()}"];

    /// <summary>The one of this user and runtime; null when the system has no folder for such files.</summary>
    public static SpeedMemory? OfThisUser() => Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData) is { Length: > 0 } folder
        ? new SpeedMemory(Path.Combine(folder, "EtwSerializerProfiler", $"speed-{SuiteRuntime.Label}.txt"))
        : null;

    /// <summary>What is remembered, in ns; null for nothing.</summary>
    public long? Read()
    {
        try
        {
            var file = new FileInfo(path);
            if (!file.Exists || DateTime.UtcNow - file.LastWriteTimeUtc > s_lifetime)
                return null;
            var lines = File.ReadAllLines(path);
            return lines.Length == 3 && lines.Take(2).SequenceEqual(Key) && long.TryParse(lines[2], NumberStyles.None, CultureInfo.InvariantCulture, out var nanoseconds) && nanoseconds > 0 ? nanoseconds : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Remembers a speed, in place of what was.</summary>
    public void Write(long nanoseconds)
    {
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllLines(path, [.. Key, nanoseconds.ToString(CultureInfo.InvariantCulture)]);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // the next process finds it out by itself
        }
    }

    /// <summary>Model of the processor; empty when the system does not tell.</summary>
    private static string ProcessorName()
    {
        if (OperatingSystem.IsWindows())
            return Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER") ?? "";
        return File.Exists("/proc/cpuinfo") && File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal)) is { } line ? line : "";
    }
}
