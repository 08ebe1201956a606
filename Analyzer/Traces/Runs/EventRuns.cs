namespace EtwSerializerProfiler.Traces.Runs;

/// <summary>The runs of a process that pairs of events delimit (<see cref="RunEvents"/>).</summary>
/// <param name="Title">Name of the pair in the trace.</param>
/// <param name="Runs">The runs, by begin.</param>
public sealed record EventRuns(string Title, IReadOnlyList<EventRun> Runs)
{
    /// <summary>The kinds of events in the trace that begin and end runs.</summary>
    public IReadOnlyList<RunEventKind> Kinds { get; init; } = [];

    /// <summary>Begins without an end.</summary>
    public int WithoutEnd { get; init; }

    /// <summary>Ends without a begin.</summary>
    public int WithoutBegin { get; init; }

    /// <summary>Names that got no row of their own, in the whole trace; their runs share one.</summary>
    public int JoinedNames { get; init; }

    /// <summary>Most runs that were open at the same time.</summary>
    public int MaxOpen
    {
        get
        {
            var (open, max) = (new PriorityQueue<long, long>(), 0);
            foreach (var run in Runs)
            {
                while (open.TryPeek(out var stop, out _) && stop <= run.Start)
                    open.Dequeue();
                open.Enqueue(run.Stop, run.Stop);
                max = Math.Max(max, open.Count);
            }

            return max;
        }
    }
}

/// <summary>A kind of event that begins or ends runs.</summary>
/// <param name="Provider">Its provider.</param>
/// <param name="Id">Its id.</param>
/// <param name="Version">Version of its layout.</param>
/// <param name="IsStart">Whether it begins a run.</param>
public sealed record RunEventKind(Guid Provider, int Id, int Version, bool IsStart);

/// <summary>A run between two events.</summary>
/// <param name="Name">Name of its row.</param>
/// <param name="Start">Time of the first event in ticks of the trace's clock.</param>
/// <param name="Stop">Time of the second one.</param>
/// <param name="ThreadId">
/// Thread that wrote both; null when two threads did, or when runs of the thread cross, so that it did not stay with one of them.
/// </param>
public sealed record EventRun(string Name, long Start, long Stop, long? ThreadId);

/// <summary>An event that begins or ends a run.</summary>
/// <param name="IsStart">Whether it begins one.</param>
/// <param name="Time">Time in ticks of the trace's clock.</param>
/// <param name="ProcessId">Process, -1 when the event does not say it.</param>
/// <param name="ThreadId">Thread that wrote it.</param>
/// <param name="Activity">What both events of a pair share: the id of their activity; empty when they have none.</param>
/// <param name="Name">Name of the run: of a begin, or of an end that knows a better one; empty otherwise.</param>
internal readonly record struct RunEdge(bool IsStart, long Time, int ProcessId, long ThreadId, string Activity, string Name);
