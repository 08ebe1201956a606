using System.Globalization;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// Stores between processes how fast <see cref="SpeedProbe"/> can be on this machine and runtime, because a process that begins and ends in
/// a slow phase never sees the full speed. It is only a hint: a file that is missing, old, for another processor or runtime, or unwritable
/// is ignored.
/// </summary>
/// <param name="path">The file, with runtime, processor and nanoseconds in a line each.</param>
public sealed class SpeedMemory(string path)
{
    /// <summary>Lifetime of the value: a virtual machine may have moved to another host.</summary>
    private static readonly TimeSpan s_lifetime = TimeSpan.FromDays(1);

    /// <summary>Conditions of a reading other than the state of the machine.</summary>
    private static string[] Key => [RuntimeInformation.FrameworkDescription, $"{RuntimeInformation.ProcessArchitecture} {ProcessorName()}"];

    /// <summary>The instance of this user and runtime; null when the system has no folder for such files.</summary>
    public static SpeedMemory? OfThisUser() =>
        Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData) is { Length: > 0 } folder
            ? new SpeedMemory(Path.Combine(folder, "EtwSerializerProfiler", $"speed-{SuiteRuntime.Label}.txt"))
            : null;

    /// <summary>Returns the stored value in ns; null for none.</summary>
    public long? Read()
    {
        try
        {
            var file = new FileInfo(path);
            if (!file.Exists || DateTime.UtcNow - file.LastWriteTimeUtc > s_lifetime)
                return null;
            var lines = File.ReadAllLines(path);
            return
                lines.Length == 3
                && lines.Take(2).SequenceEqual(Key)
                && long.TryParse(lines[2], NumberStyles.None, CultureInfo.InvariantCulture, out var nanoseconds)
                && nanoseconds > 0
                ? nanoseconds
                : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Stores a value and replaces the previous one.</summary>
    public void Write(long nanoseconds)
    {
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllLines(path, [.. Key, nanoseconds.ToString(CultureInfo.InvariantCulture)]);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // the next process measures it itself
        }
    }

    /// <summary>Model of the processor; empty when the system does not provide it.</summary>
    private static string ProcessorName()
    {
        if (OperatingSystem.IsWindows())
            return Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER") ?? "";
        return
            File.Exists("/proc/cpuinfo")
            && File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal)) is { } line
            ? line
            : "";
    }
}
