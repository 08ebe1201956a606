using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>Tags of a process's symbols; each symbol is looked up once, then cached in an array.</summary>
/// <param name="resolver">Symbols of the process.</param>
/// <param name="matcher">The tags.</param>
internal sealed class SymbolTags(SymbolResolver resolver, StacktagMatcher matcher)
{
    /// <summary>Tags by symbol index.</summary>
    private readonly List<int> _tags = [];

    /// <summary>Tag of a symbol, by its index; -1 for none.</summary>
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
