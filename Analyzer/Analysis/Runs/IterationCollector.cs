using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// First pass over a program that measures by BenchmarkDotNet: each iteration of a workload is a run, delimited by the engine's events. First calls, pilot and warm-up
/// iterations are runs that were made before the measured ones.
/// </summary>
internal sealed class IterationCollector : IEventSubscriber
{
    /// <summary>Runs of the benchmark whose name was not told yet: it is told behind the first calls.</summary>
    private readonly List<RunDraft> _unnamed = [];

    /// <summary>Runs so far of each kind of the benchmark that is measured.</summary>
    private readonly Dictionary<RunKind, int> _numbers = [];

    /// <summary>The benchmark that is measured; null before its name.</summary>
    private RunIdentity? _benchmark;

    /// <summary>The iteration that has begun, and what it is for.</summary>
    private (RunDraft Draft, BenchmarkStage Stage)? _open;

    /// <summary>Runs in the order of their begins.</summary>
    public List<RunDraft> Drafts { get; } = [];

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<BenchmarkMeasured>(OnBenchmarkMeasured);
        hub.Subscribe<BenchmarkIteration>(OnBenchmarkIteration);
    }

    private void OnBenchmarkMeasured(in BenchmarkMeasured benchmark)
    {
        if (!benchmark.IsStart)
        {
            _benchmark = null;
            _numbers.Clear();
            return;
        }

        _benchmark = BenchmarkName.Parse(benchmark.Name);
        foreach (var draft in _unnamed)
            Name(draft);
        _unnamed.Clear();
    }

    private void OnBenchmarkIteration(in BenchmarkIteration iteration)
    {
        if (iteration.IsStart)
        {
            var kind = iteration.Stage == BenchmarkStage.Actual ? RunKind.Measured : RunKind.WarmUp;
            var draft = new RunDraft(Drafts.Count + 1) { Iteration = new RunIteration(kind, iteration.Operations), MarkStart = iteration.At.Time, MeasuringThread = iteration.At.ThreadId };
            Drafts.Add(draft);
            _open = (draft, iteration.Stage);
            if (_benchmark is not null)
                Name(draft);
            else
                _unnamed.Add(draft);
        }
        else if (_open is { } open && open.Stage == iteration.Stage && open.Draft.MeasuringThread == iteration.At.ThreadId)
        {
            open.Draft.MarkClockStopped = iteration.At.Time;
            open.Draft.Stopped = true;
            _open = null;
        }
    }

    private void Name(RunDraft draft)
    {
        var kind = draft.Iteration!.Kind;
        draft.Identity = _benchmark! with { Kind = kind, RunNumber = _numbers[kind] = _numbers.GetValueOrDefault(kind) + 1 };
    }
}
