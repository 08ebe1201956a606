using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Analysis.Runs.Marking;

/// <summary>Runs delimited by events that the user named.</summary>
internal static class NamedRuns
{
    /// <summary>The runs, ordered by start.</summary>
    /// <param name="events">Events of the trace.</param>
    /// <param name="range">The part of the trace that must contain them completely; null for the whole trace.</param>
    /// <param name="clock">Clock of the trace.</param>
    public static IReadOnlyList<RunMarks> Of(EventRuns events, TraceRange? range, TraceClock clock)
    {
        var numbers = new Dictionary<string, int>();
        var runs = new List<RunMarks>();
        foreach (var run in events.Runs.Where(run => range is null || range.Clip(clock, run.Start, run.Stop) == (run.Start, run.Stop)))
        {
            var number = numbers[run.Name] = numbers.GetValueOrDefault(run.Name) + 1;
            runs.Add(
                new RunMarks(runs.Count + 1)
                {
                    Identity = new RunIdentity(run.Name, "", "", RunOperation.Run, RunKind.Measured, 0, 0, number, 1),
                    IsOfEvents = true,
                    MarkStart = run.Start,
                    MarkClockStopped = run.Stop,
                    MeasuringThread = run.ThreadId,
                    Stopped = true,
                }
            );
        }

        return runs;
    }
}
