using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Results;
using EtwSerializerProfiler.Workload.Runs.Isolation;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Executes a plan series by series and run by run. Failures are reported, and the rest continues.</summary>
/// <param name="clock">The clock of this process.</param>
/// <param name="csv">Receives every run, if given.</param>
/// <param name="firstCalls">Makes the first calls.</param>
/// <param name="console">Receives results and errors.</param>
/// <param name="streamKind">Target and source of serialized data.</param>
/// <param name="stop">Requests to end after the current run.</param>
/// <param name="results">Receives every series, if given.</param>
/// <param name="steady">Waits for a steady machine before each measured run, if given; runs on a slow machine are repeated.</param>
public sealed class SuiteRunner(
    RunClock clock,
    RunCsv? csv,
    FirstCallRunner firstCalls,
    SuiteConsole console,
    StreamKind streamKind,
    CancellationToken stop,
    SeriesCsv? results = null,
    SteadyMachine? steady = null
)
{
    /// <summary>Maximum number of measured runs of a series on a machine that stays slow, as a multiple of the planned ones.</summary>
    private const int MaxRepetitions = 3;

    /// <summary>Whether this process runs only one serializer, so that its memory is that of the serializer.</summary>
    private bool _measuresOne;

    /// <summary>What the last settling left (<see cref="Runs.Settling.Settle"/>).</summary>
    private long _unsettledMethods = RunMeasurement.Unknown;

    /// <summary>Number of rehearsed runs that are planned and not yet made.</summary>
    private int _plannedRehearsals;

    /// <summary>Number of runs of the same benchmark in other processes, as far as known.</summary>
    public int OtherRuns { get; set; }

    /// <summary>Number of runs of this process, as far as known: with rehearsed and repeated runs.</summary>
    public int OwnRuns { get; private set; }

    /// <summary>Number of runs of the whole benchmark, as far as known.</summary>
    private int PlannedRuns => OtherRuns + OwnRuns;

    /// <summary>Executes <paramref name="plan"/> to its end, or until cancelled.</summary>
    public void Run(RunPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        Begin(plan, firstUses: 1);
        foreach (var series in plan.Series)
        {
            if (stop.IsCancellationRequested)
                return;
            if (series.Kind == RunKind.WarmUp)
                Settle(series);
            else if (series.Kind == RunKind.FirstCall)
                Run(series, identity => firstCalls.Run(series, identity, PlannedRuns));
            else
                Measure(series);
        }
    }

    /// <summary>Executes <paramref name="plan"/> of one serializer in the phases that another process requests.</summary>
    /// <returns>Whether all of it was executed.</returns>
    public bool Run(RunPlan plan, PhaseGate gate)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(gate);
        var firstUses = plan.Series.Where(series => series.Kind == RunKind.WarmUp).ToList();
        Begin(plan, firstUses.Count);
        using var settling = Settling(firstUses);
        var isMeasured = false;
        while (gate.Wait() is var (phase, otherRuns))
        {
            OtherRuns = otherRuns;
            if (phase == Phase.FirstUse)
                settling.UseFirst();
            else if (phase == Phase.Settle)
                Settle(settling);
            else
                isMeasured = Measure(plan);
            gate.Answer(OwnRuns);
        }

        return isMeasured;
    }

    /// <param name="plan">All runs but rehearsed ones.</param>
    /// <param name="firstUses">Number of first uses before the rehearsed runs.</param>
    private void Begin(RunPlan plan, int firstUses)
    {
        _plannedRehearsals = plan.Series.Any(series => series.Kind == RunKind.WarmUp) ? Runs.Settling.RehearsedRuns(firstUses) : 0;
        OwnRuns = plan.TotalRuns + _plannedRehearsals;
        var here = plan.Series.Where(series => series.Kind != RunKind.FirstCall); // a first call has its own process
        _measuresOne = here.Select(series => series.Serializer).Distinct().Count() == 1;
    }

    private bool Measure(RunPlan plan)
    {
        foreach (var series in plan.Series.Where(series => series.Kind == RunKind.Measured && !stop.IsCancellationRequested))
            Measure(series);
        return !stop.IsCancellationRequested;
    }

    /// <summary>
    /// Compares the round trip of every serializer, object count and thread count of <paramref name="plan"/> without a clock, and reports
    /// how many are equal.
    /// </summary>
    public void Verify(RunPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var (tried, equal) = (0, 0);
        foreach (
            var series in plan
                .Series.Where(series => series.Runs > 0 && series.ObjectCount > 0)
                .DistinctBy(series => (series.Serializer, series.ObjectCount, series.ThreadCount))
        )
        {
            if (stop.IsCancellationRequested)
                break;
            tried++;
            try
            {
                if (
                    RoundTrip.Difference(
                        series.Serializer.Construct(),
                        series.Serializer.CreateModel(),
                        series.ObjectCount,
                        series.PayloadBytes,
                        series.ThreadCount
                    ) is
                    { } difference
                )
                    console.Error(series, $"the round trip differs: {difference}", skippedRuns: 0);
                else
                    equal++;
            }
#pragma warning disable CA1031 // any exception of a serializer is the result
            catch (Exception exception)
#pragma warning restore CA1031
            {
                console.Error(series, $"the round trip fails: {FirstLine.Of(exception)}", skippedRuns: 0);
            }
        }

        if (tried > 0)
            console.Note($"verified: {equal} of {tried} round trips are equal to the original");
    }

    private Settling Settling(IReadOnlyList<PlannedSeries> series) =>
        new(series, streamKind, (prepared, identity) => Make(prepared, identity), console, stop);

    private void Settle(PlannedSeries series)
    {
        using var settling = Settling([series]);
        settling.UseFirst();
        Settle(settling);
    }

    private void Settle(Settling settling)
    {
        _unsettledMethods = settling.Settle();
        OwnRuns += settling.Rehearse(Runs.Settling.RehearsedRuns(clock.Runs)) - _plannedRehearsals;
        _plannedRehearsals = 0;
        settling.Dispose();
    }

    private void Measure(PlannedSeries series)
    {
        using var prepared = new PreparedSeries(series, streamKind);
        Run(series, identity => Make(prepared, identity));
    }

    private RunTime Make(PreparedSeries prepared, RunIdentity identity)
    {
        prepared.Reset();
        Heap.CollectAll();
        if (identity.Kind == RunKind.Measured)
            steady?.WaitUntilSteady();
        var measurement = clock.Measure(identity, prepared.Operation) with
        {
            PeakWorkingSetBytes = _measuresOne ? ProcessFootprint.PeakWorkingSetBytes() : RunMeasurement.Unknown,
            ProgramBytes = ProcessFootprint.ProgramBytes,
            UnsettledMethods = identity.Kind == RunKind.Measured ? _unsettledMethods : RunMeasurement.Unknown,
        };
        csv?.Write(clock.Runs, PlannedRuns, identity, measurement);
        var isSlow = steady?.IsSlow(measurement, identity.ThreadCount) == true;
        return measurement.Error.Length > 0
            ? throw new RunFailedException(measurement.Error)
            : RunTime.Of(measurement) with
            {
                IsSlow = isSlow,
            };
    }

    private void Run(PlannedSeries series, Func<RunIdentity, RunTime> run)
    {
        var runs = new List<RunTime>(series.Runs);
        var error = "";
        var done = 0;
        try
        {
            foreach (var identity in series.Identities().Concat(Repetitions(series, runs)))
            {
                if (stop.IsCancellationRequested)
                    break;
                done++;
                var time = run(identity);
                if (identity.Kind == series.Kind)
                    runs.Add(time);
            }
        }
        catch (RunFailedException failure)
        {
            error = failure.Message;
            var skipped = Math.Max(series.WarmUps + series.Runs - done, 0);
            OwnRuns -= skipped;
            console.Error(series, failure.Message, skipped);
        }

        // The machine was slow all the time: reporting all runs is better than none.
        var counting = runs.Exists(time => !time.IsSlow) ? runs.FindAll(time => !time.IsSlow) : runs;
        if (runs.Count > 0)
            console.Series(
                series,
                [.. counting.Select(time => time.Milliseconds)],
                runs[^1].DataBytes,
                runs.Count(time => time.IsSlow),
                Math.Max(runs.Count - series.Runs, 0)
            );
        if (runs.Count > 0 || error.Length > 0)
            results?.Write(series, counting, error);
    }

    /// <summary>Yields an additional run for each one that did not count, up to the limit.</summary>
    /// <param name="series">The series.</param>
    /// <param name="runs">Its reported runs so far; grows during the enumeration.</param>
    private IEnumerable<RunIdentity> Repetitions(PlannedSeries series, List<RunTime> runs)
    {
        for (
            var number = series.Runs + 1;
            runs.Count(time => !time.IsSlow) < series.Runs && number <= series.Runs * MaxRepetitions;
            number++
        )
        {
            OwnRuns++;
            yield return series.Repetition(number);
        }
    }
}
