using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Inlining;

namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>
/// Statements of code from the runtime's debugger maps, for code without recorded inline trees: in attached processes and traces of other
/// tools.
/// </summary>
/// <remarks>
/// A map has its method's id but not the code's, and a method can have several pieces of code. It is adjacent to the code's event on the
/// same thread (ETW::MethodLog::SendEventsForJitMethodsHelper of dotnet/runtime: after the event when code is loaded or listed at the
/// start, before it when code is listed at the end). A map that is not next to code of its method is not used.
/// <para>
/// Inline trees have the same statements and those of inlined methods, so maps of code with trees are not kept. A process that was started
/// with DOTNET_RichDebugInfo=1 and attached to later has trees for code compiled since then, and maps for the rest.
/// </para>
/// </remarks>
/// <param name="points">Keeps the statements.</param>
internal sealed class StatementMaps(CodePointsPool points)
{
    private readonly Dictionary<int, InlineTree> _trees = [];

    /// <summary>Number and method of each thread's last code.</summary>
    private readonly Dictionary<long, (long MethodId, int Number)> _last = [];

    /// <summary>The map of each thread whose code must follow.</summary>
    private readonly Dictionary<long, (long MethodId, CodePoints Points)> _pending = [];

    /// <summary>Adds a code event.</summary>
    /// <param name="code">The code.</param>
    /// <param name="number">Its number; negative for code that is not known by one.</param>
    /// <param name="inlineTrees">Inline trees so far.</param>
    public void OnCode(in MethodCode code, int number, InlineTrees inlineTrees)
    {
        _last[code.At.ThreadId] = (code.MethodId, number);
        if (_pending.Remove(code.At.ThreadId, out var map) && map.MethodId == code.MethodId && Lacks(number, inlineTrees))
            Keep(number, map.MethodId, map.Points);
    }

    /// <summary>Adds a map.</summary>
    /// <param name="statements">The map.</param>
    /// <param name="inlineTrees">Inline trees so far.</param>
    public void OnStatements(in CodeStatements statements, InlineTrees inlineTrees)
    {
        if (!statements.IsOfLoaded)
            _pending[statements.At.ThreadId] = (statements.MethodId, PointsOf(statements));
        else if (
            _last.TryGetValue(statements.At.ThreadId, out var code)
            && code.MethodId == statements.MethodId
            && Lacks(code.Number, inlineTrees)
        )
            Keep(code.Number, statements.MethodId, PointsOf(statements));
    }

    /// <summary>The statements of a piece of code; null when it has no map.</summary>
    public InlineTree? Of(int code) => _trees.GetValueOrDefault(code);

    private bool Lacks(int code, InlineTrees inlineTrees) => code >= 0 && !inlineTrees.Has(code) && !_trees.ContainsKey(code);

    private void Keep(int code, long method, CodePoints map) => _trees.Add(code, InlineTree.Plain(method, points.Of(map)));

    private static CodePoints PointsOf(in CodeStatements statements)
    {
        var count = statements.Offsets.Length / sizeof(uint);
        var (offsets, instructions) = (new uint[count], new int[count]);
        for (var i = 0; i < count; i++)
        {
            offsets[i] = BinaryPrimitives.ReadUInt32LittleEndian(statements.Offsets[(sizeof(uint) * i)..]);
            instructions[i] = BinaryPrimitives.ReadInt32LittleEndian(statements.Instructions[(sizeof(int) * i)..]);
        }

        Array.Sort(offsets, instructions);
        return new CodePoints(offsets, new int[count], instructions);
    }
}
