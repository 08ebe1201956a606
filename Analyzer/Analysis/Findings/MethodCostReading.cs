using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Sums the CPU samples of the measured runs by table row and method, in the passes of <see cref="RunAnalysis"/>.</summary>
/// <param name="symbols">Symbols of the processes.</param>
/// <param name="flames">Receives the stacks; null when not requested.</param>
internal sealed class MethodCostReading(SymbolReading symbols, FlameReading? flames = null) : IRunReader
{
    private static readonly CodeTier[] s_tiers = Enum.GetValues<CodeTier>();

    private readonly RunFilter _filter = new();
    private readonly Interner<SummaryKey> _groups = new();

    /// <summary>Tallies by row, name and module; an inlined method counts as the method.</summary>
    private readonly Dictionary<(int Group, string Name, string Module, CodeKind Kind), CpuTally> _tallies = [];
    private readonly List<(TracedProcess Process, GcPauses Pauses)> _processes = [];
    private long _ticksPerSecond = 1_000_000_000;
    private long _stacks;

    /// <inheritdoc />
    public IEnumerable<TraceRequest> Prepare(IReadOnlyList<TracedProcess> processes)
    {
        _processes.AddRange(
            processes.Where(process => (process.Kinds & EventKinds.CpuSamples) != 0).Select(process => (process, new GcPauses()))
        );
        return _processes.SelectMany(item => symbols.Requests(item.Process).Concat(item.Process.Requests(item.Pauses)));
    }

    /// <inheritdoc />
    public IEnumerable<TraceRequest> Begin(IReadOnlyList<Run> runs)
    {
        var requests = new List<TraceRequest>();
        foreach (var (process, pauses) in _processes)
        {
            var own = runs.Where(run => run.Process == process.Key).OrderBy(run => run.StartTicks).ToList();
            if (!own.Exists(_filter.Matches))
                continue;
            _ticksPerSecond = process.Sources[0].Clock.TicksPerSecond;
            var groups = own.ConvertAll(run => _filter.Matches(run) ? _groups.GetOrAdd(SummaryKey.Of(run)) : -1);
            var resolver = symbols.Of(process).Resolver;
            requests.AddRange(
                process.Requests(new Pass(this, RunWindows.Of(own), groups, resolver, pauses, flames?.Begin(process, resolver)))
            );
        }

        return requests;
    }

    /// <summary>The methods by row, most expensive first; null when no process with measured runs has samples.</summary>
    public IReadOnlyList<MethodCost>? Result() =>
        _stacks == 0
            ? null
            :
            [
                .. _tallies
                    .Select(pair => new MethodCost(
                        _groups[pair.Key.Group],
                        pair.Key.Name,
                        pair.Key.Module,
                        pair.Value.Samples,
                        Milliseconds(pair.Value.Ticks),
                        pair.Value.InclusiveSamples,
                        Milliseconds(pair.Value.InclusiveTicks)
                    )
                    {
                        Kind = pair.Key.Kind,
                        Tiers = [.. s_tiers.Where(tier => tier != CodeTier.Unknown && (pair.Value.Tiers >> (int)tier & 1) != 0)],
                    })
                    .OrderBy(cost => cost.Runs.ToString(), StringComparer.Ordinal)
                    .ThenByDescending(cost => cost.CpuMs)
                    .ThenByDescending(cost => cost.InclusiveCpuMs)
                    .ThenBy(cost => cost.Name, StringComparer.Ordinal),
            ];

    private double Milliseconds(long ticks) => ticks * 1e3 / _ticksPerSecond;

    private CpuTally Tally(int group, CodeSymbol symbol)
    {
        var key = (group, symbol.IsNamed || symbol.IsStub ? symbol.Name : symbol.Module + "+?", symbol.Module, symbol.Kind);
        if (!_tallies.TryGetValue(key, out var tally))
            _tallies.Add(key, tally = new CpuTally());
        return tally;
    }

    /// <summary>Samples of one process. Allocates for new symbols, not for samples.</summary>
    private sealed class Pass(
        MethodCostReading totals,
        RunWindows windows,
        List<int> groups,
        SymbolResolver resolver,
        GcPauses pauses,
        FlameReading.Pass? flames
    ) : IEventSubscriber
    {
        private readonly SampleStack _stack = new(resolver, pauses);

        /// <summary>Tallies by row and symbol index; null until a sample hits.</summary>
        private readonly Dictionary<int, List<CpuTally?>> _rows = [];

        /// <inheritdoc />
        public void Subscribe(EventHub hub) => hub.Subscribe<CpuSample>(OnCpuSample);

        private void OnCpuSample(in CpuSample sample)
        {
            if (
                windows.IndexAt(sample.At.Time, sample.At.ThreadId) is not (>= 0 and var window)
                || groups[window] is not (>= 0 and var group)
            )
                return;
            totals._stacks++;
            _stack.Walk(sample);
            flames?.Add(group, totals._groups[group], sample, _stack);
            if (!_rows.TryGetValue(group, out var row))
                _rows.Add(group, row = []);
            var stack = _stack.Symbols;
            var leaf = At(row, group, stack[0]);
            leaf.Samples++;
            leaf.Ticks += sample.CpuTicks;
            leaf.Tiers |= 1 << (int)resolver.Symbols[stack[0]].Tier;
            foreach (var symbol in stack)
            {
                var tally = At(row, group, symbol);
                if (tally.LastStack == totals._stacks)
                    continue;
                tally.LastStack = totals._stacks;
                tally.InclusiveSamples++;
                tally.InclusiveTicks += sample.CpuTicks;
            }
        }

        private CpuTally At(List<CpuTally?> row, int group, int symbol)
        {
            while (row.Count <= symbol)
                row.Add(null);
            return row[symbol] ??= totals.Tally(group, resolver.Symbols[symbol]);
        }
    }
}
