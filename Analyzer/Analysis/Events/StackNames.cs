using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>
/// Finds the method that represents an event's stack: the first frame of the program. Allocates for new symbols, not for events.
/// </summary>
/// <param name="resolver">Symbols of the process.</param>
/// <param name="methods">Receives the methods.</param>
/// <param name="isSkipped">Whether a managed frame is not the program's; native frames never are.</param>
internal sealed class StackNames(SymbolResolver resolver, MethodInterner methods, Func<CodeSymbol, bool> isSkipped)
{
    private const int Skipped = -2;

    /// <summary>Method by symbol index, <see cref="Skipped"/> for skipped frames.</summary>
    private readonly List<int> _methods = [];

    /// <summary>Finds the method that waits: the first one outside of the platform's waiting code.</summary>
    public static StackNames OutsideOfWaits(SymbolResolver resolver, MethodInterner methods) =>
        new(resolver, methods, RuntimeFrames.IsWaiting);

    /// <summary>Finds the user's own method that waits, or that leads to the wait.</summary>
    public static StackNames OwnOutsideOfWaits(SymbolResolver resolver, MethodInterner methods) =>
        new(resolver, methods, symbol => RuntimeFrames.IsWaiting(symbol) || !OwnCode.Leads(symbol, resolver.MyCode));

    /// <summary>
    /// The method of a stack; <see cref="MethodInterner.None"/> without frames. If all frames are skipped, it is the outermost managed one,
    /// else the leaf.
    /// </summary>
    /// <param name="symbols">Symbol indexes of the stack, leaf first.</param>
    public int Find(ReadOnlySpan<int> symbols)
    {
        var fallback = MethodInterner.None;
        foreach (var symbol in symbols)
        {
            if (MethodOf(symbol) is var method && method != Skipped)
                return method;
            if (fallback < 0 || resolver.Symbols[symbol].Kind == CodeKind.Managed)
                fallback = symbol;
        }

        return fallback < 0 ? MethodInterner.None : methods.GetOrAdd(NameOf(resolver.Symbols[fallback]));
    }

    /// <summary>The first method of a stack that is not skipped; <see cref="MethodInterner.None"/> when all are skipped.</summary>
    /// <inheritdoc cref="Find"/>
    public int FindOnly(ReadOnlySpan<int> symbols)
    {
        var method = symbols.IsEmpty ? Skipped : MethodOf(From(symbols)[0]);
        return method == Skipped ? MethodInterner.None : method;
    }

    /// <summary>The stack without its skipped leaf frames; the whole stack when all are skipped.</summary>
    public ReadOnlySpan<int> From(ReadOnlySpan<int> symbols)
    {
        for (var i = 0; i < symbols.Length; i++)
        {
            if (MethodOf(symbols[i]) != Skipped)
                return symbols[i..];
        }

        return symbols;
    }

    /// <summary>Method of a symbol, below zero when skipped.</summary>
    public int MethodOf(int symbol)
    {
        while (_methods.Count <= symbol)
        {
            var added = resolver.Symbols[_methods.Count];
            _methods.Add(added.Kind is CodeKind.Native or CodeKind.Kernel || isSkipped(added) ? Skipped : methods.GetOrAdd(NameOf(added)));
        }

        methods.AddLine(_methods[symbol], resolver.Symbols[symbol].Line);
        return _methods[symbol];
    }

    private MethodName NameOf(CodeSymbol symbol) => methods.ByLine ? Name(symbol) with { Line = symbol.Line } : Name(symbol);

    /// <summary>Name of a symbol, as in the report of CPU samples.</summary>
    public static MethodName Name(CodeSymbol symbol)
    {
        var key = CpuRowKey.Of(symbol, CpuGrouping.Method);
        return new MethodName(key.Name, key.Module);
    }
}

/// <summary>A method on a stack.</summary>
/// <param name="Method">Its name.</param>
/// <param name="IsInlined">Whether its code was inlined into the next one.</param>
/// <param name="IsMine">Whether it is the user's own code.</param>
public readonly record struct StackMethod(MethodName Method, bool IsInlined, bool IsMine);

/// <summary>A method on a stack.</summary>
/// <param name="Name">Full name without parameters; for an unnamed address, its module.</param>
/// <param name="Module">File name of its assembly or library.</param>
public readonly record struct MethodName(string Name, string Module)
{
    /// <summary>Its source line; null when unknown, not requested, or not the same on all stacks.</summary>
    public SourceLine? Line { get; init; }

    /// <summary>The method as in source code, with its line: <c>Parser.Read at Parser.cs:41</c>.</summary>
    public string InSource => SourceName.Of(Name) + (Line is { } line ? $" at {line}" : "");
}
