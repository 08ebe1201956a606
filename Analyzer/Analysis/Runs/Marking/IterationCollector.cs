using System.Runtime.InteropServices;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.Marking;

/// <summary>
/// Collects the iterations of a BenchmarkDotNet program: each iteration of a workload is a run, delimited by the engine's events. First
/// calls, pilot and warm-up iterations are runs before the measured ones.
/// </summary>
internal sealed class IterationCollector : IEventSubscriber
{
    private readonly List<RunMarks> _runs = [];

    /// <summary>Index of the first run without a name: the engine names the benchmark after its first calls.</summary>
    private int _firstUnnamed;

    /// <summary>Number of runs so far by kind, for the current benchmark.</summary>
    private readonly Dictionary<RunKind, int> _numbers = [];

    /// <summary>The current benchmark; null before its name.</summary>
    private RunIdentity? _benchmark;

    /// <summary>Stage of the open iteration, which is the last run; null between iterations.</summary>
    private BenchmarkStage? _open;

    /// <summary>Runs ordered by start.</summary>
    public IReadOnlyList<RunMarks> Runs => _runs;

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<BenchmarkMeasured>(OnBenchmarkMeasured);
        hub.Subscribe<BenchmarkIteration>(OnBenchmarkIteration);
    }

    private void OnBenchmarkMeasured(in BenchmarkMeasured benchmark)
    {
        _benchmark = benchmark.IsStart ? BenchmarkName.Parse(benchmark.Name) : null;
        if (benchmark.IsStart)
            NameRuns();
        else
            _numbers.Clear();
    }

    private void OnBenchmarkIteration(in BenchmarkIteration iteration)
    {
        if (iteration.IsStart)
        {
            var kind = iteration.Stage == BenchmarkStage.Actual ? RunKind.Measured : RunKind.WarmUp;
            _runs.Add(
                new RunMarks(_runs.Count + 1)
                {
                    Iteration = new RunIteration(kind, iteration.Operations),
                    MarkStart = iteration.At.Time,
                    MeasuringThread = iteration.At.ThreadId,
                }
            );
            _open = iteration.Stage;
            if (_benchmark is not null)
                NameRuns();
        }
        else if (_open == iteration.Stage && _runs[^1].MeasuringThread == iteration.At.ThreadId)
        {
            _runs[^1] = _runs[^1] with { MarkClockStopped = iteration.At.Time, Stopped = true };
            _open = null;
        }
    }

    private void NameRuns()
    {
        foreach (ref var run in CollectionsMarshal.AsSpan(_runs)[_firstUnnamed..])
        {
            var kind = run.Iteration!.Kind;
            run = run with
            {
                Identity = _benchmark! with { Kind = kind, RunNumber = _numbers[kind] = _numbers.GetValueOrDefault(kind) + 1 },
            };
        }

        _firstUnnamed = _runs.Count;
    }
}
