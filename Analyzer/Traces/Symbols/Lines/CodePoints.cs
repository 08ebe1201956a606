using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>The points of a piece of jitted code at which an IL statement begins, of the method or of one inlined into it.</summary>
/// <param name="offsets">Offsets in the code, ascending.</param>
/// <param name="nodes">For each the node of the inline tree whose statement it is.</param>
/// <param name="instructions">For each the IL offset in that node's method, or one of the JIT's negative ones.</param>
internal sealed class CodePoints(uint[] offsets, int[] nodes, int[] instructions)
{
    /// <summary>Used instead of an IL offset for code without a statement.</summary>
    public const int NoMapping = -1;

    // Other code without IL (ICorDebugInfo::MappingTypes of dotnet/runtime).
    private const int Prolog = -2;
    private const int Epilog = -3;

    private readonly uint[] _offsets = offsets;
    private readonly int[] _nodes = nodes;
    private readonly int[] _instructions = instructions;

    /// <summary>The point that an offset belongs to; -1 before the first one.</summary>
    public int At(ulong offset)
    {
        var low = 0;
        var high = _offsets.Length;
        while (low < high)
        {
            var middle = (low + high) >>> 1;
            if (_offsets[middle] <= offset)
                low = middle + 1;
            else
                high = middle;
        }

        return low - 1;
    }

    /// <summary>IL offset of a node's nearest statement at or before a point; null when there is none.</summary>
    /// <param name="point">As returned by <see cref="At"/>.</param>
    /// <param name="node">The node.</param>
    public int? StatementOf(int point, int node)
    {
        for (var at = point; at >= 0; at--)
        {
            if (_nodes[at] != node || _instructions[at] == NoMapping)
                continue;
            return _instructions[at] switch
            {
                Prolog => 0,
                Epilog => int.MaxValue, // the method's last line
                var instruction => instruction,
            };
        }

        return node == 0 ? 0 : null;
    }

    /// <summary>IL offset of the node's next statement; int.MaxValue when there is none.</summary>
    public int NextStatement(int node, int instruction)
    {
        var next = int.MaxValue;
        for (var at = 0; at < _offsets.Length; at++)
        {
            if (_nodes[at] == node && _instructions[at] > instruction)
                next = Math.Min(next, _instructions[at]);
        }

        return next;
    }

    /// <inheritdoc />
    public override bool Equals(object? obj) =>
        obj is CodePoints other
        && _offsets.AsSpan().SequenceEqual(other._offsets)
        && _nodes.AsSpan().SequenceEqual(other._nodes)
        && _instructions.AsSpan().SequenceEqual(other._instructions);

    /// <inheritdoc />
    public override int GetHashCode()
    {
        var hash = default(HashCode);
        hash.AddBytes(MemoryMarshal.AsBytes(_offsets.AsSpan()));
        hash.AddBytes(MemoryMarshal.AsBytes(_instructions.AsSpan()));
        return hash.ToHashCode();
    }
}

/// <summary>Shares equal statement lists in memory: processes that run the same methods have the same ones.</summary>
public sealed class CodePointsPool
{
    private readonly HashSet<CodePoints> _points = [];

    /// <summary>The first of all equal lists of points.</summary>
    internal CodePoints Of(CodePoints points)
    {
        if (_points.TryGetValue(points, out var known))
            return known;
        _points.Add(points);
        return points;
    }
}
