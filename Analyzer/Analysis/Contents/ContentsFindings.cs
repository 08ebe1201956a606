using System.Globalization;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Contents;

namespace EtwSerializerProfiler.Analysis.Contents;

/// <summary>Findings on a trace before its numbers are used: losses, and the quality of its clock and sampling.</summary>
public static class ContentsFindings
{
    /// <summary>
    /// Sampling interval from which a run of some milliseconds has too few samples. Windows keeps an interval that a tool has set.
    /// </summary>
    private const double CoarseSampleMs = 10;

    /// <summary>A larger distance between a session's end and its last event indicates a changed clock or missing events.</summary>
    private const double ClockToleranceSeconds = 60;

    /// <summary>Maximum number of damaged places with their own finding; the others are counted.</summary>
    private const int NamedDamages = 3;

    /// <summary>Checks a trace.</summary>
    public static IReadOnlyList<Finding> Check(TraceContents contents)
    {
        ArgumentNullException.ThrowIfNull(contents);
        return contents.Etl is { } etl
            ? [.. Losses(etl.Statistics), .. Damages(contents, etl.Statistics), .. Sampling(contents), .. Clock(contents, etl.Header)]
            : [.. Losses(contents)];
    }

    private static IEnumerable<Finding> Losses(EtlStatistics statistics)
    {
        if (statistics.EventsLost > 0)
            yield return Warning(
                "lost-events",
                $"{Plural.Of(statistics.EventsLost ?? 0, "event")} lost because the session's buffers were full; record with more or larger buffers, or fewer events"
            );
        if (statistics.BuffersLost > 0)
            yield return Warning(
                "lost-buffers",
                $"{Plural.Of(statistics.BuffersLost ?? 0, "buffer")} lost because the disk was too slow; record to a faster disk, or fewer events"
            );
        if (statistics.EventsLost is null)
            yield return Warning(
                "not-closed",
                $"the session was not closed (it was killed, or the machine went down): its count of lost events was not recorded, and its last buffers are missing"
            );
        if (statistics.LateEvents > 0)
            yield return Warning(
                "late-events",
                $"{Plural.Of(statistics.LateEvents, "event")} out of order: their buffers overlap too far for sorting"
            );
    }

    private static IEnumerable<Finding> Losses(TraceContents contents)
    {
        if (contents.LostEvents > 0)
            yield return Warning(
                "lost-events",
                $"{Plural.Of(contents.LostEvents ?? 0, "event")} lost because the buffers were full; record with larger buffers, or fewer events"
            );
        if (contents.Damage is { } damage)
            yield return Warning("damaged-file", $"{damage.File}: offset {damage.Offset}: {damage.Reason}; the rest was not read");
    }

    private static IEnumerable<Finding> Damages(TraceContents contents, EtlStatistics statistics)
    {
        foreach (var damage in statistics.Damages.Take(NamedDamages))
            yield return Warning(
                "damaged-file",
                $"{damage.Path}: offset {damage.Offset}: {damage.Reason}; {Plural.Of(damage.Bytes, "byte")} skipped"
            );
        if (contents.Undecodable > 0)
            yield return Warning(
                "undecodable",
                $"{Plural.Of(contents.Undecodable, "event")} skipped: their payloads or metadata are damaged"
            );
        if (contents.DamagedManifests.FirstOrDefault() is { } manifest)
            yield return Warning(
                "undecodable",
                $"{contents.DamagedManifests.Count} damaged manifests of event sources were ignored, so events of their providers may have no names; the first is of provider {manifest.Provider} in process {manifest.ProcessId}: {manifest.Reason}"
            );
        if (statistics.DamageCount > NamedDamages)
            yield return Warning("damaged-file", $"{statistics.DamageCount - NamedDamages} more places are damaged");
    }

    private static IEnumerable<Finding> Sampling(TraceContents contents)
    {
        if (contents.SampleIntervalMs >= CoarseSampleMs)
            yield return Warning(
                "sample-interval",
                $"CPU was sampled every {contents.SampleIntervalMs:0.###} ms, not every 1 ms: shares of short runs are guesses; reset the interval before recording (xperf -SetProfInt Timer 10000, or restart)"
            );
    }

    private static IEnumerable<Finding> Clock(TraceContents contents, EtlTraceHeader header)
    {
        if (header.Clock == EtlClock.SystemTime)
            yield return Warning(
                "clock",
                $"the clock is the system time: it advances in steps of up to 16 ms and may be adjusted while recording; record with the performance counter (the default, -ClockType PerfCounter)"
            );
        if (header.Clock == EtlClock.CycleCounter)
            yield return Warning(
                "clock",
                $"the clock is the processor's cycle counter, whose exact frequency is not recorded; record with the performance counter (the default, -ClockType PerfCounter)"
            );
        if (contents.FirstTime < header.StartTicks)
            yield return Hint(
                "clock",
                $"the first event is {contents.Clock.ToMilliseconds(header.StartTicks - contents.FirstTime):0.000} ms older than the session: the buffer is older, or the clock was changed"
            );
        if (header.EndFileTime is { } end && contents.Events > 0)
        {
            var seconds = (end - header.StartFileTime) / 1e7;
            var difference = seconds - (contents.Clock.ToMilliseconds(contents.LastTime - header.StartTicks) / 1e3);
            if (Math.Abs(difference) > ClockToleranceSeconds)
                yield return Hint(
                    "clock",
                    $"the session lasted {seconds:0.0} s, but its last event is {Math.Abs(difference):0.0} s {(difference > 0 ? "before" : "after")} its end: the last events are missing, or the clock was changed"
                );
        }
    }

    private static Finding Warning(string code, FormattableString text) =>
        new(FindingKind.Warning, code, text.ToString(CultureInfo.InvariantCulture));

    private static Finding Hint(string code, FormattableString text) =>
        new(FindingKind.Hint, code, text.ToString(CultureInfo.InvariantCulture));
}
