using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Analysis.Runs.Marking;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Runs.Delimiting;

/// <summary>A process with starts and stops of its runs.</summary>
/// <param name="Reading">The process.</param>
/// <param name="Pairing">Evidence that a run needs to count as found.</param>
/// <param name="Runs">Its runs, ordered by start; those without start or stop come last.</param>
internal sealed record DelimitedProcess(ProcessReading Reading, RunDelimiter Pairing, IReadOnlyList<DelimitedRun> Runs)
{
    /// <summary>Runs outside the interval that a circular recording kept; they are not in <see cref="Runs"/>.</summary>
    public int Before { get; init; }

    /// <inheritdoc cref="Before"/>
    public int After { get; init; }

    /// <summary>Runs that the start or end of the recording cut off; they are not in <see cref="Runs"/>.</summary>
    public int Cut { get; init; }

    /// <summary>Whether the runs are those of SerializerTests, which has no announcements.</summary>
    public bool IsSerializerTests { get; init; }

    /// <summary>Whether the process made a run, inside or outside of the kept interval.</summary>
    public bool HasRuns => Runs.Count + Before + After > 0;

    /// <summary>Number of expected runs; null when nothing announces them.</summary>
    public int? Expected
    {
        get
        {
            if (IsSerializerTests || Pairing == RunDelimiter.WholeProcess)
                return null;

            // A snapshot's CSV may lack the row of a run that had just ended; all runs here have an end.
            if (Reading.Process.Kept is { IsSnapshot: true })
                return Runs.Count;
            return Reading.Process.CsvRows.Count > 0
                ? Runs.Count(run => run.Evidence.Marks.InCsv)
                : Runs.Count(run => run.Evidence.Marks.MarkStart is not null);
        }
    }

    /// <summary>Whether a run counts as found.</summary>
    public bool IsFound(DelimitedRun run) =>
        Pairing == RunDelimiter.MarkerWait
            ? run.Evidence.MarkerWait is not null
            : run.Window is { } window && window.Delimiter.Rank <= Pairing.Rank;

    /// <summary>
    /// The process as one run, for a program without marks, or for a named part of the trace; null when it has no event there.
    /// </summary>
    public DelimitedProcess? AsOneRun()
    {
        if (RecordedTime is not var (start, stop))
            return null;
        var process = Reading.Process;
        if (process.Range is { } range)
            (start, stop) = range.Clip(Reading.Clock, start, stop);
        if (stop <= start)
            return null;
        var marks = new RunMarks(1) { Identity = new RunIdentity(process.Program, "", "", RunOperation.Run, RunKind.Measured, 0, 0, 1, 1) };
        var window = new RunWindow(RunDelimiter.WholeProcess, start, stop);
        return this with
        {
            Pairing = RunDelimiter.WholeProcess,
            Runs = [new DelimitedRun(new RunEvidence(marks, default, Reading.Clock), window)],
            IsSerializerTests = false,
        };
    }

    /// <summary>Names the location of the process's events if the named part of the trace has none; null otherwise.</summary>
    public string? RangeProblem
    {
        get
        {
            var (process, clock) = (Reading.Process, Reading.Clock);
            if (process.Range is null || AsOneRun() is not null)
                return null;
            return RecordedTime is var (start, stop)
                ? FormattableString.Invariant(
                    $"{process.Program}: no events in the named part of the trace; its events are between second {clock.SinceOriginMilliseconds(start) / 1000:0.###} and {clock.SinceOriginMilliseconds(stop) / 1000:0.###}"
                )
                : $"{process.Program}: no events in the trace";
        }
    }

    /// <summary>From the first to the last event of the process, in ticks; null without events.</summary>
    private (long Start, long Stop)? RecordedTime
    {
        get
        {
            var process = Reading.Process;
            var withEvents = Reading.Results.Values.Where(result => result.Events > 0).ToList();
            if (withEvents.Count == 0)
                return null;
            var start = Math.Max(
                withEvents.Min(result => result.FirstTime),
                Math.Max(process.Kept?.StartTicks ?? 0, process.Span?.StartTicks ?? 0)
            );
            var last = withEvents.Max(result => result.LastTime);
            if (process.Kept is { } kept)
                last = Math.Min(last, kept.StopTicks - 1);
            if (process.Span is { StopTicks: > 0 } span)
                last = Math.Min(last, span.StopTicks);
            return (start, Math.Max(last, start) + 1); // includes the last event
        }
    }

    /// <summary>Creates the windows of the runs with a window, in their order.</summary>
    public RunWindows CreateWindows() => new(Windowed.Select(run => (run.Window!.Start, run.Window.Stop)));

    /// <summary>The runs with a window.</summary>
    public IEnumerable<DelimitedRun> Windowed => Runs.TakeWhile(run => run.Window is not null);
}

/// <summary>A run with its start and stop.</summary>
/// <param name="Evidence">Evidence for start and stop.</param>
/// <param name="Window">Start and stop; null when the run did not end or left no trace.</param>
internal sealed record DelimitedRun(RunEvidence Evidence, RunWindow? Window)
{
    public RunMarks Marks => Evidence.Marks;

    /// <summary>Delimits runs and sorts them by start; those without a window come last.</summary>
    public static IReadOnlyList<DelimitedRun> Of(IEnumerable<RunEvidence> runs) =>
        [.. runs.Select(run => new DelimitedRun(run, RunDelimiter.Delimit(run))).OrderBy(run => run.Window?.Start ?? long.MaxValue)];
}
