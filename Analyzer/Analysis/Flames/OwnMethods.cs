using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Flames;

/// <summary>
/// The methods of a program and its libraries in a call tree, each with the time of the platform's code that it calls: a summary that ends
/// in the runtime's functions does not show what to change.
/// </summary>
/// <param name="Methods">The methods, most time first (<see cref="OwnMethod.Ticks"/>).</param>
/// <param name="TicksBelowNone">CPU time of stacks without such a method: of the runtime's threads, or with missing callers.</param>
public sealed record OwnMethods(IReadOnlyList<OwnMethod> Methods, long TicksBelowNone)
{
    /// <summary>Sums a call tree by methods.</summary>
    /// <param name="frames">Frames of the tree.</param>
    /// <param name="tree">The tree with all its nodes.</param>
    public static OwnMethods Of(IReadOnlyList<FlameFrame> frames, FlameTree tree)
    {
        ArgumentNullException.ThrowIfNull(frames);
        ArgumentNullException.ThrowIfNull(tree);
        var (numbers, methods) = (new Dictionary<(string Name, string Module), int>(), new List<OwnMethod>());
        var own = frames
            .Select(frame =>
            {
                if (!frame.IsMine)
                    return None;
                var key = (SourceName.Of(frame.Name), frame.Module);
                if (!numbers.TryGetValue(key, out var number))
                {
                    numbers.Add(key, number = methods.Count);
                    methods.Add(new OwnMethod(key.Item1, key.Module, 0, 0, 0));
                }

                return number;
            })
            .ToArray();

        var below = 0L;
        var path = new List<int>(); // the current method at each level
        foreach (var node in tree.Nodes)
        {
            path.RemoveRange(node.Depth, path.Count - node.Depth);
            var method = own[node.Frame];

            // A method that calls itself counts once.
            if (method != None && !path.Contains(method))
                methods[method] = methods[method] with { InclusiveTicks = methods[method].InclusiveTicks + node.InclusiveTicks };
            if (method == None && path.Count > 0)
                method = path[^1];
            path.Add(method);
            if (method == None)
                below += node.Ticks;
            else
                methods[method] = methods[method] with
                {
                    Ticks = methods[method].Ticks + node.Ticks,
                    Samples = methods[method].Samples + node.Samples,
                };
        }

        var lines = tree.Lines.ToLookup(line => (line.Line.Method, line.Line.Module));
        return new OwnMethods(
            [
                .. methods
                    .Select(method => method with { Hottest = Hottest(lines[(method.Name, method.Module)]) })
                    .Where(method => method.InclusiveTicks > 0)
                    .OrderByDescending(method => method.Ticks)
                    .ThenByDescending(method => method.InclusiveTicks)
                    .ThenBy(method => method.Name, StringComparer.Ordinal),
            ],
            below
        );
    }

    private const int None = -1;

    private static (SourceLine Line, long Ticks)? Hottest(IEnumerable<LineTime> lines) =>
        lines
            .OrderByDescending(line => line.Ticks)
            .ThenBy(line => line.Line.Line.Line)
            .Select(line => ((SourceLine, long)?)(line.Line.Line, line.Ticks))
            .FirstOrDefault();
}

/// <summary>A method of a program or library.</summary>
/// <param name="Name">Its name in the source (<see cref="SourceName.Of"/>).</param>
/// <param name="Module">File name of its assembly.</param>
/// <param name="Samples">Samples of <paramref name="Ticks"/>.</param>
/// <param name="Ticks">CPU time in it and in the platform's code that it called, up to the next method of the program.</param>
/// <param name="InclusiveTicks">CPU time in it and in all that it called.</param>
public sealed record OwnMethod(string Name, string Module, long Samples, long Ticks, long InclusiveTicks)
{
    /// <summary>The line with most of <see cref="Ticks"/>, and its ticks; null when lines are not known.</summary>
    public (SourceLine Line, long Ticks)? Hottest { get; init; }
}
