using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// Folds the frames of the platform into the nearest caller that is the user's own code (<see cref="OwnCode.IsMine"/>). Allocates for new
/// symbols, not per stack.
/// </summary>
/// <param name="resolver">Symbols of the process.</param>
internal sealed class MyFrames(SymbolResolver resolver)
{
    /// <summary>Row of stacks without own code: of the runtime's threads, or with missing callers.</summary>
    public static readonly CpuRowKey None = new("[no own code]", "", "", null, null);

    private readonly List<bool> _isMine = [];

    /// <summary>Whether a symbol is own code.</summary>
    public bool Includes(int symbol)
    {
        while (_isMine.Count <= symbol)
            _isMine.Add(OwnCode.IsMine(resolver.Symbols[_isMine.Count], resolver.MyCode));
        return _isMine[symbol];
    }

    /// <summary>
    /// Row of a symbol. Methods have their names in the source, so that the parts of an async method, its tiers and its inlined copies are
    /// one row, as in the summary of a program.
    /// </summary>
    public static CpuRowKey KeyOf(CodeSymbol symbol, CpuGrouping grouping)
    {
        var key = CpuRowKey.Of(symbol, grouping);
        return grouping is CpuGrouping.Method or CpuGrouping.Line or CpuGrouping.Thread
            ? key with
            {
                Name = SourceName.Of(key.Name),
                IsInlined = false,
            }
            : key;
    }
}
