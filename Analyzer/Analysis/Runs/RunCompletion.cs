using EtwSerializerProfiler.Analysis.Causes;
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
        var truth = draft.Truth;
        var hasClock = truth is { } known && known.TicksPerSecond == clock.TicksPerSecond && known.StopTicks > known.StartTicks;
        var comparable = hasClock && kind <= DelimiterKind.MarkerWait;
        var truthCollections = truth is { Gen0: >= 0, Gen1: >= 0, Gen2: >= 0 } counts ? new CollectionCounts(counts.Gen0, counts.Gen1, counts.Gen2) : (CollectionCounts?)null;
        (double Bytes, AllocationSource Source)? byEvents =
            Has(EventKinds.AllocationSamples) ? (tally.SampledBytes, AllocationSource.Sampled)
            : Has(EventKinds.AllocationTicks) ? (tally.TickBytes, AllocationSource.Ticks)
            : null;
        var allocated = truth is { AllocatedBytes: >= 0 } exact ? (exact.AllocatedBytes, AllocationSource.Truth) : byEvents;
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
            OwnClock = hasClock ? (truth!.Value.StartTicks, truth.Value.StopTicks) : null,
            StartMs = clock.SinceOriginMilliseconds(start),
            StopMs = clock.SinceOriginMilliseconds(stop),
            WallMs = clock.ToMilliseconds(stop - start),
            LaunchMs = draft.LaunchedTicks is { } launched && truth is { TicksPerSecond: > 0 } own && own.StartTicks > launched ? (own.StartTicks - launched) * 1e3 / own.TicksPerSecond : null,
            StartDifferenceUs = comparable ? clock.ToMicroseconds(start - truth!.Value.StartTicks) : null,
            StopDifferenceUs = comparable ? clock.ToMicroseconds(stop - truth!.Value.StopTicks) : null,
            DurationDifferenceUs = comparable ? clock.ToMicroseconds(stop - start - (truth!.Value.StopTicks - truth.Value.StartTicks)) : null,
            MarkerDurationDifferenceUs = hasClock && draft.Marker is { } wait
                ? clock.ToMicroseconds(wait.Stop - wait.Start - (truth!.Value.StopTicks - truth.Value.StartTicks))
                : null,
            MarkerMarksDifferenceUs = draft.MarkerMarksDistance is { } distance ? clock.ToMicroseconds(distance) : null,
            Collections = Has(EventKinds.Gc) ? tally.Collections : truthCollections,
            TruthCollections = truthCollections,
            PauseTotalMs = Has(EventKinds.Gc) ? clock.ToMilliseconds(tally.PauseTicks) : null,
            PauseMaxMs = Has(EventKinds.Gc) ? clock.ToMilliseconds(tally.LongestPauseTicks) : null,
            AllocatedBytes = allocated?.Bytes,
            AllocatedBytesSource = allocated?.Source,
            AllocatedBytesByEvents = byEvents?.Bytes,
            AllocatedBytesByEventsSource = byEvents?.Source,
            JitMethods = Has(EventKinds.Jit) ? tally.JitMethods : null,
            JitMs = Has(EventKinds.Jit) ? clock.ToMilliseconds(tally.JitTicks) : null,
            Exceptions = Has(EventKinds.Exceptions) ? tally.Exceptions : null,
            Contentions = Has(EventKinds.Contention) ? tally.Contentions : null,
            ContentionMs = Has(EventKinds.Contention) ? clock.ToMilliseconds(tally.ContentionTicks) : null,
            CpuMs = Has(EventKinds.ContextSwitches) ? clock.ToMilliseconds(tally.CpuTicks) : null,
            CollectorCpuMs = Has(EventKinds.ContextSwitches) ? clock.ToMilliseconds(tally.CollectorCpuTicks) : null,
            CompilerCpuMs = Has(EventKinds.ContextSwitches) ? clock.ToMilliseconds(tally.CompilerCpuTicks) : null,
            Measuring = Has(EventKinds.ContextSwitches) ? Measuring(tally, stop - start, Has(EventKinds.ReadyThreads)) : null,
            Samples = Has(EventKinds.CpuSamples)
                ? new RunSamples(tally.Samples, clock.ToMilliseconds(tally.SampledTicks), (process.Details & EventDetails.KernelSamples) != 0 ? tally.KernelSamples : null, tally.BrokenStacks)
                : null,
            Causes = Has(EventKinds.CpuSamples) && Has(EventKinds.MethodCode) ? Causes(tally, Has(EventKinds.OtherProcesses)) : null,
            ThreadCpuMs = truth is { ThreadCpuNanoseconds: >= 0 } cpu ? cpu.ThreadCpuNanoseconds / 1e6 : null,
            ProbeBeforeNs = truth is { ProbeBeforeNanoseconds: > 0 } before ? before.ProbeBeforeNanoseconds : null,
            ProbeAfterNs = truth is { ProbeAfterNanoseconds: > 0 } after ? after.ProbeAfterNanoseconds : null,
            DataBytes = truth is { DataBytes: >= 0 } data ? data.DataBytes : null,
            Error = truth?.Error ?? "",
        };

        bool Has(EventKinds kind) => WasRecorded(kind, stop);
    }

    /// <summary>Times by cause, all 0 without a sample.</summary>
    private CauseTimes Causes(RunTally tally, bool hasOthers)
    {
        var times = tally.Causes ?? new CauseTimes { TicksPerSecond = clock.TicksPerSecond, HasEntry = tally.Entries is not null };
        times.OtherProcesses = hasOthers ? tally.OtherProcessTicks : null;
        return times;
    }

    /// <summary>Null when the records do not say for all of the window what the thread did.</summary>
    private MeasuringTimes? Measuring(RunTally tally, long windowTicks, bool hasWakings) =>
        tally.OnCpuTicks + tally.WaitTicks + tally.ReadyTicks == windowTicks
            ? new MeasuringTimes(
                clock.ToMilliseconds(tally.OnCpuTicks), clock.ToMilliseconds(tally.WaitTicks), clock.ToMilliseconds(tally.ReadyTicks),
                hasWakings ? ReadySource.Waking : ReadySource.Preemption, tally.VoluntarySwitches, tally.InvoluntarySwitches)
            : null;

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
