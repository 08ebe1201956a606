using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>Puts together what the passes found out about a run. What was not recorded is null.</summary>
/// <param name="process">The process of the runs.</param>
/// <param name="results">What the passes found out about its sources.</param>
/// <param name="clock">Its clock.</param>
/// <param name="isOneOfSeveralRuntimes">Whether other processes have runs on other runtimes.</param>
internal sealed class RunCompletion(TracedProcess process, IReadOnlyDictionary<ITraceSource, TraceReadResult> results, TraceClock clock, bool isOneOfSeveralRuntimes)
{
    /// <summary>Makes the run of a draft.</summary>
    /// <param name="draft">What the marks tell.</param>
    /// <param name="kind">What begin and end were taken from.</param>
    /// <param name="start">Begin in ticks.</param>
    /// <param name="stop">End in ticks.</param>
    /// <param name="tally">What lies between them.</param>
    public Run Complete(RunDraft draft, DelimiterKind kind, long start, long stop, RunTally tally)
    {
        var collected = new CollectedRun(draft, tally, clock, kind, start, stop, process.Details, events => WasRecorded(events, stop));
        return new Run
        {
            Process = process.Key,
            Runtime = process.RuntimeName,
            IsOneOfSeveralRuntimes = isOneOfSeveralRuntimes,
            RunId = draft.RunId,
            Identity = draft.Identity ?? new RunIdentity($"unnamed run {draft.RunId}", "", "", RunOperation.Run, RunKind.Measured, 0, 0, 1, 1),
            Operations = draft.Iteration?.Operations ?? 1,
            MeasuringThread = tally.MeasuringThread,
            Delimiter = kind,
            StartTicks = start,
            StopTicks = stop,
            OwnClock = collected.OwnClock,
            StartMs = clock.SinceOriginMilliseconds(start),
            StopMs = clock.SinceOriginMilliseconds(stop),
            WallMs = clock.ToMilliseconds(stop - start),
            LaunchMs = draft.LaunchedTicks is { } launched && draft.Truth is { TicksPerSecond: > 0 } own && own.StartTicks > launched ? (own.StartTicks - launched) * 1e3 / own.TicksPerSecond : null,
            Values = MeasureValues.Collect(collected),
            Causes = collected.Has(EventKinds.CpuSamples) && collected.Has(EventKinds.MethodCode) ? Causes(tally, collected.Has(EventKinds.OtherProcesses)) : null,
            Error = draft.Truth?.Error ?? "",
        };
    }

    /// <summary>Times by cause, all 0 without a sample.</summary>
    private CauseTimes Causes(RunTally tally, bool hasOthers)
    {
        var times = tally.Causes ?? new CauseTimes { TicksPerSecond = clock.TicksPerSecond, HasEntry = tally.Entries is not null };
        times.OtherProcesses = hasOthers ? tally.OtherProcessTicks : null;
        return times;
    }

    /// <summary>Whether events of a kind were recorded and could be read up to <paramref name="time"/>: behind a file's damage nothing is known.</summary>
    private bool WasRecorded(EventKinds kind, long time)
    {
        foreach (var source in process.Sources)
        {
            if ((source.Kinds & kind) != 0)
                return !results.TryGetValue(source, out var result) || result.Reaches(kind, time);
        }

        return false;
    }
}
