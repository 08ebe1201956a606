using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Checks whether a stack has a frame that identifies a known issue. Allocates for new symbols, not for events.</summary>
/// <param name="resolver">Symbols of the process.</param>
/// <param name="matches">Whether a frame identifies the issue.</param>
internal sealed class StackMatcher(SymbolResolver resolver, Func<CodeSymbol, bool> matches)
{
    /// <summary>Results of <c>matches</c> by symbol index.</summary>
    private readonly List<bool> _matches = [];

    /// <summary>Whether a stack has such a frame.</summary>
    /// <param name="symbols">Symbol indexes of the stack.</param>
    public bool IsOn(ReadOnlySpan<int> symbols)
    {
        foreach (var symbol in symbols)
        {
            while (_matches.Count <= symbol)
                _matches.Add(resolver.Symbols[_matches.Count] is { Kind: CodeKind.Managed } managed && matches(managed));
            if (_matches[symbol])
                return true;
        }

        return false;
    }
}
