using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>Finds locations and reasons of waits in a process, from the stacks of switches and runtime events.</summary>
/// <param name="scope">The process.</param>
/// <param name="tables">Receives methods and stacks.</param>
internal sealed class WaitPlaces(EventScope scope, WaitTables tables)
{
    private readonly SampleStack _stack = new(scope.Symbols!.Resolver);
    private readonly WaitFrames _frames = new(scope.Symbols!.Resolver);
    private readonly StackNames _names = StackNames.OutsideOfWaits(scope.Symbols!.Resolver, tables.Methods);
    private readonly StackNames _own = StackNames.OwnOutsideOfWaits(scope.Symbols!.Resolver, tables.Methods);
    private readonly StackPaths? _paths = tables.Stacks is { } stacks ? new StackPaths(scope.Symbols!.Resolver, stacks) : null;

    /// <summary>Location of a thread at a switch.</summary>
    public WaitPlace Of(in EventAt at, ReadOnlySpan<ulong> addresses, int kernelFrames, StackDump dump = default)
    {
        if (addresses.Length == 0)
            return OfThread(at.ThreadId);
        _stack.Walk(at, addresses, kernelFrames, dump);
        return Of(at.ThreadId);
    }

    /// <summary>Location of a thread at a runtime event.</summary>
    public WaitPlace Of(in EventAt at, ReadOnlySpan<ulong> addresses)
    {
        _stack.Walk(addresses, at);
        return Of(at.ThreadId);
    }

    /// <summary>Reason for a thread without a stack: a runtime thread waits for its work.</summary>
    public WaitPlace OfThread(long thread) =>
        WaitPlace.Unknown with
        {
            Reason = _frames.Of([], isWhole: false, scope.ThreadName(thread), out _),
        };

    private WaitPlace Of(long thread)
    {
        var symbols = _stack.Symbols;
        var reason = _frames.Of(_stack.Walked, !_stack.IsBroken, scope.ThreadName(thread), out var isPool);
        return new WaitPlace(reason, MethodOf(symbols), _own.FindOnly(symbols), _paths?.GetOrAdd(symbols) ?? StackTable.None, isPool);
    }

    /// <summary>
    /// The first managed frame outside of waiting code; else the outermost managed frame; else, if the chain broke in native code, the
    /// library or kernel function of the wait.
    /// </summary>
    private int MethodOf(ReadOnlySpan<int> symbols)
    {
        if (symbols.IsEmpty)
            return MethodInterner.None;
        if (_names.FindOnly(symbols) is >= 0 and var method)
            return method;
        var all = scope.Symbols!.Resolver.Symbols;
        CodeSymbol? library = null;
        foreach (var symbol in symbols)
        {
            if (all[symbol].Kind == CodeKind.Managed)
                return _names.Find(symbols);
            if (all[symbol].Kind != CodeKind.Kernel)
                library ??= all[symbol];
        }

        return tables.Methods.GetOrAdd(StackNames.Name(library ?? all[symbols[0]]));
    }
}
