using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>What is added up for one row.</summary>
internal sealed class CpuTally
{
    /// <summary>Number of the stack that was counted last: a method that occurs twice in a stack counts once.</summary>
    public long LastStack { get; set; } = -1;

    public long Samples { get; set; }

    public long Ticks { get; set; }

    public long InclusiveSamples { get; set; }

    public long InclusiveTicks { get; set; }

    public long KernelSamples { get; set; }

    /// <summary><see cref="InclusiveTicks"/> of a source line by cause; null for rows of other kinds.</summary>
    public CauseTimes? Causes { get; set; }

    /// <summary>Bit n: code of <see cref="CodeTier"/> n was hit.</summary>
    public int Tiers { get; set; }
}

/// <summary>What the samples of a row have in common.</summary>
internal readonly record struct CpuRowKey(string Name, string Module, string Namespace, CodeKind? Kind, long? ThreadId)
{
    /// <summary>Whether the row is of a method where it was inlined; the method's own code is another row.</summary>
    public bool IsInlined { get; init; }

    /// <summary>Source line; null for rows of other kinds, and where it is not known.</summary>
    public SourceLine? Line { get; init; }

    /// <summary>Runtime where the result has runs on several, empty where it has one.</summary>
    public string Runtime { get; init; } = "";

    /// <summary>The row of a thread.</summary>
    public static CpuRowKey OfThread(string name, long thread) => new(name.Length > 0 ? name : "(no name)", "", "", null, thread);

    /// <summary>The row of a piece of code. Addresses without a name are one row a module: each by itself would mean nothing.</summary>
    public static CpuRowKey Of(CodeSymbol symbol, CpuGrouping grouping) => grouping switch
    {
        CpuGrouping.Module => new CpuRowKey(symbol.Module, symbol.Module, "", symbol.Kind, null),
        CpuGrouping.Namespace when symbol.Kind != CodeKind.Managed => new CpuRowKey(symbol.Module, "", "", symbol.Kind, null),
        CpuGrouping.Namespace when symbol.Namespace.Length > 0 => new CpuRowKey(symbol.Namespace, "", symbol.Namespace, symbol.Kind, null),

        // The global namespace of an assembly, code without a name in it, dynamic methods.
        CpuGrouping.Namespace => new CpuRowKey(symbol.Module, "", "", symbol.Kind, null),
        _ => new CpuRowKey(symbol.IsNamed || symbol.IsStub ? symbol.Name : symbol.Module + "+?", symbol.Module, symbol.Namespace, symbol.Kind, null) { IsInlined = symbol.IsInlined, Line = grouping == CpuGrouping.Line ? symbol.Line : null },
    };
}
