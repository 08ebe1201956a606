using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>
/// Adds the CPU samples of one process that lie in its runs to a profile. Allocates for new symbols, stacks and threads; a sample takes 32
/// bytes where each is kept.
/// </summary>
/// <param name="scope">The process.</param>
/// <param name="tables">The profile.</param>
/// <param name="windows">Windows of all runs.</param>
/// <param name="groups">For each window the number of its group, -1 when its run does not count.</param>
internal sealed class ProfilePass(ProfileScope scope, ProfileTables tables, RunWindows windows, IReadOnlyList<int> groups)
    : IEventSubscriber
{
    private readonly SampleClassifier _classifier = new(scope.Symbols, scope.Pauses);

    /// <summary>By number of the symbol the number of its frame.</summary>
    private readonly List<int> _frames = [];

    /// <summary>The stack before, outermost frame first: symbols and nodes. Most of a stack is the same as in the one before.</summary>
    private int[] _symbols = new int[256];
    private int[] _nodes = new int[256];
    private int _length;
    private bool _wasBroken;
    private int? _missing;

    /// <inheritdoc />
    public void Subscribe(EventHub hub) => hub.Subscribe<CpuSample>(OnCpuSample);

    private void OnCpuSample(in CpuSample sample)
    {
        var window = windows.IndexAt(sample.At.Time, sample.At.ThreadId);
        if (window < 0 || groups[window] is not (>= 0 and var group))
            return;
        var found = _classifier.Classify(sample, windows.Tallies[window]);
        var stack = _classifier.Stack;
        tables.Quality += new StackQuality(
            1,
            stack.IsBroken ? 1 : 0,
            stack.IsExpanded ? 1 : 0,
            scope.Symbols.HasInlineTrees ? 1 : 0,
            stack.IsRecovered ? 1 : 0,
            sample.Dump.IsRecorded ? 1 : 0
        );
        tables.Add(
            new ProfileSample(
                scope.Since(sample.At.Time),
                (int)Math.Min(scope.Nanoseconds(sample.CpuTicks), int.MaxValue),
                scope.ThreadOf(sample.At.ThreadId),
                NodeOf(stack.Symbols, stack.IsBroken),
                group,
                ProfileCategory.NumberOf(found)
            )
        );
    }

    /// <summary>The number of a stack.</summary>
    private int NodeOf(ReadOnlySpan<int> symbols, bool isBroken)
    {
        while (_symbols.Length < symbols.Length)
            (_symbols, _nodes) = (Grown(_symbols), Grown(_nodes));
        var same = 0;
        if (isBroken == _wasBroken)
        {
            while (same < _length && same < symbols.Length && _symbols[same] == symbols[symbols.Length - 1 - same])
                same++;
        }

        (_wasBroken, _length) = (isBroken, symbols.Length);
        var node =
            same > 0 ? _nodes[same - 1]
            : isBroken ? tables.Stacks.Enter(ProfileStacks.Root, _missing ??= tables.Stacks.GetOrAdd(CallTree.MissingCallers))
            : ProfileStacks.Root;
        for (; same < symbols.Length; same++)
        {
            var symbol = symbols[symbols.Length - 1 - same];
            _symbols[same] = symbol;
            _nodes[same] = node = tables.Stacks.Enter(node, FrameOf(symbol));
        }

        return node;
    }

    private int FrameOf(int symbol)
    {
        while (_frames.Count <= symbol)
            _frames.Add(tables.Stacks.GetOrAdd(CpuRowKey.Of(scope.Symbols.Resolver.Symbols[_frames.Count], CpuGrouping.Line)));
        return _frames[symbol];
    }

    private static int[] Grown(int[] array)
    {
        Array.Resize(ref array, 2 * array.Length);
        return array;
    }
}
