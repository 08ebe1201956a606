using EtwSerializerProfiler.Analysis.Stacktags;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>Finds the frame of a stack at which a serializer's work begins.</summary>
/// <param name="resolver">Symbols of the process.</param>
internal sealed class EntryFrames(SymbolResolver resolver)
{
    /// <summary>No such frame.</summary>
    public const int None = -1;

    private readonly SymbolTags _tags = new(resolver, SerializerEntries.Suites.Matcher);

    /// <summary>Tag of a symbol in <see cref="SerializerEntries.Suites"/>, <see cref="None"/> for none.</summary>
    public int TagOf(int symbol) => _tags[symbol];

    /// <summary>Index of the outermost frame with one of the tags, counted from the leaf; <see cref="None"/> when there is none.</summary>
    /// <param name="stack">Symbol indexes, leaf first.</param>
    /// <param name="entries">The tags.</param>
    public int OutermostOf(ReadOnlySpan<int> stack, IReadOnlySet<int> entries)
    {
        for (var i = stack.Length - 1; i >= 0; i--)
        {
            if (_tags[stack[i]] is var tag and not None && entries.Contains(tag))
                return i;
        }

        return None;
    }
}
