using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Gc;

/// <summary>Finds overlapping pauses of different processes.</summary>
internal static class PauseOverlaps
{
    /// <summary>All times with two or more paused processes of one recording, by recording in time order.</summary>
    /// <param name="pauses">Pauses; those of one process must not overlap.</param>
    /// <param name="clock">Their clock.</param>
    public static IReadOnlyList<PauseOverlap> Find(IEnumerable<(ProcessKey Process, long Start, long Stop)> pauses, TraceClock clock) =>
        [
            .. pauses
                .GroupBy(pause => pause.Process.Recording)
                .SelectMany(group => Find(group.Key, group.Select(pause => (pause.Process.ProcessId, pause.Start, pause.Stop)), clock)),
        ];

    private static List<PauseOverlap> Find(string recording, IEnumerable<(int Process, long Start, long Stop)> pauses, TraceClock clock)
    {
        // At equal times, stops come before starts, so touching pauses do not overlap.
        var edges = pauses
            .SelectMany(pause => new[] { (Time: pause.Start, IsEnd: false, pause.Process), (Time: pause.Stop, IsEnd: true, pause.Process) })
            .OrderBy(edge => edge.Time)
            .ThenByDescending(edge => edge.IsEnd)
            .ToList();
        var found = new List<PauseOverlap>();
        var paused = new HashSet<int>();
        var among = new SortedSet<int>();
        var max = 0;
        var start = 0L;
        foreach (var (time, isEnd, process) in edges)
        {
            var before = paused.Count;
            if (isEnd)
                paused.Remove(process);
            else
                paused.Add(process);
            if (paused.Count >= 2)
            {
                if (before < 2)
                {
                    start = time;
                    max = 0;
                    among.Clear();
                }

                max = Math.Max(max, paused.Count);
                among.UnionWith(paused);
            }
            else if (before >= 2 && time > start)
            {
                found.Add(
                    new PauseOverlap(start, time, clock.SinceOriginMilliseconds(start), clock.ToMilliseconds(time - start), max, [.. among])
                    {
                        Recording = recording,
                    }
                );
            }
        }

        return found;
    }
}

/// <summary>A time in which GCs paused several processes.</summary>
/// <param name="StartTicks">Start in ticks of the trace's clock.</param>
/// <param name="StopTicks">End in ticks of the trace's clock.</param>
/// <param name="StartMs">Start in ms since the start of the trace.</param>
/// <param name="Ms">Its length in ms.</param>
/// <param name="MaxProcesses">Maximum number of simultaneously paused processes.</param>
/// <param name="Processes">Processes paused in it.</param>
public sealed record PauseOverlap(
    long StartTicks,
    long StopTicks,
    double StartMs,
    double Ms,
    int MaxProcesses,
    IReadOnlyList<int> Processes
)
{
    /// <summary>Label of the recording if there are several, else empty.</summary>
    public string Recording { get; init; } = "";
}
