using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;

namespace EtwSerializerProfiler.Workload.Features.Processes;

/// <summary>CPU usage of another process. On Linux from /proc, because Mono does not provide it for other processes.</summary>
internal static class ProcessActivity
{
    private const double TicksPerSecond = 100; // USER_HZ, the same on every Linux system

    // Fields of /proc/PID/stat after the name in parentheses: proc(5) counts from 3 there.
    private const int State = 0;
    private const int UserTime = 11;
    private const int SystemTime = 12;

    /// <summary>CPU time so far; zero when the process has ended.</summary>
    public static TimeSpan CpuTime(Process process)
    {
        try
        {
            if (OperatingSystem.IsLinux())
            {
                var fields = Fields(string.Create(CultureInfo.InvariantCulture, $"/proc/{process.Id}/stat"));
                return TimeSpan.FromSeconds((Number(fields[UserTime]) + Number(fields[SystemTime])) / TicksPerSecond);
            }

            process.Refresh();
            return process.TotalProcessorTime;
        }
        catch (Exception exception)
            when (exception is InvalidOperationException or Win32Exception or IOException or UnauthorizedAccessException)
        {
            return TimeSpan.Zero; // it has ended; its last output will still arrive
        }
    }

    /// <summary>Whether one of its threads is running or ready, as on a loaded machine; Linux only, otherwise false.</summary>
    public static bool HasRunnableThread(Process process)
    {
        try
        {
            return OperatingSystem.IsLinux()
                && Directory
                    .GetDirectories(string.Create(CultureInfo.InvariantCulture, $"/proc/{process.Id}/task"))
                    .Any(thread => Fields(Path.Combine(thread, "stat"))[State] is "R" or "D");
        }
        catch (Exception exception) when (exception is InvalidOperationException or IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private static string[] Fields(string path)
    {
        var text = File.ReadAllText(path);
        return text[(text.LastIndexOf(')') + 2)..].Split(' ');
    }

    private static long Number(string text) => long.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);
}
