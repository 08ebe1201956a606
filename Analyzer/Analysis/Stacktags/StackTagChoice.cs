using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>Chooses the one tag of a stack as the Windows Performance Analyzer does.</summary>
/// <remarks>
/// Among all tagged frames of a stack, those with the highest priority compete, and the one nearest to the leaf wins. A HintTag adds its
/// callee's or caller's frame.
/// </remarks>
/// <param name="matcher">The tags.</param>
/// <param name="resolver">Symbols of the process.</param>
internal sealed class StackTagChoice(StacktagMatcher matcher, SymbolResolver resolver)
{
    /// <summary>Name of the row of stacks without a tag.</summary>
    public const string Untagged = "[no tag]";

    private const int None = -1;

    private readonly SymbolTags _tags = new(resolver, matcher);

    /// <summary>Finds the tag of a stack.</summary>
    /// <param name="stack">Symbol indexes of the stack, leaf first.</param>
    /// <returns>Index of the tag, and of the symbol that its hint adds; -1 for none.</returns>
    public (int Tag, int Hint) Choose(ReadOnlySpan<int> stack)
    {
        var (best, place) = (None, 0);
        for (var i = 0; i < stack.Length; i++)
        {
            var tag = _tags[stack[i]];
            if (tag != None && (best == None || matcher.Tags[tag].Tag.Priority > matcher.Tags[best].Tag.Priority))
                (best, place) = (tag, i);
        }

        if (best == None || matcher.Tags[best].Tag.Hint == StacktagHint.None)
            return (best, None);
        var hint = matcher.Tags[best].Tag.Hint == StacktagHint.Callee ? place - 1 : place + 1;
        return (best, hint >= 0 && hint < stack.Length ? stack[hint] : None);
    }

    /// <summary>Name of a choice: the tag's path, followed by the module or frame of its hint.</summary>
    public string NameOf((int Tag, int Hint) choice)
    {
        if (choice.Tag == None)
            return Untagged;
        var tag = matcher.Tags[choice.Tag];
        if (choice.Hint == None)
            return tag.Path;
        var symbol = resolver.Symbols[choice.Hint];
        return $"{tag.Path}\\{(tag.Tag.ShowsModuleOnly ? symbol.Module : $"{symbol.Module}!{symbol.Name}")}";
    }
}
