using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>Finds where and for what the threads of a process wait, by the stacks of switches and of the runtime's events.</summary>
/// <param name="scope">The process.</param>
/// <param name="tables">Gets methods and stacks.</param>
internal sealed class WaitPlaces(EventScope scope, WaitTables tables)
{
    private readonly SampleStack _stack = new(scope.Symbols!.Resolver);
    private readonly WaitFrames _frames = new(scope.Symbols!.Resolver);
    private readonly StackNames _names = new(scope.Symbols!.Resolver, tables.Methods, RuntimeFrames.IsWaiting);
    private readonly StackNames _own = new(scope.Symbols!.Resolver, tables.Methods, symbol => RuntimeFrames.IsWaiting(symbol) || !OwnCode.IsIn(symbol));
    private readonly StackPaths? _paths = tables.Stacks is { } stacks ? new StackPaths(scope.Symbols!.Resolver, stacks) : null;

    /// <summary>Where a thread was at a switch.</summary>
    public WaitPlace Of(in EventAt at, ReadOnlySpan<ulong> addresses, int kernelFrames, StackDump dump = default)
    {
        if (addresses.Length == 0)
            return OfThread(at.ThreadId);
        _stack.Walk(at, addresses, kernelFrames, dump);
        return Of(at.ThreadId);
    }

    /// <summary>Where a thread was when the runtime wrote an event.</summary>
    public WaitPlace Of(in EventAt at, ReadOnlySpan<ulong> addresses)
    {
        _stack.Walk(addresses, at.Time);
        return Of(at.ThreadId);
    }

    /// <summary>What is known of a thread whose stack is not: one of the runtime waits for its work.</summary>
    public WaitPlace OfThread(long thread) => WaitPlace.Unknown with { Reason = _frames.Of([], isWhole: false, scope.ThreadName(thread), out _) };

    private WaitPlace Of(long thread)
    {
        var symbols = _stack.Symbols;
        var reason = _frames.Of(symbols, !_stack.IsBroken, scope.ThreadName(thread), out var isPool);
        return new WaitPlace(reason, MethodOf(symbols), _own.FindOnly(symbols), _paths?.NumberOf(symbols) ?? StackTable.None, isPool);
    }

    /// <summary>The first managed frame outside of waiting; else the outermost managed one; else, the chain being broken in native code, the library or the kernel's function where it waits.</summary>
    private int MethodOf(ReadOnlySpan<int> symbols)
    {
        if (symbols.IsEmpty)
            return MethodTable.None;
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

        return tables.Methods.NumberOf(StackNames.Name(library ?? all[symbols[0]]));
    }
}
