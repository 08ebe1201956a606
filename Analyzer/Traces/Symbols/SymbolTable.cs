using System.Text;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>Names by address: sorted ranges over one buffer of UTF-8 names; strings are created on request.</summary>
internal sealed class SymbolTable
{
    private readonly ulong[] _starts;
    private readonly ulong[] _ends;
    private readonly (int Offset, int Length)[] _names;
    private readonly byte[] _text;

    /// <summary>Creates a table of symbols in any order.</summary>
    /// <param name="symbols">
    /// Range, and position of the name in <paramref name="text"/>; an end of 0 means up to the next symbol. The list is sorted in place.
    /// </param>
    /// <param name="text">Names in UTF-8.</param>
    public SymbolTable(List<(ulong Start, ulong End, int Offset, int Length)> symbols, byte[] text)
    {
        // Of several names for an address the one with the longest range is used, then the first in the text. Tables are mostly sorted
        // already.
        if (!IsSorted(symbols))
            symbols.Sort(Compare);
        var count = 0;
        for (var i = 0; i < symbols.Count; i++)
        {
            if (count == 0 || symbols[count - 1].Start != symbols[i].Start)
                symbols[count++] = symbols[i];
        }

        _text = text;
        _starts = new ulong[count];
        _ends = new ulong[count];
        _names = new (int, int)[count];
        for (var i = 0; i < count; i++)
        {
            var (start, end, offset, length) = symbols[i];
            _starts[i] = start;
            _ends[i] =
                end != 0 ? end
                : i + 1 < count ? symbols[i + 1].Start
                : ulong.MaxValue;
            _names[i] = (offset, length);
        }
    }

    /// <summary>Number of symbols.</summary>
    public int Count => _starts.Length;

    /// <summary>Range and name of a symbol, in the order of addresses.</summary>
    public (ulong Start, ulong End, string Name) this[int index] =>
        (_starts[index], _ends[index], Encoding.UTF8.GetString(_text, _names[index].Offset, _names[index].Length));

    /// <summary>The symbol whose range holds an address.</summary>
    public bool TryFind(ulong address, out string name) => TryFind(address, out _, out name);

    /// <summary>The symbol whose range holds an address, with the start of the range.</summary>
    public bool TryFind(ulong address, out ulong start, out string name)
    {
        var index = IndexOf(address);
        (start, _, name) = index < 0 ? (0, 0, "") : this[index];
        return index >= 0;
    }

    /// <summary>Index of the symbol whose range holds an address; -1 when there is none.</summary>
    public int IndexOf(ulong address)
    {
        var index = Array.BinarySearch(_starts, address);
        if (index < 0)
            index = ~index - 1;
        return index >= 0 && address < _ends[index] ? index : -1;
    }

    private static bool IsSorted(List<(ulong Start, ulong End, int Offset, int Length)> symbols)
    {
        for (var i = 1; i < symbols.Count; i++)
        {
            if (Compare(symbols[i - 1], symbols[i]) > 0)
                return false;
        }

        return true;
    }

    private static int Compare(
        (ulong Start, ulong End, int Offset, int Length) left,
        (ulong Start, ulong End, int Offset, int Length) right
    )
    {
        var order = left.Start.CompareTo(right.Start);
        if (order == 0)
            order = right.End.CompareTo(left.End);
        return order != 0 ? order : left.Offset.CompareTo(right.Offset);
    }
}
