using System.Runtime.InteropServices;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Flames;

/// <summary>
/// Adds the stacks of the measured runs up to a call tree for each serializer and test. It hears the stacks that
/// <see cref="MethodCostReading"/> walks, so that no sample is walked once more for it. Memory grows with the distinct paths.
/// </summary>
public sealed class FlameReading
{
    private static readonly int s_gcCause = CauseCatalog.IndexOf(CauseCatalog.GcCollection);

    private readonly Interner<CpuRowKey> _frames = new();
    private readonly Dictionary<SummaryKey, CallTree> _trees = [];

    /// <summary>CPU time in lines of the program's own methods and in the platform's code that they call, by cause.</summary>
    private readonly Dictionary<(SummaryKey Runs, OwnLine Line), CauseTimes> _lines = [];

    /// <summary>
    /// By number of the frame: the tag of a serializer's entry, the number of the cause that begins there, whether it is own code, which
    /// ends a cause, and whether it is the user's own code.
    /// </summary>
    private readonly List<(int Entry, int Cause, bool IsOwn, bool IsMine)> _traits = [];
    private long _ticksPerSecond = 1_000_000_000;

    /// <summary>A reader of runs that passes the samples only to this object; <see cref="FindingAnalysis"/> has a reader for more.</summary>
    /// <param name="symbols">Symbols of the processes, those of <see cref="RunAnalysis"/>.</param>
    public IRunReader Reader(SymbolReading symbols) => new MethodCostReading(symbols, this);

    /// <summary>The flame graphs; null when no sample is in a measured run.</summary>
    /// <param name="maxNodes">Maximum nodes of all graphs together; the lightest ones are left out.</param>
    public FlameSet? Result(int maxNodes)
    {
        if (_trees.Count == 0)
            return null;
        var ordered = _trees
            .OrderBy(tree => tree.Key.Operation, StringComparer.Ordinal)
            .ThenBy(tree => tree.Key.PayloadBytes)
            .ThenBy(tree => tree.Key.ThreadCount)
            .ThenBy(tree => tree.Key.Serializer, StringComparer.Ordinal)
            .ThenBy(tree => tree.Key.Runtime, StringComparer.Ordinal);
        var all = Math.Max(1, _trees.Values.Sum(tree => (long)tree.Count));
        return new FlameSet(
            [
                .. Enumerable
                    .Range(0, _frames.Count)
                    .Select(number => (Key: _frames[number], _traits[number].IsMine))
                    .Select(frame => new FlameFrame(frame.Key.Name, frame.Key.Module, frame.Key.Kind, frame.Key.IsInlined, frame.IsMine)),
            ],
            [
                .. ordered.Select(tree =>
                    Tree(tree.Key, tree.Value, all <= maxNodes ? null : (int)((long)maxNodes * tree.Value.Count / all))
                ),
            ],
            _ticksPerSecond
        );
    }

    /// <summary>
    /// The line of the program's own code that leads to most CPU time of some causes; null when lines are not known, or no sample has one
    /// of these causes.
    /// </summary>
    /// <param name="runs">Row of the table.</param>
    /// <param name="isOne">Whether a cause is one of them.</param>
    internal OwnLine? LineOf(SummaryKey runs, Func<Cause, bool> isOne)
    {
        var row = runs with { ObjectCount = 0 };
        var lines = _lines
            .Where(line => line.Key.Runs == row)
            .Select(line => (line.Key.Line, Ticks: line.Value.Causes.Where((_, cause) => isOne(CauseCatalog.All[cause])).Sum()))
            .Where(line => line.Ticks > 0)
            .ToList();
        return lines.Count == 0
            ? null
            : lines.OrderByDescending(line => line.Ticks).ThenBy(line => line.Line.Line.ToString(), StringComparer.Ordinal).First().Line;
    }

    /// <summary>What hears the stacks of a process.</summary>
    internal Pass Begin(TracedProcess process, SymbolResolver resolver)
    {
        _ticksPerSecond = process.Sources[0].Clock.TicksPerSecond;
        return new Pass(this, resolver);
    }

    private FlameTree Tree(SummaryKey runs, CallTree tree, int? top)
    {
        var entries = SerializerEntries.Suites.Of(runs.Serializer);
        var nodes = new List<FlameNode>();

        // The current cause at each level of the path to the node, and the level of the GC on the path, -1 for none.
        var causes = new List<int>();
        var inGc = -1;
        foreach (var node in tree.Nodes(new CallTreeQuery(0, CallTreeQuery.Deepest, top), tree.Ticks))
        {
            causes.RemoveRange(node.Depth, causes.Count - node.Depth);
            inGc =
                _frames[node.Key] == CallTree.GcFrame ? node.Depth
                : node.Depth <= inGc ? -1
                : inGc;
            var traits = _traits[node.Key];
            var above =
                node.Depth > 0 ? causes[^1]
                : entries is null ? FlameSet.Own
                : FlameSet.Outside;
            var cause = above switch
            {
                FlameSet.Outside => traits.Entry != EntryFrames.None && entries!.Contains(traits.Entry) ? FlameSet.Own : FlameSet.Outside,
                _ when above == s_gcCause && inGc >= 0 && node.Depth > inGc => s_gcCause,
                _ when node.Depth == inGc => s_gcCause,
                _ => traits.Cause != CauseFrames.None ? CauseFrames.Stronger(above, traits.Cause)
                : traits.IsOwn ? FlameSet.Own
                : above,
            };
            causes.Add(cause);
            nodes.Add(new FlameNode(node.Depth, node.Key, node.InclusiveSamples, node.Samples, node.InclusiveTicks, node.Ticks, cause));
        }

        return new FlameTree(runs, tree.Samples, tree.Ticks, nodes, tree.Count, tree.CutSamples)
        {
            Lines = [.. _lines.Where(line => line.Key.Runs == runs).Select(line => new LineTime(line.Key.Line, line.Value))],
        };
    }

    /// <summary>The stacks of one process. Allocates for new symbols, not for samples.</summary>
    internal sealed class Pass(FlameReading all, SymbolResolver resolver)
    {
        private readonly CauseFrames _causes = new(resolver);
        private readonly EntryFrames _entries = new(resolver);

        /// <summary>Frames by number of the symbol.</summary>
        private readonly List<int> _frames = [];

        /// <summary>By number of the symbol its line in the program's own code; null for other code and without a line.</summary>
        private readonly List<(bool IsOwn, OwnLine? Line)> _lines = [];

        /// <summary>Trees by number of the row.</summary>
        private readonly List<CallTree?> _byRow = [];
        private int[] _path = new int[256];

        /// <summary>Adds a stack.</summary>
        /// <param name="row">Number of the row, the same for all stacks of a row.</param>
        /// <param name="runs">What the row's runs have in common.</param>
        /// <param name="sample">The sample.</param>
        /// <param name="stack">Its stack, walked.</param>
        public void Add(int row, SummaryKey runs, in CpuSample sample, SampleStack stack)
        {
            var symbols = stack.Symbols;
            if (_path.Length < symbols.Length + 2)
                Array.Resize(ref _path, 2 * (symbols.Length + 2));
            var length = 0;
            for (var i = 0; i < symbols.Length; i++)
            {
                if (i == stack.CollectedBy)
                    _path[length++] = GcFrame;
                _path[length++] = FrameOf(symbols[i]);
            }

            if (symbols.Length == stack.CollectedBy)
                _path[length++] = GcFrame;
            if (stack.IsBroken)
                _path[length++] = Known(all._frames.GetOrAdd(CallTree.MissingCallers), (EntryFrames.None, CauseFrames.None, false, false));
            TreeOf(row, runs).Add(sample, _path.AsSpan(0, length));
            AddLine(runs with { ObjectCount = 0 }, sample.CpuTicks, stack);
        }

        /// <summary>The innermost line of the program's own code: platform code counts to the line that calls it.</summary>
        private void AddLine(SummaryKey runs, long ticks, SampleStack stack)
        {
            var symbols = stack.Symbols;
            for (var i = 0; i < symbols.Length; i++)
            {
                var symbol = symbols[i];
                while (_lines.Count <= symbol)
                {
                    var added = resolver.Symbols[_lines.Count];
                    _lines.Add(
                        (
                            OwnCode.IsMine(added, resolver.MyCode),
                            added.Line is { } line ? new OwnLine(SourceName.Of(added.Name), added.Module, line) : null
                        )
                    );
                }

                if (!_lines[symbol].IsOwn)
                    continue;
                if (_lines[symbol].Line is { } own)
                {
                    ref var times = ref CollectionsMarshal.GetValueRefOrAddDefault(all._lines, (runs, own), out _);
                    (times ??= new CauseTimes { TicksPerSecond = all._ticksPerSecond, HasEntry = true }).Add(
                        _causes.Below(stack, i + 1).Cause,
                        ticks
                    );
                }

                return;
            }
        }

        private int GcFrame => Known(all._frames.GetOrAdd(CallTree.GcFrame), (EntryFrames.None, s_gcCause, false, false));

        private CallTree TreeOf(int row, SummaryKey runs)
        {
            while (_byRow.Count <= row)
                _byRow.Add(null);
            if (_byRow[row] is { } known)
                return known;
            ref var tree = ref CollectionsMarshal.GetValueRefOrAddDefault(all._trees, runs with { ObjectCount = 0 }, out _);
            return _byRow[row] = tree ??= new CallTree(CallTreeQuery.Deepest, all._frames);
        }

        private int FrameOf(int symbol)
        {
            while (_frames.Count <= symbol)
            {
                var added = _frames.Count;
                _frames.Add(
                    Known(
                        all._frames.GetOrAdd(CpuRowKey.Of(resolver.Symbols[added], CpuGrouping.Method)),
                        (
                            _entries.TagOf(added),
                            _causes.CauseOf(added),
                            _causes.IsOwn(added),
                            OwnCode.IsMine(resolver.Symbols[added], resolver.MyCode)
                        )
                    )
                );
            }

            return _frames[symbol];
        }

        private int Known(int frame, (int Entry, int Cause, bool IsOwn, bool IsMine) traits)
        {
            if (frame == all._traits.Count)
                all._traits.Add(traits);
            return frame;
        }
    }
}
