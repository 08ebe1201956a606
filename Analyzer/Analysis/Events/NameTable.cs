namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Texts by number. A text that is known costs no memory.</summary>
internal sealed class NameTable
{
    private readonly Dictionary<string, int> _numbers = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int>.AlternateLookup<ReadOnlySpan<char>> _lookup;
    private readonly List<string> _names = [];

    /// <summary>Makes an empty table.</summary>
    public NameTable() => _lookup = _numbers.GetAlternateLookup<ReadOnlySpan<char>>();

    /// <summary>Texts in the table.</summary>
    public int Count => _names.Count;

    /// <summary>The text of a number.</summary>
    public string this[int number] => _names[number];

    /// <summary>The number of a text.</summary>
    public int NumberOf(ReadOnlySpan<char> name)
    {
        if (_lookup.TryGetValue(name, out var number))
            return number;
        _names.Add(name.ToString());
        _numbers.Add(_names[^1], _names.Count - 1);
        return _names.Count - 1;
    }

    /// <summary>The number of a text, or of another one when the text is new and the table has <paramref name="most"/> of them.</summary>
    /// <param name="name">The text.</param>
    /// <param name="most">Most texts.</param>
    /// <param name="others">What stands for further ones.</param>
    public int NumberOf(ReadOnlySpan<char> name, int most, string others) => Count < most || _lookup.TryGetValue(name, out _) ? NumberOf(name) : NumberOf(others);
}
