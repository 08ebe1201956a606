using System.Text;

namespace EtwSerializerProfiler.Traces;

/// <summary>Texts of traces, each of them once in memory: paths and names come again and again.</summary>
public sealed class TextPool
{
    private readonly HashSet<string> _texts = [];
    private char[] _characters = new char[256];

    /// <summary>The text that was kept first of all equal ones.</summary>
    public string Of(string text)
    {
        if (_texts.TryGetValue(text, out var known))
            return known;
        _texts.Add(text);
        return text;
    }

    /// <summary>The text of some bytes in UTF-8; allocates for a new one only.</summary>
    public string Of(ReadOnlySpan<byte> utf8)
    {
        if (_characters.Length < utf8.Length)
            _characters = new char[Math.Max(utf8.Length, 2 * _characters.Length)];
        return Of(_characters.AsSpan(0, Encoding.UTF8.GetChars(utf8, _characters)));
    }

    /// <summary>The text of some characters; allocates for a new one only.</summary>
    public string Of(ReadOnlySpan<char> text)
    {
        var known = _texts.GetAlternateLookup<ReadOnlySpan<char>>();
        if (known.TryGetValue(text, out var found))
            return found;
        found = new string(text);
        _texts.Add(found);
        return found;
    }
}
