using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>
/// Flame graphs of waits: the rows of <c>waits --by stack</c> except idle ones, a graph for each row of the table, with the reason as leaf.
/// </summary>
public static class WaitFlames
{
    private const long TicksPerMillisecond = 1000;

    /// <summary>Root of waits without a stack, or with native frames alone.</summary>
    private static readonly CpuRowKey s_unmanaged = new("[no managed frames]", "", "", null, null);

    /// <summary>
    /// Creates the graphs. Samples are numbers of waits. The cause of a node is <see cref="FlameSet.Own"/> for the user's own code,
    /// <see cref="FlameSet.Outside"/> for other code, and the <see cref="WaitReason"/> for a leaf.
    /// </summary>
    /// <param name="waits">The waits, with <see cref="WaitResult.Stacks"/>.</param>
    /// <param name="maxNodes">Maximum nodes of all graphs together; the lightest ones are left out.</param>
    /// <returns>The graphs; null when no wait has a stack.</returns>
    public static FlameSet? Of(WaitResult waits, int maxNodes)
    {
        ArgumentNullException.ThrowIfNull(waits);
        var rows = waits.Stacks.Where(row => row.Reason != WaitReason.Idle && row.Ms > 0).ToList();
        if (!rows.Exists(row => row.Stack is not null))
            return null;
        var (frames, causes, trees) = (new Interner<CpuRowKey>(), new List<int>(), new Dictionary<SummaryKey, CallTree>());
        foreach (var row in rows)
        {
            var key = row.Runs with { ObjectCount = 0 };
            if (!trees.TryGetValue(key, out var tree))
                trees.Add(key, tree = new CallTree(CallTreeQuery.Deepest, frames));
            tree.Add(
                (int)row.Count,
                (long)Math.Round(row.Ms * TicksPerMillisecond),
                [FrameOf(new CpuRowKey($"[waiting: {row.Reason.Name()}]", "", "", null, null), (int)row.Reason), .. PathOf(row)]
            );
        }

        var all = Math.Max(1, trees.Values.Sum(tree => (long)tree.Count));
        return new FlameSet(
            [
                .. causes
                    .Select((cause, number) => (Key: frames[number], IsMine: cause == FlameSet.Own))
                    .Select(frame => new FlameFrame(frame.Key.Name, frame.Key.Module, frame.Key.Kind, frame.Key.IsInlined, frame.IsMine)),
            ],
            [
                .. trees
                    .OrderBy(tree => tree.Key.ToString(), StringComparer.Ordinal)
                    .Select(tree => Tree(tree.Key, tree.Value, all <= maxNodes ? null : (int)((long)maxNodes * tree.Value.Count / all))),
            ],
            TicksPerMillisecond * 1000
        );

        IEnumerable<int> PathOf(WaitRow row)
        {
            if (row.Stack is { } stack)
                return stack.Select(frame =>
                    FrameOf(
                        new CpuRowKey(frame.Method.Name, frame.Method.Module, "", CodeKind.Managed, null) { IsInlined = frame.IsInlined },
                        frame.IsMine ? FlameSet.Own : FlameSet.Outside
                    )
                );
            int[] root = [FrameOf(s_unmanaged, FlameSet.Outside)];
            return row.Method is { } method
                ? [FrameOf(new CpuRowKey(method.Name, method.Module, "", CodeKind.Native, null), FlameSet.Outside), .. root]
                : root;
        }

        int FrameOf(CpuRowKey key, int cause)
        {
            var frame = frames.GetOrAdd(key);
            if (frame == causes.Count)
                causes.Add(cause);
            return frame;
        }

        FlameTree Tree(SummaryKey row, CallTree tree, int? top) =>
            new(
                row,
                tree.Samples,
                tree.Ticks,
                [
                    .. tree.Nodes(new CallTreeQuery(0, CallTreeQuery.Deepest, top), tree.Ticks)
                        .Select(node => new FlameNode(
                            node.Depth,
                            node.Key,
                            node.InclusiveSamples,
                            node.Samples,
                            node.InclusiveTicks,
                            node.Ticks,
                            causes[node.Key]
                        )),
                ],
                tree.Count,
                tree.CutSamples
            );
    }
}
