using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>The tags of a process's symbols: each symbol is looked up once, then answered from an array.</summary>
/// <param name="resolver">Symbols of the process.</param>
/// <param name="matcher">The tags.</param>
internal sealed class SymbolTags(SymbolResolver resolver, StacktagMatcher matcher)
{
    /// <summary>Tags by number of the symbol.</summary>
    private readonly List<int> _tags = [];

    /// <summary>The tag of a symbol, by its number; -1 for none.</summary>
    public int this[int symbol]
    {
        get
        {
            while (_tags.Count <= symbol)
                _tags.Add(matcher.Find(resolver.Symbols[_tags.Count]));
            return _tags[symbol];
        }
    }
}
