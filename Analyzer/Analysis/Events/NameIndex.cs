namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Indexes of strings. A known string allocates nothing.</summary>
internal sealed class NameIndex
{
    private readonly Dictionary<string, int> _numbers = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int>.AlternateLookup<ReadOnlySpan<char>> _lookup;
    private readonly List<string> _names = [];

    public NameIndex() => _lookup = _numbers.GetAlternateLookup<ReadOnlySpan<char>>();

    public int Count => _names.Count;

    public string this[int number] => _names[number];

    /// <summary>Index of a string.</summary>
    public int GetOrAdd(ReadOnlySpan<char> name)
    {
        if (_lookup.TryGetValue(name, out var number))
            return number;
        _names.Add(name.ToString());
        _numbers.Add(_names[^1], _names.Count - 1);
        return _names.Count - 1;
    }

    /// <summary>Index of a string, or of a substitute if the string is new and the table is full.</summary>
    /// <param name="name">The text.</param>
    /// <param name="max">Maximum number of strings.</param>
    /// <param name="others">Substitute for further strings.</param>
    public int GetOrAdd(ReadOnlySpan<char> name, int max, string others) =>
        Count < max || _lookup.TryGetValue(name, out _) ? GetOrAdd(name) : GetOrAdd(others);
}
