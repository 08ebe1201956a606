using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// What a serializer's operations do before their measured runs: the first use of each, which is a run; then calls without marks in rounds,
/// each followed by a pause, until the JIT has no more work; then runs of a small graph, which do the same for the code around a run.
/// </summary>
/// <remarks>
/// The rounds call the serializer only. If they made runs, the code around a run (clock, marks, run CSV) would be compiled from tier to
/// tier beside the serializer's: 30 to 60 methods in each of the first 12 rounds, so that the JIT was never seen at rest.
/// </remarks>
/// <param name="series">The series of first uses, one per operation.</param>
/// <param name="streamKind">Target and source of serialized data.</param>
/// <param name="run">Executes a run.</param>
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
    private const int PauseMilliseconds = 120;

    /// <summary>
    /// Limit for a machine whose processors are so busy that the JIT does not get through its work. On two processors the processes of the
    /// default benchmark, 17 at a time, need 16 to 43 rounds, a single one 17.
    /// </summary>
    private const int MaxRounds = 60;

    /// <summary>
    /// Every third round calls each operation with the large graph, too: it has code that the small one does not reach, such as the growth
    /// of buffers, but takes many times as long.
    /// </summary>
    private const int RoundsPerLargeGraph = 3;

    /// <summary>
    /// Minimum number of runs of a process before its first measured one. In the default benchmark, 1,741 methods were compiled during 238
    /// measured runs without it, 165 with 40 runs, 290 with 80; that was when settling made runs, too.
    /// </summary>
#if NET
    private const int MinRuns = 40;
#else
    private const int MinRuns = 0; // no tiers
#endif

    /// <summary>The operations without failures.</summary>
    private readonly List<Operation> _operations = [.. series.Select(planned => new Operation(planned, streamKind))];

    /// <summary>Number of runs to rehearse in a process.</summary>
    /// <param name="runs">Number of runs that it has made.</param>
    public static int RehearsedRuns(int runs) => Math.Max(0, MinRuns - runs);

    /// <summary>Executes the first run of each operation.</summary>
    public void UseFirst()
    {
        // Prepared one after the other: preparing a read lets the serializer write, which must not be part of the first write.
        foreach (var operation in _operations.ToArray())
        {
            if (stop.IsCancellationRequested)
                return;
            try
            {
                using var prepared = new PreparedSeries(operation.Series, streamKind);
                run(prepared, operation.Series.Identities().Single());
            }
            catch (RunFailedException failure)
            {
                Remove(operation, failure);
            }
        }
    }

    /// <summary>Calls the operations until the JIT has no more work, or for the maximum number of rounds.</summary>
    /// <returns>Number of methods that it still compiled at the end (<see cref="JitActivity.Unsettled"/>); 0 when it has come to rest.</returns>
    [MethodImpl(JitActivity.WithoutTiers)]
    public long Settle()
    {
        var jit = new JitActivity();
        for (var round = 0; round < MaxRounds && _operations.Count > 0 && !stop.IsCancellationRequested; round++)
        {
            for (var place = _operations.Count - 1; place >= 0; place--)
                Call(_operations[place], isLarge: round % RoundsPerLargeGraph == 0);
            Thread.Sleep(PauseMilliseconds);
            if (jit.HasComeToRest())
                break;
        }

        return _operations.Count == 0 ? 0 : jit.Unsettled;
    }

    /// <summary>
    /// Executes runs of a small graph. The code around a run (clock, marks, run CSV) is called once per run; without these runs it would be
    /// compiled for its next tier, after 30 calls, during measured runs.
    /// </summary>
    /// <param name="runs">Number of runs.</param>
    /// <returns>Number of runs made: 0 when no operation remains.</returns>
    public int Rehearse(int runs)
    {
        if (runs <= 0 || _operations.Count == 0)
            return 0;
        var rehearsed = SettlingCalls.Small(_operations[0].Series) with { WarmUps = runs };

        // Two full GCs precede each run; without the graphs of the rounds they have less to mark.
        Dispose();
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
            Warn(rehearsed, failure);
        }

        Thread.Sleep(PauseMilliseconds);
        return made;
    }

    /// <summary>Closes the streams.</summary>
    public void Dispose()
    {
        foreach (var operation in _operations)
            operation.Dispose();
        _operations.Clear();
    }

    [MethodImpl(JitActivity.WithoutTiers)]
    private void Call(Operation operation, bool isLarge)
    {
        try
        {
            if (isLarge)
                operation.LargeCall.Make();
            operation.SmallCalls.Make();
        }
        catch (RunFailedException failure)
        {
            Remove(operation, failure);
        }
    }

    private void Remove(Operation operation, RunFailedException failure)
    {
        Warn(operation.Series, failure);
        operation.Dispose();
        _operations.Remove(operation);
    }

    private void Warn(PlannedSeries failed, RunFailedException failure) =>
        console.Warning($"{failed.Test} {failed.Serializer.Name}: the warm-up failed: {failure.Message}");

    /// <summary>One operation of the serializer.</summary>
    private sealed class Operation(PlannedSeries series, StreamKind streamKind) : IDisposable
    {
        public PlannedSeries Series => series;

        public SettlingCalls LargeCall { get; } = new(series, streamKind, calls: 1);

        public SettlingCalls SmallCalls { get; } = SettlingCalls.OfSmallGraph(series, streamKind);

        public void Dispose()
        {
            LargeCall.Dispose();
            SmallCalls.Dispose();
        }
    }
}
