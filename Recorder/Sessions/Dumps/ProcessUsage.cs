using System.Globalization;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>Resources that a process uses at a moment.</summary>
/// <param name="ResidentBytes">Resident memory.</param>
/// <param name="Cpu">CPU time of all its threads so far.</param>
/// <param name="HasChildren">
/// Whether it has started processes that are still running: it may wait for them. False where the system does not provide this, or when not
/// requested.
/// </param>
internal readonly record struct ProcessUsage(long ResidentBytes, TimeSpan Cpu, bool HasChildren)
{
    /// <summary>Reads the usage; null when the process has ended.</summary>
    /// <param name="processId">The process.</param>
    /// <param name="children">Whether to look for started processes, which reads a file of each thread.</param>
    public static ProcessUsage? Read(int processId, bool children) =>
        OtherProcess.Read<ProcessUsage?>(
            processId,
            process => new ProcessUsage(
                process.WorkingSet64,
                process.TotalProcessorTime,
                children && OperatingSystem.IsLinux() && StartedOthers(processId)
            ),
            null
        );

    /// <summary>Each thread's file "children" lists the ids of the processes that it started (proc(5)).</summary>
    private static bool StartedOthers(int processId)
    {
        try
        {
            return Directory
                .EnumerateDirectories(string.Create(CultureInfo.InvariantCulture, $"/proc/{processId}/task"))
                .Any(thread => File.ReadAllText(Path.Combine(thread, "children")).Length > 0);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
