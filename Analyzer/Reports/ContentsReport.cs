using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Contents;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>Report on the events that fill a trace.</summary>
internal static class ContentsReport
{
    /// <summary>Builds the report.</summary>
    /// <param name="paths">The trace as named.</param>
    /// <param name="contents">Content of the trace.</param>
    /// <param name="byProcess">Whether kinds were counted by process.</param>
    /// <param name="top">Maximum rows; null for all.</param>
    public static Report Build(IReadOnlyList<string> paths, TraceContents contents, bool byProcess, int? top)
    {
        var columns = ContentsColumns.Of(contents, byProcess);
        var shown = top is { } rows ? [.. contents.Kinds.Take(rows)] : contents.Kinds;
        var section = Section.Of("events", "", shown, columns, columns, whenEmpty: "(no events)");
        var input = new TraceInput(paths, [], [], false, [], contents.Files);
        var result = AnalysisResult.OfFindings(ContentsFindings.Check(contents));
        IReadOnlyList<string> closing =
            shown.Count < contents.Kinds.Count
                ? [string.Create(CultureInfo.InvariantCulture, $"Rows: {shown.Count} of {contents.Kinds.Count}; --top shows more")]
                : [];
        return new Report("stats", input, result, [section], closing)
        {
            Header = Header(paths, contents),
            SummaryKey = "totals",
            Summary = Totals(contents),
        };
    }

    private static IReadOnlyList<string> Header(IReadOnlyList<string> paths, TraceContents contents)
    {
        var trace = $"Trace {string.Join(' ', paths)}" + (contents.Files.Count > 1 ? $" ({Plural.Of(contents.Files.Count, "file")})" : "");
        var interval = contents.SampleIntervalMs is { } ms ? Line($"{ms:0.####} ms") : Column<EventCount>.NotRecorded;
        if (contents.Etl is not var (header, statistics))
        {
            return
            [
                trace,
                Line(
                    $"Format: {contents.Format}, started {(contents.StartUtc is { } start ? Line($"{start:yyyy-MM-dd HH:mm:ss} UTC") : Column<EventCount>.NotRecorded)}, {DurationMs(contents) / 1e3:0.000} s"
                ),
                Line($"Clock: {contents.Clock.TicksPerSecond} ticks/s; CPU samples every {interval}"),
                Line(
                    $"Events: {contents.Events} of {Plural.Of(contents.Kinds.Count, "kind")}, payload {contents.PayloadBytes / 1e6:0.0} MB, {contents.FileBytes / 1e6:0.0} MB on disk; lost: events {Or(contents.LostEvents)}; damaged places: {(contents.Damage is null ? 0 : 1)}"
                ),
            ];
        }

        return
        [
            trace,
            Line(
                $"Session: {(header.SessionName.Length > 0 ? header.SessionName : "unnamed")}, {header.StartTimeUtc:yyyy-MM-dd HH:mm:ss} UTC, {DurationMs(contents) / 1e3:0.000} s{(header.IsCircular ? ", circular" : "")}"
            ),
            Line(
                $"Machine: Windows {header.OSVersion}, {Plural.Of(header.Processors, "processor")}, {header.CpuMegahertz} MHz, {8 * header.PointerSize} bit"
            ),
            Line($"Clock: {ClockName(header.Clock)}, {header.TicksPerSecond} ticks/s; CPU samples every {interval}"),
            Line(
                $"Buffers: {statistics.Buffers} of {header.BufferSize / 1024} KB, {statistics.CompressedBuffers} compressed, {statistics.EmptyBuffers} empty; {statistics.FileBytes / 1e6:0.0} MB on disk, {contents.RecordBytes / 1e6:0.0} MB of events"
            ),
            Line(
                $"Events: {contents.Events} of {Plural.Of(contents.Kinds.Count, "kind")}, payload {contents.PayloadBytes / 1e6:0.0} MB; lost: events {Or(statistics.EventsLost)}, buffers {Or(statistics.BuffersLost)}; damaged places: {statistics.DamageCount}"
            ),
        ];
    }

    private static IReadOnlyList<(string Key, object? Value)> Totals(TraceContents contents)
    {
        var (header, statistics) = (contents.Etl?.Header, contents.Etl?.Statistics);
        return
        [
            ("format", contents.Format),
            ("events", contents.Events),
            ("kinds", contents.Kinds.Count),
            ("payloadBytes", contents.PayloadBytes),
            ("recordBytes", contents.RecordBytes),
            ("fileBytes", contents.FileBytes),
            ("buffers", statistics?.Buffers),
            ("bufferBytes", header?.BufferSize),
            ("compressedBuffers", statistics?.CompressedBuffers),
            ("emptyBuffers", statistics?.EmptyBuffers),
            ("flushMarkers", statistics?.FlushMarkers),
            ("lostEvents", contents.LostEvents),
            ("lostBuffers", statistics?.BuffersLost),
            ("damagedPlaces", statistics?.DamageCount ?? (contents.Damage is null ? 0 : 1)),
            ("lateEvents", statistics?.LateEvents),
            ("sampleIntervalMs", contents.SampleIntervalMs),
            ("durationMs", DurationMs(contents)),
            ("firstTime", contents.FirstTime),
            ("lastTime", contents.LastTime),
            ("startTicks", contents.Clock.OriginTicks),
            ("ticksPerSecond", contents.Clock.TicksPerSecond),
            ("clock", header?.Clock.ToString()),
            ("startUtc", contents.StartUtc?.ToString("O", CultureInfo.InvariantCulture)),
            ("endUtc", header?.EndTimeUtc?.ToString("O", CultureInfo.InvariantCulture)),
            ("session", header?.SessionName),
            ("osVersion", header?.OSVersion.ToString()),
            ("processors", header?.Processors),
            ("cpuMegahertz", header?.CpuMegahertz),
            ("pointerBytes", header?.PointerSize),
        ];
    }

    /// <summary>Time from the session's start to its last event.</summary>
    private static double DurationMs(TraceContents contents) =>
        contents.Clock.ToMilliseconds(contents.LastTime - contents.Clock.OriginTicks);

    private static string ClockName(EtlClock clock) =>
        clock switch
        {
            EtlClock.SystemTime => "system time",
            EtlClock.CycleCounter => "cycle counter",
            EtlClock.PerformanceCounter => "performance counter",
            _ => "not recorded, read as performance counter",
        };

    private static string Or(long? count) => count?.ToString(CultureInfo.InvariantCulture) ?? Column<EventCount>.NotRecorded;

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
