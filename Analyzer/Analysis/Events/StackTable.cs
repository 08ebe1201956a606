using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>
/// The distinct stacks of all events of a report, each path stored once: a stack is a node below its caller's. Memory grows with the
/// distinct stacks, up to <see cref="MaxNodes"/>, not with the events.
/// </summary>
internal sealed class StackTable
{
    /// <summary>No managed frame.</summary>
    public const int None = -1;

    /// <summary>The table is full, and the stack was dropped.</summary>
    public const int NotKept = -2;

    private const int MaxNodes = 200_000;

    private readonly Interner<StackMethod> _methods = new();
    private readonly Interner<(int Parent, int Method)> _nodes = new();

    /// <summary>Number of events whose stack was dropped.</summary>
    public long Dropped { get; private set; }

    /// <summary>Index of a method.</summary>
    public int MethodOf(StackMethod method) => _methods.GetOrAdd(method);

    /// <summary>Index of a stack.</summary>
    /// <param name="methods">Method indexes, leaf first; below zero for frames that are not methods.</param>
    public int GetOrAdd(ReadOnlySpan<int> methods)
    {
        var node = None;
        for (var i = methods.Length - 1; i >= 0; i--)
        {
            if (methods[i] < 0)
                continue;
            if (_nodes.Count == MaxNodes && !_nodes.TryGet((node, methods[i]), out _))
            {
                Dropped++;
                return NotKept;
            }

            node = _nodes.GetOrAdd((node, methods[i]));
        }

        return node;
    }

    /// <summary>Methods of a stack, leaf first; null for none, or for a dropped stack.</summary>
    public IReadOnlyList<StackMethod>? Frames(int stack)
    {
        if (stack < 0)
            return null;
        var frames = new List<StackMethod>();
        for (var node = stack; node >= 0; node = _nodes[node].Parent)
            frames.Add(_methods[_nodes[node].Method]);
        return frames;
    }
}
