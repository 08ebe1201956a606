using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Instructions;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Sums the samples of a process by leaf address, for leaves with a source line.</summary>
/// <param name="resolver">Symbols of the process.</param>
/// <param name="process">The process.</param>
internal sealed class InstructionTally(SymbolResolver resolver, TracedProcess process)
{
    private readonly Dictionary<LeafKey, LeafCost> _leaves = [];
    private readonly Dictionary<(ulong Start, long Time), IReadOnlyList<PlacedInstruction>> _disassembled = [];
    private readonly Dictionary<(ulong Start, long Time), MissingCode> _missing = [];
    private readonly Dictionary<long, IlMethod?> _methods = [];
    private RecordedCode? _recorded;
    private ILookup<string, long>? _ids;

    /// <summary>Costs of the leaves.</summary>
    public IEnumerable<LeafCost> Leaves => _leaves.Values;

    /// <summary>
    /// Reason why the recorded code is unusable or incomplete; empty when it is complete. Set after the first request for code.
    /// </summary>
    public string Problem => _recorded?.Problem ?? "";

    /// <summary>Path of the recorded code; null when there is none. Set after the first request for code.</summary>
    public string? RecordedPath => _recorded?.Path;

    /// <summary>Adds a sample.</summary>
    /// <param name="leaf">Symbol of its leaf.</param>
    /// <param name="address">Address of its leaf.</param>
    /// <param name="time">Time in ticks of the trace's clock.</param>
    /// <param name="ticks">CPU time that the sample represents.</param>
    public void Add(CodeSymbol leaf, ulong address, long time, long ticks)
    {
        if (leaf.Line is not { } line || resolver.Instructions.LeafAt(address, time) is not { } place)
            return;
        ref var cost = ref CollectionsMarshal.GetValueRefOrAddDefault(
            _leaves,
            new LeafKey(leaf.Name, line, place.Code.Start, place.Code.At.Time, place.Offset),
            out _
        );
        cost ??= new LeafCost(leaf.Name, line, this, place);
        cost.Samples++;
        cost.Ticks += ticks;
    }

    /// <summary>Ids of the methods of a name that were on a stack with a line. Call it after all samples were read.</summary>
    public IEnumerable<long> MethodsOf(string name) =>
        (
            _ids ??= resolver
                .Symbols.Where(symbol => symbol is { Line: not null, MethodId: not 0 })
                .Select(symbol => (symbol.Name, symbol.MethodId))
                .Distinct()
                .ToLookup(symbol => symbol.Name, symbol => symbol.MethodId)
        )[name];

    /// <summary>The method's last code; null if it has none.</summary>
    public MethodCode? LastCodeOf(long methodId) => resolver.Instructions.LastCodeOf(methodId);

    /// <summary>The IL of a method; null when unavailable.</summary>
    public IlMethod? IlOf(long methodId)
    {
        if (!_methods.TryGetValue(methodId, out var method))
            _methods.Add(methodId, method = resolver.Instructions.IlOf(methodId));
        return method;
    }

    /// <summary>
    /// The machine code of a piece of code, each instruction with the method and line of samples there; empty when unavailable.
    /// </summary>
    /// <param name="code">The code.</param>
    /// <param name="missing">Reason when unavailable.</param>
    public IReadOnlyList<PlacedInstruction> CodeOf(in MethodCode code, out MissingCode missing)
    {
        var key = (code.Start, code.At.Time);
        if (!_disassembled.TryGetValue(key, out var instructions))
        {
            var found = resolver.Instructions.CodeOf(code, _recorded ??= RecordedCode.Of(process));
            _missing.Add(key, found.Missing);
            var (start, time) = key;
            _disassembled.Add(key, instructions = [.. found.Instructions.Select(instruction => Placed(instruction, start, time))]);
        }

        missing = _missing[key];
        return instructions;
    }

    private PlacedInstruction Placed(MachineInstruction instruction, ulong start, long time)
    {
        var own = resolver.Resolve(start + instruction.Offset, time, isKernel: false, SymbolResolver.NoCallee, out var inlinees);
        var symbol = resolver.Symbols[inlinees.Length > 0 ? inlinees[0] : own];
        return new PlacedInstruction(instruction, symbol.Name, symbol.Line);
    }

    private readonly record struct LeafKey(string Method, SourceLine Line, ulong Start, long Time, uint Offset);
}

/// <summary>Cost of the samples at one address.</summary>
/// <param name="method">Name of the leaf's method.</param>
/// <param name="line">Its line.</param>
/// <param name="process">The process.</param>
/// <param name="place">Location of the address.</param>
internal sealed class LeafCost(string method, SourceLine line, InstructionTally process, in LeafPlace place)
{
    public string Method { get; } = method;

    public SourceLine Line { get; } = line;

    public InstructionTally Process { get; } = process;

    public LeafPlace Place { get; } = place;

    public long Samples { get; set; }

    public long Ticks { get; set; }
}

/// <summary>A machine instruction with its method and line.</summary>
/// <param name="Instruction">The instruction.</param>
/// <param name="Method">Name of the method: the code's, or an inlined one.</param>
/// <param name="Line">Its line; null for none.</param>
internal readonly record struct PlacedInstruction(MachineInstruction Instruction, string Method, SourceLine? Line);
