using System.ComponentModel;
using System.Diagnostics;
using EtwSerializerProfiler.Traces.NetTrace;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>Load of the recorded processes for the progress line, from the system's counters and the runtime's events.</summary>
/// <param name="Processors">CPU time per wall time since the last reading: 1.5 is one and a half processors.</param>
/// <param name="MemoryBytes">Resident memory.</param>
/// <param name="Gcs">Number of GCs since the start of the recording; null when not recorded.</param>
/// <param name="PausedShare">Pauses of GCs per wall time since the last reading.</param>
public readonly record struct ProcessLoad(double Processors, long MemoryBytes, int? Gcs = null, double PausedShare = 0);

/// <summary>Reads the load of processes at intervals.</summary>
internal sealed class ProcessLoadReader
{
    /// <summary>CPU time of each process at the last reading. A process counts from its first reading on.</summary>
    private Dictionary<int, TimeSpan> _before = [];
    private TimeSpan _at;

    /// <summary>Sum of all pauses at the last reading.</summary>
    private TimeSpan _pauses;

    /// <summary>Load since the last call; null at the first one, and without a living process.</summary>
    /// <param name="processIds">The processes.</param>
    /// <param name="now">Time since any fixed moment.</param>
    /// <param name="gcs">Their GCs; null where they are not counted.</param>
    public ProcessLoad? Read(IEnumerable<int> processIds, TimeSpan now, IEnumerable<LiveGcs?>? gcs = null)
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
        var counted = (gcs ?? []).OfType<LiveGcs>().Where(live => live.Count is not null).ToList();
        var pauses = counted.Aggregate(TimeSpan.Zero, (sum, live) => sum + live.Pauses);
        var paused = pauses - _pauses;
        (_before, _at, _pauses) = (cpu, now, pauses);
        if (isFirst || elapsed <= TimeSpan.Zero)
            return null;
        return new ProcessLoad(
            used / elapsed,
            memory,
            counted.Count > 0 ? counted.Sum(live => live.Count) : null,
            Math.Clamp(paused / elapsed, 0, 1) // events arrive late, and two threads may suspend at once
        );
    }
}
