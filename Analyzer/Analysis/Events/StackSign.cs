using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Whether a stack has a frame of a kind, anywhere: what tells a known disease from others. Allocates for new symbols, not for events.</summary>
/// <param name="resolver">Symbols of the process.</param>
/// <param name="isSign">Whether a frame is of the kind.</param>
internal sealed class StackSign(SymbolResolver resolver, Func<CodeSymbol, bool> isSign)
{
    /// <summary>By number of the symbol whether it is of the kind.</summary>
    private readonly List<bool> _signs = [];

    /// <summary>Whether a stack has it.</summary>
    /// <param name="symbols">Numbers of the symbols on it.</param>
    public bool IsOn(ReadOnlySpan<int> symbols)
    {
        foreach (var symbol in symbols)
        {
            while (_signs.Count <= symbol)
                _signs.Add(resolver.Symbols[_signs.Count] is { Kind: CodeKind.Managed } managed && isSign(managed));
            if (_signs[symbol])
                return true;
        }

        return false;
    }
}
