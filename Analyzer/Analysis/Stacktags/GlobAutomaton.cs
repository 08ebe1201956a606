using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>Finds all patterns with * that match a text, in one walk over the text, however many patterns there are.</summary>
/// <remarks>
/// The patterns form one nondeterministic automaton: its positions are positions in the patterns, and a * can be passed or repeated. The
/// equivalent deterministic automaton is built while texts are matched, one state per reached set of positions, so unreached states cost
/// nothing. Frames of one trace share long prefixes (module, namespace), so few states serve thousands of them. Sets are sorted, and equal
/// sets are one state. Files with many patterns that begin with * could create an unlimited number of states, so above a limit all states
/// are discarded and built again. A * does not match <see cref="Separator"/>, so that a text can have parts.
/// </remarks>
internal sealed class GlobAutomaton
{
    /// <summary>Separates the parts of patterns and texts.</summary>
    public const char Separator = '\0';

    /// <summary>Maximum length of one part of a pattern.</summary>
    public const int MaxPatternLength = 2000;

    /// <summary>Bits of a position for the index in its pattern.</summary>
    private const int PlaceBits = 13;

    /// <summary>Maximum number of states.</summary>
    private const int MaxStates = 100_000;

    private readonly IReadOnlyList<string> _patterns;
    private readonly Dictionary<int[], int> _numbers = new(new SetComparer());
    private readonly List<State> _states = [];

    /// <summary>Creates the automaton of patterns.</summary>
    public GlobAutomaton(IReadOnlyList<string> patterns)
    {
        _patterns = patterns;
        if (patterns.Any(pattern => pattern.Length >= 1 << PlaceBits))
            throw new ArgumentException($"a pattern is longer than {(1 << PlaceBits) - 1} characters", nameof(patterns));
        Begin();
    }

    /// <summary>Number of states built so far.</summary>
    public int States => _states.Count;

    /// <summary>Indexes of the patterns that match the whole text, ascending.</summary>
    public ReadOnlySpan<int> Match(ReadOnlySpan<char> text)
    {
        if (_states.Count > MaxStates)
            Begin();
        var state = 0;
        foreach (var character in text)
        {
            if (!_states[state].Next.TryGetValue(character, out var next))
                _states[state].Next.Add(character, next = Step(state, character));
            state = next;
        }

        return _states[state].Accepted;
    }

    private void Begin()
    {
        _states.Clear();
        _numbers.Clear();
        var start = new List<int>(_patterns.Count);
        for (var pattern = 0; pattern < _patterns.Count; pattern++)
            AddClosure(start, pattern, 0);
        GetOrAdd([.. start]);
    }

    private int Step(int state, char character)
    {
        var reached = new List<int>();
        foreach (var position in _states[state].Positions)
        {
            var (pattern, place) = (position >> PlaceBits, position & ((1 << PlaceBits) - 1));
            if (place == _patterns[pattern].Length)
                continue;
            if (_patterns[pattern][place] == '*' && character != Separator)
                AddClosure(reached, pattern, place);
            else if (_patterns[pattern][place] == character)
                AddClosure(reached, pattern, place + 1);
        }

        reached.Sort();
        return GetOrAdd([.. reached.Distinct()]);
    }

    /// <summary>Adds a position and those reachable from it without a character.</summary>
    private void AddClosure(List<int> positions, int pattern, int place)
    {
        positions.Add((pattern << PlaceBits) | place);
        while (place < _patterns[pattern].Length && _patterns[pattern][place] == '*')
            positions.Add((pattern << PlaceBits) | ++place);
    }

    private int GetOrAdd(int[] positions)
    {
        ref var number = ref CollectionsMarshal.GetValueRefOrAddDefault(_numbers, positions, out var known);
        if (known)
            return number;
        number = _states.Count;
        var accepted = positions
            .Where(position => (position & ((1 << PlaceBits) - 1)) == _patterns[position >> PlaceBits].Length)
            .Select(position => position >> PlaceBits)
            .ToArray();
        _states.Add(new State(positions, accepted, []));
        return number;
    }

    /// <summary>A set of positions.</summary>
    /// <param name="Positions">Pattern and index in it, sorted.</param>
    /// <param name="Accepted">Patterns that end here.</param>
    /// <param name="Next">State after a character, if already built.</param>
    private sealed record State(int[] Positions, int[] Accepted, Dictionary<char, int> Next);

    private sealed class SetComparer : IEqualityComparer<int[]>
    {
        public bool Equals(int[]? x, int[]? y) => x.AsSpan().SequenceEqual(y);

        public int GetHashCode(int[] obj)
        {
            var hash = new HashCode();
            hash.AddBytes(MemoryMarshal.AsBytes(obj.AsSpan()));
            return hash.ToHashCode();
        }
    }
}
