using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>The tags of one or more files, ready to be found for frames.</summary>
public sealed class StacktagMatcher
{
    private readonly GlobAutomaton _automaton;

    /// <summary>For each pattern the number of its tag.</summary>
    private readonly List<int> _tagOfPattern = [];
    private readonly List<FlatStacktag> _tags = [];

    /// <summary>Compiles tags.</summary>
    /// <param name="roots">Roots of files; their own names are in no path.</param>
    public StacktagMatcher(params IReadOnlyList<Stacktag> roots)
    {
        ArgumentNullException.ThrowIfNull(roots);
        var patterns = new List<string>();
        foreach (var root in roots)
            Flatten(root, root.Name, patterns);
        _automaton = new GlobAutomaton(patterns);
    }

    /// <summary>All tags in the order of the files, those above before those below.</summary>
    public IReadOnlyList<FlatStacktag> Tags => _tags;

    /// <summary>The tag of a frame: of those with a pattern that fits the one of the highest priority, of equals the first in the files.</summary>
    /// <remarks>The automaton grows while it matches: one frame at a time. A symbol is looked up once, so waiting costs nothing.</remarks>
    /// <returns>Its number in <see cref="Tags"/>, -1 for none.</returns>
    public int Find(CodeSymbol symbol)
    {
        var best = -1;
        foreach (var tag in FindAll(symbol))
        {
            if (best < 0 || _tags[tag].Tag.Priority > _tags[best].Tag.Priority)
                best = tag;
        }

        return best;
    }

    /// <summary>Numbers of all tags with a pattern that fits a frame, ascending.</summary>
    public IReadOnlyList<int> FindAll(CodeSymbol symbol)
    {
        ArgumentNullException.ThrowIfNull(symbol);
        var module = symbol.Module.ToLowerInvariant();
        var found = new SortedSet<int>();
        lock (_automaton)
        {
            Match($"{module}{GlobAutomaton.Separator}{symbol.Name}");

            // A jitted method's type and name are joined by two colons in WPA, a native image's by a dot.
            if (symbol.TypeName.Length > 0 && symbol.Name.Length > symbol.TypeName.Length)
                Match($"{module}{GlobAutomaton.Separator}{symbol.TypeName}::{symbol.Name.AsSpan(symbol.TypeName.Length + 1)}");
        }

        return [.. found];

        void Match(string text)
        {
            foreach (var pattern in _automaton.Match(text))
                found.Add(_tagOfPattern[pattern]);
        }
    }

    private void Flatten(Stacktag tag, string path, List<string> patterns)
    {
        var number = _tags.Count;
        _tags.Add(new FlatStacktag(tag, path));
        foreach (var entrypoint in tag.Entrypoints)
        {
            patterns.Add($"{entrypoint.Module.ToLowerInvariant()}{GlobAutomaton.Separator}{entrypoint.Method}");
            _tagOfPattern.Add(number);
        }

        foreach (var child in tag.Children)
            Flatten(child, path.Length > 0 ? $"{path}\\{child.Name}" : child.Name, patterns);
    }
}
