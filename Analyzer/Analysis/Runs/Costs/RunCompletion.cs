using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>Combines the data of all phases into runs. What was not recorded is null.</summary>
/// <param name="reading">The process of the runs.</param>
/// <param name="isOneOfSeveralRuntimes">Whether other processes have runs on other runtimes.</param>
internal sealed class RunCompletion(ProcessReading reading, bool isOneOfSeveralRuntimes)
{
    /// <summary>The process's sources, in an array: each run asks for each kind of events, and a list allocates its enumerator.</summary>
    private readonly ITraceSource[] _sources = [.. reading.Process.Sources];

    /// <summary>Creates a run.</summary>
    /// <param name="delimited">The run with its window.</param>
    /// <param name="tally">Sums inside the window.</param>
    public Run Complete(DelimitedRun delimited, RunTally tally)
    {
        var (process, clock, marks, window) = (reading.Process, reading.Clock, delimited.Marks, delimited.Window!);
        var collected = new CollectedRun(delimited.Evidence, tally, window, process.Details, events => WasRecorded(events, window.Stop));
        return new Run
        {
            Process = process.Key,
            Runtime = process.RuntimeName,
            IsOneOfSeveralRuntimes = isOneOfSeveralRuntimes,
            RunId = marks.RunId,
            Identity =
                marks.Identity ?? new RunIdentity($"unnamed run {marks.RunId}", "", "", RunOperation.Run, RunKind.Measured, 0, 0, 1, 1),
            Operations = marks.Iteration?.Operations ?? 1,
            MeasuringThread = tally.MeasuringThread,
            Delimiter = window.Delimiter,
            StartTicks = window.Start,
            StopTicks = window.Stop,
            OwnClock = delimited.Evidence.OwnClock is { } own ? (own.Start, own.Stop) : null,
            StartMs = clock.SinceOriginMilliseconds(window.Start),
            StopMs = clock.SinceOriginMilliseconds(window.Stop),
            WallMs = clock.ToMilliseconds(window.Stop - window.Start),
            LaunchMs =
                marks.LaunchedTicks is { } launched && marks.SelfMeasurement is { TicksPerSecond: > 0 } self && self.StartTicks > launched
                    ? (self.StartTicks - launched) * 1e3 / self.TicksPerSecond
                    : null,
            Values = MeasureValues.Collect(collected),
            Causes =
                collected.Has(EventKinds.CpuSamples) && collected.Has(EventKinds.MethodCode)
                    ? Causes(tally, collected.Has(EventKinds.OtherProcesses))
                    : null,
            Error = marks.SelfMeasurement?.Error ?? "",
        };
    }

    /// <summary>Times by cause; all 0 without samples.</summary>
    private CauseTimes Causes(RunTally tally, bool hasOthers)
    {
        var times = tally.Causes ?? new CauseTimes { TicksPerSecond = reading.Clock.TicksPerSecond, HasEntry = tally.Entries is not null };
        times.OtherProcesses = hasOthers ? tally.OtherProcessTicks : null;
        return times;
    }

    /// <summary>
    /// Whether events of a kind were recorded and readable up to <paramref name="time"/>; nothing is known after damage of a file.
    /// </summary>
    private bool WasRecorded(EventKinds kind, long time)
    {
        foreach (var source in _sources)
        {
            if ((TracedProcess.RecordedIn(source) & kind) != 0)
                return !reading.Results.TryGetValue(source, out var result) || result.Reaches(kind, time);
        }

        return false;
    }
}
