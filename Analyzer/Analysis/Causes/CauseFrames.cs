using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Stacktags;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>How a frame changes the cause that a walk from the serializer's entry towards the leaf has in hand (<see cref="CauseAttribution"/>). Each symbol is looked up once.</summary>
/// <param name="resolver">Symbols of the process.</param>
internal sealed class CauseFrames(SymbolResolver resolver)
{
    /// <summary>No cause: the serializer's own code.</summary>
    public const int None = -1;

    private static readonly StacktagMatcher s_matcher = new(CauseCatalog.Root);

    private static readonly int s_collection = CauseCatalog.NumberOf(CauseCatalog.Collection);

    private static readonly int s_emittedCode = CauseCatalog.NumberOf(CauseCatalog.EmittedCode);

    /// <summary>For each tag of <see cref="s_matcher"/> the number of its cause, -1 for groups.</summary>
    private static readonly int[] s_causeOfTag = [.. s_matcher.Tags.Select(CauseOf)];

    private readonly SymbolTags _tags = new(resolver, s_matcher);

    /// <summary>By number of the symbol, whether it takes a cause away.</summary>
    private readonly List<bool> _isOwn = [];

    /// <summary>
    /// The cause with which a symbol's frame begins, <see cref="None"/> for none. Tags come first: a stub that reflection emits to invoke a method is reflection. Emitted modules have any name, so no
    /// tag finds them.
    /// </summary>
    public int CauseOf(int symbol) => _tags[symbol] is var tag and not None ? s_causeOfTag[tag] : resolver.Symbols[symbol].IsEmitted ? s_emittedCode : None;

    /// <summary>Whether a symbol's frame takes a cause away.</summary>
    public bool IsOwn(int symbol)
    {
        while (_isOwn.Count <= symbol)
            _isOwn.Add(OwnCode.IsIn(resolver.Symbols[_isOwn.Count]));
        return _isOwn[symbol];
    }

    /// <summary>The cause in hand below a frame.</summary>
    /// <param name="cause">The one in hand above it.</param>
    /// <param name="symbol">The frame's symbol.</param>
    public int Below(int cause, int symbol)
    {
        var found = CauseOf(symbol);
        return found != None ? Stronger(cause, found) : IsOwn(symbol) ? None : cause;
    }

    /// <summary>The cause that a stack has below one of its frames, and the symbol with which it begins; without a cause that of the leaf.</summary>
    /// <param name="stack">The stack.</param>
    /// <param name="caller">Place of the frame; the number of frames for all of them.</param>
    public (int Cause, int Symbol) Below(SampleStack stack, int caller)
    {
        var symbols = stack.Symbols;
        var (cause, begin) = (None, symbols[0]);
        for (var i = caller - 1; i >= 0; i--)
        {
            var next = Below(cause, symbols[i]);
            if (next != cause || next == None)
                (cause, begin) = (next, next == None ? symbols[0] : symbols[i]);
        }

        // The runtime's library may have no symbols that name a collection: the thread that keeps the others suspended is in one.
        return stack.CollectedBy is not null && cause != s_collection ? (s_collection, symbols[0]) : (cause, begin);
    }

    /// <summary>Which of two causes counts below a frame that begins the second one: a weaker one does not take the place of another. Code that ends others (emitted code) is as own code: all that it calls counts as what it is.</summary>
    public static int Stronger(int cause, int found) =>
        cause == None || CauseCatalog.All[cause].EndsOthers || CauseCatalog.All[found].EndsOthers || CauseCatalog.All[found].Priority >= CauseCatalog.All[cause].Priority ? found : cause;

    private static int CauseOf(FlatStacktag tag)
    {
        for (var cause = 0; cause < CauseCatalog.All.Count; cause++)
        {
            if (tag.Path == CauseCatalog.PathOf(CauseCatalog.All[cause]))
                return cause;
        }

        return None;
    }
}
