using System.Runtime.ExceptionServices;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Results;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Runs a plan: series by series, run by run; what fails is said and the rest goes on.</summary>
/// <param name="clock">The clock of this process.</param>
/// <param name="csv">Receives every run, if given.</param>
/// <param name="firstCalls">Runs the first calls.</param>
/// <param name="console">Told of results and errors.</param>
/// <param name="streamKind">Where serialized data goes and comes from.</param>
/// <param name="stop">Asks to end after the current run.</param>
/// <param name="results">Receives every series, if given.</param>
/// <param name="steady">Waits for a steady machine before each measured run, if given; runs during which it was slow are made again.</param>
public sealed class SuiteRunner(
    RunClock clock, RunCsv? csv, FirstCallRunner firstCalls, SuiteConsole console, StreamKind streamKind, CancellationToken stop, SeriesCsv? results = null, SteadyMachine? steady = null)
{
    /// <summary>Most measured runs of a series on a machine that stays slow, as a multiple of those asked for.</summary>
    private const int MostRepetitions = 3;

    /// <summary>Before each settling run: longer than the 100 ms without new code after which the runtime begins to count calls (TC_CallCountingDelayMs).</summary>
    private static readonly TimeSpan s_settlingPause = TimeSpan.FromMilliseconds(120);

    /// <summary>Runs of the same benchmark that processes before this one made.</summary>
    public int RunsBefore { get; init; }

    /// <summary>Processes that will make the same benchmark after this one.</summary>
    public int LaunchesLeft { get; init; }

    /// <summary>Runs that are planned as far as is known: settling runs that turn out not to be needed are taken off, runs that are made again are added.</summary>
    private int _plannedRuns;

    /// <summary>Runs <paramref name="plan"/> to its end, or until asked to stop.</summary>
    public void Run(RunPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        _plannedRuns = RunsBefore + (plan.TotalRuns * (LaunchesLeft + 1));
        foreach (var series in plan.Series)
        {
            if (stop.IsCancellationRequested)
                return;
            if (series.Kind == RunKind.FirstCall)
                Run(series, identity => firstCalls.Run(series, identity, _plannedRuns));
            else
                RunInProcess(series);
        }
    }

    /// <summary>Compares the round trip of every serializer, object count and thread count of <paramref name="plan"/>, without a clock, and says how many are equal.</summary>
    public void Verify(RunPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var (tried, equal) = (0, 0);
        foreach (var series in plan.Series.Where(series => series.Runs > 0 && series.ObjectCount > 0).DistinctBy(series => (series.Serializer, series.ObjectCount, series.ThreadCount)))
        {
            if (stop.IsCancellationRequested)
                break;
            tried++;
            try
            {
                if (RoundTrip.Difference(series.Serializer.Construct(), series.Serializer.CreateModel(), series.ObjectCount, series.PayloadBytes, series.ThreadCount) is { } difference)
                    console.Error(series, $"the round trip differs: {difference}", skippedRuns: 0);
                else
                    equal++;
            }
#pragma warning disable CA1031 // whatever a serializer throws is the result
            catch (Exception exception)
#pragma warning restore CA1031
            {
                console.Error(series, $"the round trip fails: {FirstLine.Of(exception)}", skippedRuns: 0);
            }
        }

        if (tried > 0)
            console.Note($"verified: {equal} of {tried} round trips are equal to what was written");
    }

    private void RunInProcess(PlannedSeries series)
    {
        SeriesWorkload? workload = null;
        Func<long> operation;
        try
        {
            workload = new SeriesWorkload(series, streamKind);
            operation = workload.Operation;
        }
#pragma warning disable CA1031 // what keeps a run from being prepared is recorded as the run's error
        catch (Exception exception)
#pragma warning restore CA1031
        {
            var failure = ExceptionDispatchInfo.Capture(exception);
            operation = () =>
            {
                failure.Throw();
                return -1;
            };
        }

        using (workload)
        using (var calls = series.Kind == RunKind.WarmUp ? new SettlingCalls(series, streamKind) : null)
        {
            Run(series, identity =>
            {
                if (identity.RunNumber > 1)
                    calls?.Make();
                workload?.Reset();
                Heap.CollectAll();
                if (calls is not null)
                    Thread.Sleep(s_settlingPause);
                if (identity.Kind == RunKind.Measured)
                    steady?.WaitUntilSteady();
                var truth = clock.Measure(identity, operation);
                csv?.Write(clock.Runs, _plannedRuns, identity, truth);
                var isSlow = steady?.IsSlow(truth, series.ThreadCount) == true;
                return truth.Error.Length > 0 ? throw new RunFailedException(truth.Error) : RunTime.Of(truth) with { IsSlow = isSlow };
            });
        }
    }

    private void Run(PlannedSeries series, Func<RunIdentity, RunTime> run)
    {
        var runs = new List<RunTime>(series.Runs);
        var error = "";
        var done = 0;
        var jit = series.Kind == RunKind.WarmUp ? new JitActivity() : null;
        try
        {
            foreach (var identity in series.Identities().Concat(Repetitions(series, runs)))
            {
                if (stop.IsCancellationRequested)
                    break;
                done++;
                var time = run(identity);
                if (series.Runs > 0 && identity.Kind == series.Kind)
                    runs.Add(time);
                if (jit is null || !jit.HasComeToRest())
                    continue;
                _plannedRuns -= series.WarmUps - done;
                break;
            }
        }
        catch (RunFailedException failure)
        {
            error = failure.Message;

            // The settling runs are not what was asked for: those that follow say whether the serializer fails.
            if (series.Kind == RunKind.WarmUp)
                console.Warning($"{series.Test} {series.Serializer.Name}: the warm-up failed: {failure.Message}");
            else
                console.Error(series, failure.Message, Math.Max(series.WarmUps + series.Runs - done, 0));
        }

        // A machine that was slow all the time: all runs say more than none.
        var counting = runs.Exists(time => !time.IsSlow) ? runs.FindAll(time => !time.IsSlow) : runs;
        if (runs.Count > 0)
            console.Series(series, [.. counting.Select(time => time.Milliseconds)], runs[^1].DataBytes, runs.Count(time => time.IsSlow), Math.Max(runs.Count - series.Runs, 0));
        if (series.Runs > 0 && (runs.Count > 0 || error.Length > 0))
            results?.Write(series, counting, error);
    }

    /// <summary>A run more for each one that did not count, as long as that may help.</summary>
    /// <param name="series">The series.</param>
    /// <param name="runs">Its reported runs so far; grows while this is enumerated.</param>
    private IEnumerable<RunIdentity> Repetitions(PlannedSeries series, List<RunTime> runs)
    {
        for (var number = series.Runs + 1; runs.Count(time => !time.IsSlow) < series.Runs && number <= series.Runs * MostRepetitions; number++)
        {
            _plannedRuns++;
            yield return series.Repetition(number);
        }
    }
}
