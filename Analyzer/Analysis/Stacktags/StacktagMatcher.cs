using System.Collections.Concurrent;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>Matches frames against the tags of one or more files.</summary>
public sealed class StacktagMatcher
{
    private readonly GlobAutomaton _automaton;

    /// <summary>Index of the tag of each pattern.</summary>
    private readonly List<int> _tagOfPattern = [];
    private readonly List<FlatStacktag> _tags = [];

    /// <summary>Answers of <see cref="Find"/> by what the patterns match: processes of one recording have the same methods.</summary>
    private readonly ConcurrentDictionary<(string Module, string Name, int TypeLength), int> _known = new();

    /// <summary>Compiles tags.</summary>
    /// <param name="roots">Roots of files; paths do not contain their names.</param>
    public StacktagMatcher(params IReadOnlyList<Stacktag> roots)
    {
        ArgumentNullException.ThrowIfNull(roots);
        var patterns = new List<string>();
        foreach (var root in roots)
            Flatten(root, root.Name, patterns);
        _automaton = new GlobAutomaton(patterns);
    }

    /// <summary>All tags in file order, parents before children.</summary>
    public IReadOnlyList<FlatStacktag> Tags => _tags;

    /// <summary>
    /// Finds the tag of a frame: the one with the highest priority among those with a matching pattern; if equal, the first in the files.
    /// </summary>
    /// <returns>Its index in <see cref="Tags"/>, -1 for none.</returns>
    public int Find(CodeSymbol symbol)
    {
        ArgumentNullException.ThrowIfNull(symbol);
        var key = (symbol.Module, symbol.Name, symbol.TypeName.Length);
        if (_known.TryGetValue(key, out var best))
            return best;
        best = -1;
        foreach (var tag in FindAll(symbol))
        {
            if (best < 0 || _tags[tag].Tag.Priority > _tags[best].Tag.Priority)
                best = tag;
        }

        _known[key] = best;
        return best;
    }

    /// <summary>Indexes of all tags with a pattern that matches a frame, ascending.</summary>
    /// <remarks>
    /// The automaton grows during matching, so only one frame at a time is matched. Each method is looked up once, so the lock costs
    /// nothing.
    /// </remarks>
    public IReadOnlyList<int> FindAll(CodeSymbol symbol)
    {
        ArgumentNullException.ThrowIfNull(symbol);
        var module = symbol.Module.ToLowerInvariant();
        var found = new SortedSet<int>();
        lock (_automaton)
        {
            Match($"{module}{GlobAutomaton.Separator}{symbol.Name}");

            // WPA joins type and method by two colons for jitted code, and by a dot for native images.
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
