using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Indexes the stacks of one process. Allocates for new symbols and stacks, not for events.</summary>
/// <param name="resolver">Symbols of the process.</param>
/// <param name="table">Receives the stacks.</param>
internal sealed class StackPaths(SymbolResolver resolver, StackTable table)
{
    /// <summary>Method by symbol index, below zero for native code.</summary>
    private readonly List<int> _methods = [];
    private int[] _path = new int[256];

    /// <summary>Index of a stack.</summary>
    /// <param name="symbols">Symbol indexes, leaf first.</param>
    public int GetOrAdd(ReadOnlySpan<int> symbols)
    {
        if (_path.Length < symbols.Length)
            _path = new int[2 * symbols.Length];
        for (var i = 0; i < symbols.Length; i++)
            _path[i] = MethodOf(symbols[i]);
        return table.GetOrAdd(_path.AsSpan(0, symbols.Length));
    }

    private int MethodOf(int symbol)
    {
        while (_methods.Count <= symbol)
        {
            var added = resolver.Symbols[_methods.Count];
            _methods.Add(
                added.Kind is CodeKind.Native or CodeKind.Kernel
                    ? -1
                    : table.MethodOf(new StackMethod(StackNames.Name(added), added.IsInlined, OwnCode.IsMine(added, resolver.MyCode)))
            );
        }

        return _methods[symbol];
    }
}
