using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// The settling runs of the operations of a serializer, in rounds: calls of a small graph, a pause, and a run of each operation. They end when the JIT has come to rest, or with the last run
/// that is planned.
/// </summary>
/// <param name="series">The settling runs, a series an operation.</param>
/// <param name="streamKind">Where the data goes and comes from.</param>
/// <param name="run">Makes a run.</param>
/// <param name="console">Receives what fails: the measured runs show whether the serializer fails, so it is a warning here.</param>
/// <param name="stop">Asks to end.</param>
public sealed class Settling(IReadOnlyList<PlannedSeries> series, StreamKind streamKind, Action<PreparedSeries, RunIdentity> run, SuiteConsole console, CancellationToken stop) : IDisposable
{
    /// <summary>Longer than the 100 ms without new code after which the runtime begins to count calls (TC_CallCountingDelayMs).</summary>
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(120);

    /// <summary>The operations that have not failed.</summary>
    private readonly List<Operation> _operations = [.. series.Select(planned => new Operation(planned, streamKind))];

    /// <summary>Counts compiled methods from the first round on.</summary>
    private JitActivity? _jit;

    /// <summary>Planned runs that turned out not to be needed, or not to be possible.</summary>
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

        // Prepared in turn: to prepare a read, the serializer has to write, which is to be no part of the first write.
        Each(operation => run(operation.Prepare(), operation.Next()));
        if (stop.IsCancellationRequested || _operations.TrueForAll(operation => operation.Left == 0))
            return false;
        if (!_jit.HasComeToRest())
            return true;
        SparedRuns += _operations.Sum(operation => operation.Left);
        return false;
    }

    /// <summary>
    /// Makes runs of a small graph: what surrounds a run (clock, marks, run CSV) is called once a run, and would be compiled for its next tier, after 30 calls, during measured ones.
    /// </summary>
    /// <param name="runs">How many.</param>
    /// <returns>How many were made: none when no operation is left.</returns>
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

        /// <summary>Runs made, the one that failed too.</summary>
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
