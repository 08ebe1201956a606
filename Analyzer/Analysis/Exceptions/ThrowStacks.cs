using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Analysis.Exceptions;

/// <summary>
/// The different stacks of all exceptions, each path stored once: a stack is a node under its caller's. Memory grows with the different stacks, up to
/// <see cref="MostNodes"/>, not with the exceptions.
/// </summary>
/// <param name="methods">Methods by number.</param>
internal sealed class ThrowStacks(MethodTable methods)
{
    /// <summary>No managed frame.</summary>
    public const int None = -1;

    /// <summary>A stack that found no room any more.</summary>
    public const int NotKept = -2;

    private const int MostNodes = 200_000;

    private readonly List<(int Parent, int Method)> _nodes = [];
    private readonly Dictionary<(int Parent, int Method), int> _numbers = [];

    /// <summary>Exceptions whose stack found no room.</summary>
    public long Dropped { get; private set; }

    /// <summary>The number of a stack of return addresses, leaf first.</summary>
    /// <param name="stack">Return addresses.</param>
    /// <param name="time">When, in ticks.</param>
    /// <param name="names">Methods of the process.</param>
    public int NumberOf(ReadOnlySpan<ulong> stack, long time, StackNames names)
    {
        var node = None;
        for (var i = stack.Length - 1; i >= 0; i--)
        {
            if (names.MethodAt(stack[i], time) is not (>= 0 and var method))
                continue;
            if (!_numbers.TryGetValue((node, method), out var next))
            {
                if (_nodes.Count == MostNodes)
                {
                    Dropped++;
                    return NotKept;
                }

                _numbers.Add((node, method), next = _nodes.Count);
                _nodes.Add((node, method));
            }

            node = next;
        }

        return node;
    }

    /// <summary>The methods of a stack, leaf first.</summary>
    public IReadOnlyList<MethodName> Frames(int stack)
    {
        var frames = new List<MethodName>();
        for (var node = stack; node >= 0; node = _nodes[node].Parent)
            frames.Add(methods[_nodes[node].Method]!.Value);
        return frames;
    }
}
