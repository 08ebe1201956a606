using System.Globalization;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>Files that this process may still open. Each event takes one on each processor, and for each thread of a running process.</summary>
/// <param name="Limit">RLIMIT_NOFILE of this process.</param>
/// <param name="Used">Files that are open.</param>
internal sealed record OpenFiles(long Limit, long Used)
{
    /// <summary>Files kept for the rest of a recording: traces, connections to runtimes, what is read in /proc.</summary>
    private const int Reserved = 32;

    /// <summary>Files that events may take.</summary>
    public long Free => Math.Max(0, Limit - Used - Reserved);

    /// <summary>Reads limit and use of this process; without /proc nothing is known to be limited.</summary>
    public static OpenFiles Read()
    {
        try
        {
            const string Name = "Max open files";
            var line = File.ReadLines("/proc/self/limits").First(line => line.StartsWith(Name, StringComparison.Ordinal));
            var limit = line[Name.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries)[0];
            return new OpenFiles(
                limit == "unlimited" ? long.MaxValue : long.Parse(limit, CultureInfo.InvariantCulture),
                Directory.EnumerateFileSystemEntries("/proc/self/fd").LongCount()
            );
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or FormatException or InvalidOperationException)
        {
            return new OpenFiles(long.MaxValue, 0);
        }
    }
}
