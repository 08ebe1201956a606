using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Analysis.Runs.Marking;

/// <summary>Data on runs from the run CSV: runs without marks in the trace, and values that marks do not carry.</summary>
internal static class CsvRuns
{
    /// <summary>
    /// Runs of a process that cannot mark them in the trace (Mono); the switches will provide their marker's waits. The CSV's clock may be
    /// coarser than the trace's (Mono's Stopwatch counts CLOCK_MONOTONIC in 100 ns); a run that starts before the trace used another clock
    /// and is omitted.
    /// </summary>
    public static IReadOnlyList<RunMarks> WithoutMarks(IReadOnlyList<RunCsvRow> rows, TraceClock clock)
    {
        var runs = new List<RunMarks>();
        var before = clock.OriginTicks;
        foreach (var row in rows.OrderBy(row => row.SelfMeasurement.StartTicks))
        {
            if (row.SelfMeasurement.TicksPerSecond <= 0 || clock.TicksPerSecond % row.SelfMeasurement.TicksPerSecond != 0)
                continue;
            var own = InTicksOf(clock, row.SelfMeasurement);
            if (own.StopTicks <= own.StartTicks || own.StartTicks < clock.OriginTicks)
                continue;
            runs.Add(
                new RunMarks(row.RunId)
                {
                    Identity = row.Identity,
                    SelfMeasurement = own,
                    NotBefore = before,
                }
            );
            before = own.StopTicks;
        }

        return runs;
    }

    /// <summary>Returns the runs with the data of their rows; a row without a run becomes one.</summary>
    public static IReadOnlyList<RunMarks> Join(IReadOnlyList<RunMarks> marked, IReadOnlyList<RunCsvRow> rows)
    {
        var runs = marked.ToList();
        foreach (var row in rows)
        {
            var place = runs.FindIndex(run => run.RunId == row.RunId && !run.InCsv);
            if (place >= 0)
                runs[place] = Join(runs[place], row);
            else
                runs.Add(Join(new RunMarks(row.RunId), row));
        }

        return runs;
    }

    private static RunMarks Join(RunMarks run, RunCsvRow row)
    {
        // The events do not carry these.
        var own = run.SelfMeasurement is not { } marked
            ? row.SelfMeasurement
            : marked with
            {
                ProbeBeforeNanoseconds = row.SelfMeasurement.ProbeBeforeNanoseconds,
                ProbeAfterNanoseconds = row.SelfMeasurement.ProbeAfterNanoseconds,
                PeakWorkingSetBytes = row.SelfMeasurement.PeakWorkingSetBytes,
                ProgramBytes = row.SelfMeasurement.ProgramBytes,
                UnsettledMethods = row.SelfMeasurement.UnsettledMethods,
            };
        return run with
        {
            InCsv = true,
            Identity = run.Identity ?? row.Identity,
            SelfMeasurement = own,
            LaunchedTicks = run.LaunchedTicks ?? Launched(own, row.SelfMeasurement),
        };
    }

    private static RunMeasurement InTicksOf(TraceClock clock, in RunMeasurement own)
    {
        var factor = clock.TicksPerSecond / own.TicksPerSecond;
        return own with
        {
            StartTicks = own.StartTicks * factor,
            StopTicks = own.StopTicks * factor,
            TicksPerSecond = clock.TicksPerSecond,
            LaunchedTicks = own.LaunchedTicks >= 0 ? own.LaunchedTicks * factor : -1,
        };
    }

    /// <summary>The launch time in the ticks of <paramref name="own"/>; null when neither it nor the row has it.</summary>
    private static long? Launched(in RunMeasurement own, in RunMeasurement row)
    {
        if (own.LaunchedTicks >= 0)
            return own.LaunchedTicks;
        return row.LaunchedTicks >= 0 && row.TicksPerSecond == own.TicksPerSecond ? row.LaunchedTicks : null;
    }
}
