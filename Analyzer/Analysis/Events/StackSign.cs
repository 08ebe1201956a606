using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Checks whether a stack has a frame that identifies a known issue. Allocates for new symbols, not for events.</summary>
/// <param name="resolver">Symbols of the process.</param>
/// <param name="isSign">Whether a frame identifies the issue.</param>
internal sealed class StackSign(SymbolResolver resolver, Func<CodeSymbol, bool> isSign)
{
    /// <summary>Results of <c>isSign</c> by symbol index.</summary>
    private readonly List<bool> _signs = [];

    /// <summary>Whether a stack has such a frame.</summary>
    /// <param name="symbols">Symbol indexes of the stack.</param>
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
