using System.Text;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>Names by address: sorted ranges over one buffer of UTF-8 names; a name becomes a string when it is asked for.</summary>
internal sealed class SymbolTable
{
    private readonly ulong[] _starts;
    private readonly ulong[] _ends;
    private readonly (int Offset, int Length)[] _names;
    private readonly byte[] _text;

    /// <summary>Takes symbols in any order.</summary>
    /// <param name="symbols">Range and place of the name in <paramref name="text"/>; an end of 0 means up to the next symbol.</param>
    /// <param name="text">Names in UTF-8.</param>
    public SymbolTable(IEnumerable<(ulong Start, ulong End, int Offset, int Length)> symbols, byte[] text)
    {
        // Several names of one address: the longest range, then the first name of the table.
        var sorted = symbols.OrderBy(symbol => symbol.Start).ThenByDescending(symbol => symbol.End).DistinctBy(symbol => symbol.Start).ToArray();
        _starts = [.. sorted.Select(symbol => symbol.Start)];
        _ends = new ulong[sorted.Length];
        for (var i = 0; i < sorted.Length; i++)
            _ends[i] = sorted[i].End != 0 ? sorted[i].End : i + 1 < sorted.Length ? sorted[i + 1].Start : ulong.MaxValue;
        _names = [.. sorted.Select(symbol => (symbol.Offset, symbol.Length))];
        _text = text;
    }

    /// <summary>Symbols in the table.</summary>
    public int Count => _starts.Length;

    /// <summary>The symbol whose range holds an address.</summary>
    public bool TryFind(ulong address, out string name)
    {
        var index = Array.BinarySearch(_starts, address);
        if (index < 0)
            index = ~index - 1;
        if (index < 0 || address >= _ends[index])
        {
            name = "";
            return false;
        }

        var (offset, length) = _names[index];
        name = Encoding.UTF8.GetString(_text, offset, length);
        return true;
    }
}
