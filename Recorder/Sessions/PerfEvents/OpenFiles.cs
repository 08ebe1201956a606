using System.Globalization;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>
/// Files that this process may still open. Each event takes one on each processor, and for each thread of a running process.
/// </summary>
/// <param name="Limit">RLIMIT_NOFILE of this process.</param>
/// <param name="Used">Files that are open.</param>
public sealed record OpenFiles(long Limit, long Used)
{
    /// <summary>Files kept for the rest of a recording: traces, connections to runtimes, what is read in /proc.</summary>
    private const int Reserved = 32;

    /// <summary>
    /// The runtime keeps the file of each assembly open, so esp-record has about 110 files open when it begins to record. With a limit of
    /// 100 it fails to load one of its own assemblies.
    /// </summary>
    private const int Required = 160;

    /// <summary>The problem that esp-record itself needs more open files than permitted; null when it does not.</summary>
    public Problem? Problem =>
        Limit >= Required
            ? null
            : new Problem(
                string.Create(CultureInfo.InvariantCulture, $"only {Limit} open files are permitted, and esp-record needs {Required}"),
                "the limits of this shell ('ulimit -Hn')",
                "raise the limit: 'ulimit -n 1024'"
            );

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
