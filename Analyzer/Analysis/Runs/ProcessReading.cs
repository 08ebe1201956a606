using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Runs.SerializerTests;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>One process in the passes over its sources, with the data that all phases share.</summary>
internal sealed class ProcessReading
{
    private readonly SymbolReading _symbols;
    private readonly ManagedCodeMap _methods;
    private readonly GcPauses _pauses = new();
    private readonly Dictionary<ITraceSource, TraceReadResult> _results = [];
    private readonly bool _causes;
    private readonly bool _causeMethods;

    /// <summary>Symbols of a process whose samples get no names; created on demand.</summary>
    private ProcessSymbols? _ownSymbols;

    /// <summary>Creates it before the first pass.</summary>
    /// <param name="process">The process.</param>
    /// <param name="symbols">Provides the symbols of the process, shared by all reports with its stacks.</param>
    /// <param name="causes">Whether to find the causes of CPU samples.</param>
    /// <param name="causeMethods">Whether to sum causes by method, too.</param>
    public ProcessReading(TracedProcess process, SymbolReading symbols, bool causes, bool causeMethods)
    {
        (Process, _symbols, _causes, _causeMethods) = (process, symbols, causes, causeMethods);
        Clock = ClockOf(process);
        MarkSource =
            process.Range is not null || process.EventRuns is not null
                ? null
                : process.Sources.FirstOrDefault(source => (source.Kinds & EventKinds.RunMarks) != 0);
        (_methods, Layout) = (NamesSamples ? symbols.TryBegin(process) : null) ?? (new ManagedCodeMap(), new ProcessLayout());
    }

    public TracedProcess Process { get; }

    /// <summary>The sources' clock; without sources, that of the runs themselves.</summary>
    public TraceClock Clock { get; }

    /// <summary>
    /// The source of the marks; null when no source has any, and when the user named the runs: a part of the trace, or events.
    /// </summary>
    public ITraceSource? MarkSource { get; }

    /// <summary>Threads and modules.</summary>
    public ProcessLayout Layout { get; }

    /// <summary>Read results of each source so far.</summary>
    public IReadOnlyDictionary<ITraceSource, TraceReadResult> Results => _results;

    /// <summary>Symbols of the process. Valid after its code was read: before the runs are named.</summary>
    public ProcessSymbols Symbols =>
        NamesSamples ? _symbols.Of(Process) : _ownSymbols ??= ProcessSymbols.Of(Process, _methods, Layout, _symbols.Files);

    /// <summary>Whether the process has no marks, but has the delimiters of SerializerTests.</summary>
    public bool MayBeSerializerTests =>
        Process.Range is null
        && Process.EventRuns is null
        && MarkSource is null
        && Process.CsvRows.Count == 0
        && SerializerTestsPhase.CanRead(Process.Kinds);

    /// <summary>
    /// Whether samples can be attributed to methods and something needs it: causes, or the serializers of SerializerTests.
    /// </summary>
    public bool NamesSamples =>
        (_causes || MayBeSerializerTests) && (Process.Kinds & EventKinds.CpuSamples) != 0 && (Process.Kinds & EventKinds.MethodCode) != 0;

    /// <summary>Whether the sources lost events that may be switches.</summary>
    public bool HasLostSwitches => _results.Any(pair => pair.Value.LostEvents > 0 && (pair.Key.Kinds & EventKinds.ContextSwitches) != 0);

    /// <summary>Requests for data that names samples: methods, and the GCs of each thread.</summary>
    /// <param name="ofMarkSource">Whether to request from the source of the marks, or from the others.</param>
    public IEnumerable<TraceRequest> CodeRequests(bool ofMarkSource) =>
        NamesSamples
            ? Process.Requests(_methods).Concat(Process.Requests(_pauses)).Where(request => request.Source == MarkSource == ofMarkSource)
            : [];

    /// <summary>Creates the attribution of causes; null when not needed.</summary>
    public CauseAttribution? CreateCauses() =>
        _causes && NamesSamples ? new CauseAttribution(Symbols, _pauses, Clock.TicksPerSecond, _causeMethods) : null;

    /// <summary>Adds the read results of sources, including those of other processes.</summary>
    public void Add(IReadOnlyDictionary<ITraceSource, TraceReadResult> found)
    {
        foreach (var source in Process.Sources)
        {
            if (found.TryGetValue(source, out var result))
                _results[source] = result;
        }
    }

    private static TraceClock ClockOf(TracedProcess process)
    {
        if (process.Sources.Count > 0)
            return new TraceClock(
                process.Sources.Select(source => source.Clock.OriginTicks).Where(origin => origin > 0).DefaultIfEmpty().Min(),
                process.Sources[0].Clock.TicksPerSecond
            );
        var timed = process.CsvRows.Where(row => row.SelfMeasurement.TicksPerSecond > 0).Select(row => row.SelfMeasurement).ToList();
        return timed.Count == 0
            ? new TraceClock(0, 1_000_000_000)
            : new TraceClock(timed.Min(own => own.StartTicks), timed[0].TicksPerSecond);
    }
}
