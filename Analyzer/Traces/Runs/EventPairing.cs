using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.Runs;

/// <summary>
/// Pairs begins and ends of one process: by the id of their activity, which follows a run to other threads; events without one by their
/// thread. Of several open begins the innermost is closed. Where begins share an ambient activity, an end closes the innermost one of its
/// own thread.
/// </summary>
internal sealed class EventPairing
{
    private readonly Dictionary<string, List<RunEdge>> _byActivity = [];
    private readonly Dictionary<long, List<RunEdge>> _byThread = [];
    private readonly List<EventRun> _runs = [];

    /// <summary>Ends without a begin so far.</summary>
    public int WithoutBegin { get; private set; }

    /// <summary>Begins without an end so far.</summary>
    public int WithoutEnd => _byActivity.Values.Sum(open => open.Count) + _byThread.Values.Sum(open => open.Count);

    /// <summary>Pairs events.</summary>
    /// <param name="edges">The events in any order.</param>
    /// <param name="title">Name of the pair.</param>
    public static EventRuns Pair(IEnumerable<RunEdge> edges, string title)
    {
        var pairing = new EventPairing();
        foreach (var edge in edges.OrderBy(edge => edge.Time))
            pairing.Add(edge);
        List<EventRun> runs = [.. pairing._runs.OrderBy(run => run.Start).ThenByDescending(run => run.Stop)];
        LeaveCrossed(runs);
        return new EventRuns(title, runs) { WithoutBegin = pairing.WithoutBegin, WithoutEnd = pairing.WithoutEnd };
    }

    private void Add(in RunEdge edge)
    {
        ref var open = ref edge.Activity.Length > 0
            ? ref CollectionsMarshal.GetValueRefOrAddDefault(_byActivity, edge.Activity, out _)
            : ref CollectionsMarshal.GetValueRefOrAddDefault(_byThread, edge.ThreadId, out _);
        open ??= [];
        if (edge.IsStart)
        {
            open.Add(edge);
            return;
        }

        var thread = edge.ThreadId;
        var place = open.FindLastIndex(begin => begin.ThreadId == thread) is var own and >= 0 ? own : open.Count - 1;
        if (place < 0)
        {
            WithoutBegin++;
            return;
        }

        var begin = open[place];
        open.RemoveAt(place);
        if (open.Count == 0 && edge.Activity.Length > 0)
            _byActivity.Remove(edge.Activity); // each id comes once, so the table would grow with the runs
        _runs.Add(
            new EventRun(edge.Name.Length > 0 ? edge.Name : begin.Name, begin.Time, edge.Time, begin.ThreadId == thread ? thread : null)
        );
    }

    /// <summary>
    /// Takes the thread from runs that cross another one of it: the thread left one of them in between, so its times are not those of a
    /// run.
    /// </summary>
    private static void LeaveCrossed(List<EventRun> runs)
    {
        var open = new Dictionary<long, Stack<int>>();
        for (var index = 0; index < runs.Count; index++)
        {
            if (runs[index].ThreadId is not { } thread)
                continue;
            if (!open.TryGetValue(thread, out var outer))
                open.Add(thread, outer = new Stack<int>());
            while (outer.TryPeek(out var last) && runs[last].Stop <= runs[index].Start)
                outer.Pop();
            foreach (var crossed in outer)
            {
                if (runs[crossed].Stop >= runs[index].Stop)
                    break;
                (runs[crossed], runs[index]) = (runs[crossed] with { ThreadId = null }, runs[index] with { ThreadId = null });
            }

            outer.Push(index);
        }
    }
}
