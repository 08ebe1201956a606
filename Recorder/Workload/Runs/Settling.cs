using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// The settling runs of a serializer's operations, in rounds: calls with a small graph, a pause, and a run of each operation. They end when
/// the JIT has no more work, or with the last planned run.
/// </summary>
/// <param name="series">The settling runs, one series per operation.</param>
/// <param name="streamKind">Target and source of serialized data.</param>
/// <param name="run">Makes a run.</param>
/// <param name="console">Receives failures as warnings, because the measured runs will show them as errors.</param>
/// <param name="stop">Requests to end.</param>
public sealed class Settling(
    IReadOnlyList<PlannedSeries> series,
    StreamKind streamKind,
    Action<PreparedSeries, RunIdentity> run,
    SuiteConsole console,
    CancellationToken stop
) : IDisposable
{
    /// <summary>Longer than the 100 ms without new code after which the runtime starts to count calls (TC_CallCountingDelayMs).</summary>
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(120);

    /// <summary>The operations without failures.</summary>
    private readonly List<Operation> _operations = [.. series.Select(planned => new Operation(planned, streamKind))];

    /// <summary>Counts compiled methods from the first round.</summary>
    private JitActivity? _jit;

    /// <summary>Number of planned runs that turned out to be unnecessary or impossible.</summary>
    public int SparedRuns { get; private set; }

    /// <summary>Makes a round.</summary>
    /// <returns>Whether another one is needed.</returns>
    public bool Round()
    {
        if (_jit is null)
        {
            _jit = new JitActivity();
        }
        else
        {
            Each(static operation => operation.Calls.Make());
            Thread.Sleep(s_pause);
        }

        // Prepared one after the other: preparing a read lets the serializer write, which must not be part of the first write.
        Each(operation => run(operation.Prepare(), operation.Next()));
        if (stop.IsCancellationRequested || _operations.TrueForAll(operation => operation.Left == 0))
            return false;
        if (!_jit.HasComeToRest())
            return true;
        SparedRuns += _operations.Sum(operation => operation.Left);
        return false;
    }

    /// <summary>
    /// Makes runs of a small graph. The code around a run (clock, marks, run CSV) is called once per run; without these runs it would be
    /// compiled for its next tier, after 30 calls, during measured runs.
    /// </summary>
    /// <param name="runs">Number of runs.</param>
    /// <returns>Number of runs made: 0 when no operation remains.</returns>
    public int Rehearse(int runs)
    {
        if (runs <= 0 || _operations.Count == 0)
            return 0;
        var rehearsed = SettlingCalls.Small(_operations[0].Series) with { WarmUps = runs };
        using var prepared = new PreparedSeries(rehearsed, streamKind);
        var made = 0;
        try
        {
            foreach (var identity in rehearsed.Identities().TakeWhile(_ => !stop.IsCancellationRequested))
            {
                made++;
                run(prepared, identity);
            }
        }
        catch (RunFailedException failure)
        {
            console.Warning($"{rehearsed.Test} {rehearsed.Serializer.Name}: the warm-up failed: {failure.Message}");
        }

        Thread.Sleep(s_pause);
        return made;
    }

    /// <summary>Closes the streams.</summary>
    public void Dispose()
    {
        foreach (var operation in _operations)
            operation.Dispose();
        _operations.Clear();
    }

    private void Each(Action<Operation> action)
    {
        foreach (var operation in _operations.ToArray())
        {
            if (stop.IsCancellationRequested)
                return;
            try
            {
                action(operation);
            }
            catch (RunFailedException failure)
            {
                console.Warning($"{operation.Series.Test} {operation.Series.Serializer.Name}: the warm-up failed: {failure.Message}");
                SparedRuns += operation.Left;
                operation.Dispose();
                _operations.Remove(operation);
            }
        }
    }

    /// <summary>The settling runs of one operation.</summary>
    private sealed class Operation(PlannedSeries series, StreamKind streamKind) : IDisposable
    {
        private PreparedSeries? _prepared;

        /// <summary>Number of runs made, including the failed one.</summary>
        private int _made;

        public PlannedSeries Series => series;

        public int Left => series.WarmUps - _made;

        public SettlingCalls Calls { get; } = new(series, streamKind);

        public RunIdentity Next() => series.Identities().ElementAt(_made++);

        public PreparedSeries Prepare() => _prepared ??= new PreparedSeries(series, streamKind);

        public void Dispose()
        {
            Calls.Dispose();
            _prepared?.Dispose();
        }
    }
}
