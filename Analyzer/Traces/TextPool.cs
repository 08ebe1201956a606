using System.Runtime.CompilerServices;
using System.Text;

namespace EtwSerializerProfiler.Traces;

/// <summary>Texts of traces, each of them once in memory: paths and names come again and again.</summary>
public sealed class TextPool
{
    private readonly HashSet<string> _texts = [];
    private readonly Dictionary<(string, string, string), MethodNames> _methods = new(new SameTexts());
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

    /// <summary>The names of a method, whose texts are from this pool; other ones are kept again each time.</summary>
    internal MethodNames Of(string type, string name, string signature)
    {
        if (!_methods.TryGetValue((type, name, signature), out var names))
            _methods.Add((type, name, signature), names = new MethodNames(type, name, signature));
        return names;
    }

    /// <summary>Texts of the pool are equal only if they are the same.</summary>
    private sealed class SameTexts : IEqualityComparer<(string Type, string Name, string Signature)>
    {
        public bool Equals((string Type, string Name, string Signature) x, (string Type, string Name, string Signature) y) =>
            ReferenceEquals(x.Type, y.Type) && ReferenceEquals(x.Name, y.Name) && ReferenceEquals(x.Signature, y.Signature);

        public int GetHashCode((string Type, string Name, string Signature) names) =>
            HashCode.Combine(
                RuntimeHelpers.GetHashCode(names.Type),
                RuntimeHelpers.GetHashCode(names.Name),
                RuntimeHelpers.GetHashCode(names.Signature)
            );
    }
}

/// <summary>The names of a method, as its events have them.</summary>
/// <param name="Type">Full name of its type.</param>
/// <param name="Name">Its name.</param>
/// <param name="Signature">Its signature.</param>
internal sealed record MethodNames(string Type, string Name, string Signature);
