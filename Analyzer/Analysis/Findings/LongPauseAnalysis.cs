using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Samples of the GC's threads in long pauses, by function.</summary>
internal static class LongPauseAnalysis
{
    /// <summary>Class name that identifies GC functions in any module.</summary>
    private const string CollectorClass = "gc_heap::";

    /// <summary>Reads the samples of the processes with long pauses, one pass each.</summary>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="gcs">Their GCs.</param>
    /// <param name="symbols">Symbols of the processes.</param>
    /// <exception cref="IOException">A file became unreadable.</exception>
    public static IReadOnlyList<LongPause> Run(IReadOnlyList<TracedProcess> processes, IReadOnlyList<GcRow> gcs, SymbolReading symbols) =>
        [
            .. gcs.Where(LongPause.IsLong)
                .GroupBy(gc => gc.Process)
                .SelectMany(own => Read(processes.First(process => process.Key == own.Key), [.. own.OrderBy(gc => gc.StartTicks)], symbols))
                .OrderByDescending(pause => pause.Gc.PauseMs),
        ];

    private static IEnumerable<LongPause> Read(TracedProcess process, List<GcRow> gcs, SymbolReading symbols)
    {
        // EventPipe's sample profiler takes none during a GC.
        if ((process.Kinds & EventKinds.CpuSamples) == 0 || (process.Details & EventDetails.ManagedSamples) != 0)
            return gcs.Select(gc => new LongPause(gc, null, []));
        var pass = new Pass(gcs, process.Sources[0].Clock, symbols.Of(process));
        process.Read(pass);
        return gcs.Select((gc, index) => pass.Result(index, gc));
    }

    private sealed class Pass(List<GcRow> gcs, TraceClock clock, ProcessSymbols symbols) : IEventSubscriber
    {
        /// <summary>Starts and stops of the pauses. The suspension before the GC's start is short compared with a long pause.</summary>
        private readonly RunWindows _pauses = new(
            gcs.Select(gc => (gc.StartTicks, gc.StartTicks + (long)(gc.PauseMs / 1e3 * clock.TicksPerSecond)))
        );
        private readonly SampleStack _stack = new(symbols.Resolver);

        /// <summary>Whether a symbol is a GC function, by symbol index.</summary>
        private readonly List<bool> _isCollector = [];
        private readonly Dictionary<(int Pause, string Name, string Module), CpuTally> _tallies = [];
        private readonly long[] _samples = new long[gcs.Count];
        private long _stacks;

        /// <inheritdoc />
        public void Subscribe(EventHub hub) => hub.Subscribe<CpuSample>(OnCpuSample);

        private void OnCpuSample(in CpuSample sample)
        {
            if (_pauses.IndexAt(sample.At.Time) is not (>= 0 and var pause))
                return;
            _stack.Walk(sample);
            if (!IsCollectors(sample.At.ThreadId, pause))
                return;
            _samples[pause]++;
            _stacks++;
            var stack = _stack.Symbols;
            TallyOf(pause, stack[0]).Samples++;
            foreach (var symbol in stack)
            {
                var tally = TallyOf(pause, symbol);
                if (tally.LastStack == _stacks)
                    continue;
                tally.LastStack = _stacks;
                tally.InclusiveSamples++;
            }
        }

        public LongPause Result(int pause, GcRow gc) =>
            new(
                gc,
                _samples[pause],
                [
                    .. _tallies
                        .Where(pair => pair.Key.Pause == pause)
                        .Select(pair => new LongPauseMethod(
                            pair.Key.Name,
                            pair.Key.Module,
                            pair.Value.Samples,
                            pair.Value.InclusiveSamples
                        ))
                        .OrderByDescending(method => method.InclusiveSamples)
                        .ThenByDescending(method => method.Samples)
                        .ThenBy(method => method.Name, StringComparer.Ordinal),
                ]
            );

        /// <summary>The thread that began the GC, a GC thread, or a thread inside it (traces of older Windows name no threads).</summary>
        private bool IsCollectors(long thread, int pause)
        {
            if (thread == gcs[pause].ThreadId || RuntimeThreads.RoleOf(symbols.Layout.ThreadName(thread)) == ThreadRole.Gc)
                return true;
            foreach (var symbol in _stack.Symbols)
            {
                while (_isCollector.Count <= symbol)
                    _isCollector.Add(symbols.Resolver.Symbols[_isCollector.Count].Name.Contains(CollectorClass, StringComparison.Ordinal));
                if (_isCollector[symbol])
                    return true;
            }

            return false;
        }

        private CpuTally TallyOf(int pause, int number)
        {
            var symbol = symbols.Resolver.Symbols[number];
            var key = (pause, symbol.IsNamed || symbol.IsStub ? symbol.Name : symbol.Module + "+?", symbol.Module);
            if (!_tallies.TryGetValue(key, out var tally))
                _tallies.Add(key, tally = new CpuTally());
            return tally;
        }
    }
}
