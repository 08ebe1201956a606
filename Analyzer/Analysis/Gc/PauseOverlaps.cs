using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Gc;

/// <summary>Finds when pauses of different processes lie on top of each other.</summary>
internal static class PauseOverlaps
{
    /// <summary>All stretches of time with two and more processes of one recording paused, by recording in order of time.</summary>
    /// <param name="pauses">Pauses; those of one process do not overlap.</param>
    /// <param name="clock">Their clock.</param>
    public static IReadOnlyList<PauseOverlap> Find(IEnumerable<(ProcessKey Process, long Start, long Stop)> pauses, TraceClock clock) =>
        [.. pauses.GroupBy(pause => pause.Process.Recording).SelectMany(group => Find(group.Key, group.Select(pause => (pause.Process.ProcessId, pause.Start, pause.Stop)), clock))];

    private static List<PauseOverlap> Find(string recording, IEnumerable<(int Process, long Start, long Stop)> pauses, TraceClock clock)
    {
        // At one time ends come before begins: pauses that touch do not overlap.
        var edges = pauses.SelectMany(pause => new[] { (Time: pause.Start, IsEnd: false, pause.Process), (Time: pause.Stop, IsEnd: true, pause.Process) })
            .OrderBy(edge => edge.Time).ThenByDescending(edge => edge.IsEnd).ToList();
        var found = new List<PauseOverlap>();
        var paused = new HashSet<int>();
        var among = new SortedSet<int>();
        var most = 0;
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
                    most = 0;
                    among.Clear();
                }

                most = Math.Max(most, paused.Count);
                among.UnionWith(paused);
            }
            else if (before >= 2 && time > start)
            {
                found.Add(new PauseOverlap(start, time, clock.SinceOriginMilliseconds(start), clock.ToMilliseconds(time - start), most, [.. among]) { Recording = recording });
            }
        }

        return found;
    }
}

/// <summary>A stretch of time in which several processes were paused by their collections at once.</summary>
/// <param name="StartTicks">Begin in ticks of the trace's clock.</param>
/// <param name="StopTicks">End in ticks of the trace's clock.</param>
/// <param name="StartMs">Begin in ms since the trace began.</param>
/// <param name="Ms">Its length in ms.</param>
/// <param name="MostProcesses">Most processes that were paused at one moment in it.</param>
/// <param name="Processes">Processes that were paused in it.</param>
public sealed record PauseOverlap(long StartTicks, long StopTicks, double StartMs, double Ms, int MostProcesses, IReadOnlyList<int> Processes)
{
    /// <summary>Label of the recording among several, empty when there is one.</summary>
    public string Recording { get; init; } = "";
}
