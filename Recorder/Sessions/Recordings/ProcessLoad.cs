using System.ComponentModel;
using System.Diagnostics;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>Load of the recorded processes for the progress line, from the system's own counters.</summary>
/// <param name="Processors">CPU time per wall time since the last reading: 1.5 is one and a half processors.</param>
/// <param name="MemoryBytes">Resident memory.</param>
public readonly record struct ProcessLoad(double Processors, long MemoryBytes);

/// <summary>Reads the load of processes at intervals.</summary>
internal sealed class ProcessLoadReader
{
    /// <summary>CPU time of each process at the last reading. A process counts from its first reading on.</summary>
    private Dictionary<int, TimeSpan> _before = [];
    private TimeSpan _at;

    /// <summary>Load since the last call; null at the first one, and without a living process.</summary>
    /// <param name="processIds">The processes.</param>
    /// <param name="now">Time since any fixed moment.</param>
    public ProcessLoad? Read(IEnumerable<int> processIds, TimeSpan now)
    {
        var (cpu, memory) = (new Dictionary<int, TimeSpan>(), 0L);
        foreach (var id in processIds)
        {
            try
            {
                using var process = Process.GetProcessById(id);
                cpu[id] = process.TotalProcessorTime;
                memory += process.WorkingSet64;
            }
            catch (Exception exception) when (exception is ArgumentException or InvalidOperationException or Win32Exception)
            {
                // It has ended, or belongs to somebody else.
            }
        }

        var used = cpu.Where(pair => _before.ContainsKey(pair.Key))
            .Aggregate(TimeSpan.Zero, (sum, pair) => sum + pair.Value - _before[pair.Key]);
        var (isFirst, elapsed) = (!cpu.Keys.Any(_before.ContainsKey), now - _at);
        (_before, _at) = (cpu, now);
        return isFirst || elapsed <= TimeSpan.Zero ? null : new ProcessLoad(used / elapsed, memory);
    }
}
