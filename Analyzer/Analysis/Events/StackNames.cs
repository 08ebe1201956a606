using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Finds the method that an event's stack names: the first frame that is the program's. Allocates for new symbols, not for events.</summary>
/// <param name="resolver">Symbols of the process.</param>
/// <param name="methods">Gets the methods.</param>
/// <param name="isSkipped">Whether a managed frame is not the program's; native ones never are.</param>
internal sealed class StackNames(SymbolResolver resolver, MethodTable methods, Func<CodeSymbol, bool> isSkipped)
{
    private const int Skipped = -2;

    /// <summary>By number of the symbol its method, <see cref="Skipped"/> for frames that are passed over.</summary>
    private readonly List<int> _methods = [];

    /// <summary>
    /// The method of a stack; <see cref="MethodTable.None"/> without frames. Of a stack of skipped frames only it is the outermost managed one, else
    /// the leaf.
    /// </summary>
    /// <param name="symbols">Numbers of the symbols on it, leaf first.</param>
    public int Find(ReadOnlySpan<int> symbols)
    {
        var fallback = MethodTable.None;
        foreach (var symbol in symbols)
        {
            if (MethodOf(symbol) is var method && method != Skipped)
                return method;
            if (fallback < 0 || resolver.Symbols[symbol].Kind == CodeKind.Managed)
                fallback = symbol;
        }

        return fallback < 0 ? MethodTable.None : methods.NumberOf(NameOf(resolver.Symbols[fallback]));
    }

    /// <summary>The first method of a stack that is not skipped; <see cref="MethodTable.None"/> when all are.</summary>
    /// <inheritdoc cref="Find"/>
    public int FindOnly(ReadOnlySpan<int> symbols)
    {
        var method = symbols.IsEmpty ? Skipped : MethodOf(From(symbols)[0]);
        return method == Skipped ? MethodTable.None : method;
    }

    /// <summary>What is left of a stack without the leaf frames that are passed over; all of it when all are.</summary>
    public ReadOnlySpan<int> From(ReadOnlySpan<int> symbols)
    {
        for (var i = 0; i < symbols.Length; i++)
        {
            if (MethodOf(symbols[i]) != Skipped)
                return symbols[i..];
        }

        return symbols;
    }

    /// <summary>The method of a symbol, below zero when it is passed over.</summary>
    public int MethodOf(int symbol)
    {
        while (_methods.Count <= symbol)
        {
            var added = resolver.Symbols[_methods.Count];
            _methods.Add(added.Kind is CodeKind.Native or CodeKind.Kernel || isSkipped(added) ? Skipped : methods.NumberOf(NameOf(added)));
        }

        methods.AddLine(_methods[symbol], resolver.Symbols[symbol].Line);
        return _methods[symbol];
    }

    private MethodName NameOf(CodeSymbol symbol) => methods.ByLine ? Name(symbol) with { Line = symbol.Line } : Name(symbol);

    /// <summary>The name of a symbol, as the report of CPU samples has it.</summary>
    public static MethodName Name(CodeSymbol symbol)
    {
        var key = CpuRowKey.Of(symbol, CpuGrouping.Method);
        return new MethodName(key.Name, key.Module);
    }
}

/// <summary>A method on a stack.</summary>
/// <param name="Method">Its name.</param>
/// <param name="IsInlined">Whether its code was inlined into that of the next one.</param>
public readonly record struct StackMethod(MethodName Method, bool IsInlined);

/// <summary>A method that a stack names.</summary>
/// <param name="Name">Full name without parameters; of an address without a name its module.</param>
/// <param name="Module">File name of its assembly or library.</param>
public readonly record struct MethodName(string Name, string Module)
{
    /// <summary>The source line at which it stands; null when it is not known, was not asked for, or is not the same on all stacks.</summary>
    public SourceLine? Line { get; init; }

    /// <summary>The method as in its source, and its line: <c>Parser.Read at Parser.cs:41</c>.</summary>
    public string InSource => SourceName.Of(Name) + (Line is { } line ? $" at {line}" : "");
}
