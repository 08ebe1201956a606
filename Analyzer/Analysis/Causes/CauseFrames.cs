using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Stacktags;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>
/// Updates the current cause of a walk from the serializer's entry to the leaf (<see cref="CauseAttribution"/>), frame by frame. Looks up
/// each symbol once.
/// </summary>
/// <param name="resolver">Symbols of the process.</param>
internal sealed class CauseFrames(SymbolResolver resolver)
{
    /// <summary>No cause: the serializer's own code.</summary>
    public const int None = -1;

    private static readonly StacktagMatcher s_matcher = new(CauseCatalog.Root);

    private static readonly int s_gcCause = CauseCatalog.IndexOf(CauseCatalog.GcCollection);

    private static readonly int s_emittedCode = CauseCatalog.IndexOf(CauseCatalog.EmittedCode);

    /// <summary>Cause index for each tag of <see cref="s_matcher"/>; -1 for groups.</summary>
    private static readonly int[] s_causeOfTag = [.. s_matcher.Tags.Select(CauseOf)];

    private readonly SymbolTags _tags = new(resolver, s_matcher);

    /// <summary>Whether a symbol removes the cause, by symbol index.</summary>
    private readonly List<bool> _isOwn = [];

    /// <summary>
    /// The cause that begins at a symbol's frame, <see cref="None"/> for none. Tags come first: a stub that reflection emits to invoke a
    /// method is reflection. Tags cannot find emitted modules, whose names are arbitrary.
    /// </summary>
    public int CauseOf(int symbol) =>
        _tags[symbol] is var tag and not None ? s_causeOfTag[tag]
        : resolver.Symbols[symbol].IsEmitted ? s_emittedCode
        : None;

    /// <summary>Whether a symbol's frame removes the cause.</summary>
    public bool IsOwn(int symbol)
    {
        while (_isOwn.Count <= symbol)
            _isOwn.Add(OwnCode.IsIn(resolver.Symbols[_isOwn.Count]));
        return _isOwn[symbol];
    }

    /// <summary>Returns the current cause below a frame.</summary>
    /// <param name="cause">The current cause above the frame.</param>
    /// <param name="symbol">The frame's symbol.</param>
    public int Below(int cause, int symbol)
    {
        var found = CauseOf(symbol);
        return found != None ? Stronger(cause, found)
            : IsOwn(symbol) ? None
            : cause;
    }

    /// <summary>
    /// Finds the cause of a stack below one of its frames, and the symbol at which it begins; without a cause, the leaf's symbol.
    /// </summary>
    /// <param name="stack">The stack.</param>
    /// <param name="caller">Position of the frame; the number of frames for the whole stack.</param>
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

        // The runtime's library may lack symbols that name a GC; the thread that keeps the others suspended is in one.
        return stack.CollectedBy is not null && cause != s_gcCause ? (s_gcCause, symbols[0]) : (cause, begin);
    }

    /// <summary>
    /// Chooses the cause below a frame that begins the second one: a weaker cause does not replace another. Code that ends others (emitted
    /// code) acts like own code: its callees count as what they are.
    /// </summary>
    public static int Stronger(int cause, int found) =>
        cause == None
        || CauseCatalog.All[cause].EndsOthers
        || CauseCatalog.All[found].EndsOthers
        || CauseCatalog.All[found].Priority >= CauseCatalog.All[cause].Priority
            ? found
            : cause;

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
