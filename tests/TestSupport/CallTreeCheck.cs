namespace EtwSerializerProfiler.TestSupport;

/// <summary>Counts the edges of a printed call tree that are impossible by the IL of the callers.</summary>
/// <param name="calls">What methods call.</param>
public sealed class CallTreeCheck(CallIndex calls)
{
    private readonly Dictionary<(CallTreeEdge Kind, string Caller, string Callee), long> _impossible = [];
    private readonly Dictionary<((string, string) Caller, (string, string) Callee), bool?> _known = [];

    /// <summary>
    /// By kind of edge: edges and samples on them, and the impossible ones. Edges to or from methods without metadata are omitted.
    /// </summary>
    public Dictionary<CallTreeEdge, (int Edges, long Samples, int ImpossibleEdges, long ImpossibleSamples)> Counts { get; } =
        Enum.GetValues<CallTreeEdge>().ToDictionary(kind => kind, _ => (0, 0L, 0, 0L));

    /// <summary>Impossible callers and callees, with the samples on all their edges, most first.</summary>
    public IEnumerable<(CallTreeEdge Kind, string Caller, string Callee, long Samples)> Impossible =>
        _impossible.OrderByDescending(edge => edge.Value).Select(edge => (edge.Key.Kind, edge.Key.Caller, edge.Key.Callee, edge.Value));

    /// <summary>Adds a tree.</summary>
    /// <param name="nodes">Its nodes, callers before what they call; the name is empty for nodes that are not methods.</param>
    public void Add(IEnumerable<(int Depth, string Module, string Name, bool IsInlined, long Samples)> nodes)
    {
        ArgumentNullException.ThrowIfNull(nodes);
        var path = new List<(string Module, string Name, bool IsInlined)>();
        foreach (var (depth, module, name, isInlined, samples) in nodes)
        {
            path.RemoveRange(depth, path.Count - depth);
            if (depth > 0 && name.Length > 0 && path[^1].Name.Length > 0)
                Add(path[^1], (module, name, isInlined), samples);
            path.Add((module, name, isInlined));
        }
    }

    /// <summary>Adds a stack.</summary>
    /// <param name="frames">Its methods, leaf first.</param>
    /// <param name="samples">How often it occurs.</param>
    public void AddPath(IEnumerable<(string Module, string Name, bool IsInlined)> frames, long samples) =>
        Add(frames.Reverse().Select((frame, depth) => (depth, frame.Module, frame.Name, frame.IsInlined, samples)));

    private void Add((string Module, string Name, bool IsInlined) caller, (string Module, string Name, bool IsInlined) callee, long samples)
    {
        var key = ((caller.Module, caller.Name), (callee.Module, callee.Name));
        if (!_known.TryGetValue(key, out var can))
            _known.Add(key, can = calls.CanCall(key.Item1, key.Item2));
        if (can is not { } possible)
            return;
        var kind =
            callee.IsInlined ? CallTreeEdge.ToInlined
            : caller.IsInlined ? CallTreeEdge.FromInlined
            : CallTreeEdge.Physical;
        var count = Counts[kind];
        Counts[kind] = (
            count.Edges + 1,
            count.Samples + samples,
            count.ImpossibleEdges + (possible ? 0 : 1),
            count.ImpossibleSamples + (possible ? 0 : samples)
        );
        if (!possible)
            _impossible[(kind, caller.Name, callee.Name)] = _impossible.GetValueOrDefault((kind, caller.Name, callee.Name)) + samples;
    }
}
