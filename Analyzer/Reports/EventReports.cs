using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Findings.Rules;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.Jit;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Analysis.Requests;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>Builds the reports on events: allocations, exceptions, locks, compilations, waits, requests, GCs.</summary>
public static class EventReports
{
    /// <summary>Allocations of the runs.</summary>
    public static Report Allocations(TraceInput input, AnalysisResult result, AllocationResult allocations)
    {
        ArgumentNullException.ThrowIfNull(allocations);
        var columns = AllocationColumns.Of(allocations.Grouping);
        var origin = allocations.Source switch
        {
            AllocationSource.Sampled => Line(
                $"{allocations.Events} sampled allocations, each standing for size / (1 - e^(-size / 102,400)) bytes; ± is its standard error, bytes / √samples"
            ),
            AllocationSource.Ticks => Line(
                $"{allocations.Events} allocation ticks: the sum of their amounts, never scaled (± 100 KB per run and heap); a tick names the object that completed 100 KB, so types of large objects are overrepresented"
            ),
            _ => Line($"{allocations.Events} sampled allocations and ticks of different processes"),
        };
        var report = Build(
            "alloc",
            input,
            result,
            allocations,
            columns,
            columns,
            "(no allocations)",
            [
                Line(
                    $"Allocations in {Plural.Of(allocations.Runs, "run")}: {allocations.Bytes / 1e6:0.000} MB by events, {Megabytes(allocations.ExactBytes)} by the program's own exact count; source: {origin}"
                ),
            ],
            [
                ("groupedBy", allocations.Grouping.ToString()),
                ("source", allocations.Source?.ToString()),
                ("events", allocations.Events),
                ("estimatedBytes", allocations.Bytes),
                (
                    "errorBytes",
                    allocations.Source == AllocationSource.Sampled && allocations.Events > 0
                        ? allocations.Bytes / Math.Sqrt(allocations.Events)
                        : null
                ),
                ("exactBytes", allocations.ExactBytes),
            ]
        );
        return allocations.Grouping == AllocationGrouping.Stack
            ? report with
            {
                Sections =
                [
                    .. report.Sections,
                    .. allocations.Rows.Select(row => StackColumns.InFull(AllocationColumns.Title(row), row.Stack)),
                ],
            }
            : report;
    }

    /// <summary>Exceptions thrown in the runs.</summary>
    /// <param name="input">The trace input.</param>
    /// <param name="result">The runs.</param>
    /// <param name="exceptions">The exceptions.</param>
    /// <param name="stacks">Maximum number of throw stacks shown in full; null for all, in CSV and JSON only.</param>
    public static Report Exceptions(TraceInput input, AnalysisResult result, ExceptionResult exceptions, int? stacks = null)
    {
        ArgumentNullException.ThrowIfNull(exceptions);
        var (count, rethrown) = (exceptions.AllRows.Sum(row => row.Count), exceptions.AllRows.Sum(row => row.Rethrown));
        var report = Build(
            "exceptions",
            input,
            result,
            exceptions,
            ExceptionColumns.ForPeople(exceptions.Grouping),
            ExceptionColumns.Of(exceptions.Grouping),
            "(no exceptions)",
            [
                Line(
                    $"Exceptions in {Plural.Of(exceptions.Runs, "run")}: {count}, {rethrown} of them rethrown; {exceptions.Stacks.Count} different throw stacks"
                ),
                .. OtherDumps(input, exceptions),
            ],
            [("groupedBy", exceptions.Grouping.ToString()), ("count", count), ("rethrown", rethrown), ("stacks", exceptions.Stacks.Count)]
        );
        var shown = exceptions.Stacks.Take(stacks ?? int.MaxValue).ToList();
        return report with
        {
            Result = report.Result with
            {
                Findings =
                [
                    .. report.Result.Findings,
                    .. new ExceptionStormRule().Check(new FindingInput(result) { Exceptions = exceptions.AllRows }),
                ],
            },
            Sections =
            [
                .. report.Sections,
                Section.OutsideCsv("stacks", "", shown, ExceptionColumns.Stacks).ForPrograms(),
                .. stacks is null ? [] : shown.Select(stack => StackColumns.InFull(ExceptionColumns.Title(stack), stack.Frames)),
            ],
        };
    }

    /// <summary>One line per dump whose throw is not in the rows.</summary>
    private static IEnumerable<string> OtherDumps(TraceInput input, ExceptionResult exceptions)
    {
        var shown = exceptions.AllRows.SelectMany(row => row.Dumps).ToHashSet(StringComparer.Ordinal);
        return input
            .Recordings.SelectMany(recording => recording.Description.Dumps)
            .Where(dump => dump.ExceptionType.Length > 0 && !shown.Contains(dump.File))
            .Select(dump =>
                $"{dump.File} was taken at a throw of {dump.ExceptionType} that is not in these rows: --kind all adds warm-ups and first calls; throws between runs are in no row"
            );
    }

    /// <summary>Waits for managed locks in the runs, by lock or by waiting method.</summary>
    public static Report Locks(TraceInput input, AnalysisResult result, LockResult locks)
    {
        ArgumentNullException.ThrowIfNull(locks);
        var (count, ms) = (locks.AllRows.Sum(row => row.Count), locks.AllRows.Sum(row => row.Ms));
        IReadOnlyList<string> closing =
        [
            Line($"Waits for locks in {Plural.Of(locks.Runs, "run")}: {count}, {ms:0.000} ms summed over threads"),
        ];
        IReadOnlyList<(string Key, object? Value)> summary = [("groupedBy", locks.Grouping.ToString()), ("count", count), ("ms", ms)];
        return locks.Grouping is LockGrouping.Method or LockGrouping.Line
            ? Build(
                "locks",
                input,
                result,
                locks.Sites,
                LockColumns.Sites(locks.Grouping),
                LockColumns.Sites(locks.Grouping),
                "(no waits for locks)",
                closing,
                summary
            )
            : Build("locks", input, result, locks, LockColumns.All, LockColumns.All, "(no waits for locks)", closing, summary);
    }

    /// <summary>JIT compilations in the runs.</summary>
    public static Report Compilations(TraceInput input, AnalysisResult result, EventResult<JitRow> compilations)
    {
        ArgumentNullException.ThrowIfNull(compilations);
        var (count, ms) = (compilations.AllRows.Sum(row => row.Count), compilations.AllRows.Sum(row => row.Ms));
        return Build(
            "jit",
            input,
            result,
            compilations,
            JitColumns.All,
            JitColumns.All,
            "(no compilations)",
            [Line($"Compilations in {Plural.Of(compilations.Runs, "run")}: {count}, {ms:0.000} ms summed over threads")],
            [("count", count), ("ms", ms)]
        );
    }

    /// <summary>Waits of threads in the runs, by reason.</summary>
    public static Report Waits(TraceInput input, AnalysisResult result, WaitResult waits)
    {
        ArgumentNullException.ThrowIfNull(waits);
        var busy = waits.AllRows.Where(row => row.Reason != WaitReason.Idle).ToList();
        var (count, ms, idleMs) = (
            busy.Sum(row => row.Count),
            busy.Sum(row => row.Ms),
            waits.AllRows.Sum(row => row.Ms) - busy.Sum(row => row.Ms)
        );
        IReadOnlyList<string> closing =
        [
            Line(
                $"Waits of {(waits.HasPrograms ? "all threads" : "the measuring threads")} in {Plural.Of(waits.Runs, "run")}: {count}, {ms:0.000} ms{(idleMs > 0 ? Line($"; {idleMs:0.000} ms of idle waits for work not counted") : "")}"
            ),
        ];
        IReadOnlyList<(string Key, object? Value)> summary =
        [
            ("groupedBy", waits.Grouping.ToString()),
            ("count", count),
            ("ms", ms),
            ("idleMs", idleMs),
        ];
        if (waits.Grouping == WaitGrouping.Thread)
            return Build(
                "waits",
                input,
                result,
                waits.Threads,
                WaitColumns.Threads,
                WaitColumns.Threads,
                "(no context switches)",
                closing,
                summary
            );
        var columns = WaitColumns.Of(waits.Grouping);
        var report = Build("waits", input, result, waits, columns, columns, "(no waits)", closing, summary);
        return waits.Grouping == WaitGrouping.Stack
            ? report with
            {
                Sections = [.. report.Sections, .. waits.Rows.Select(row => StackColumns.InFull(WaitColumns.Title(row), row.Stack))],
            }
            : report;
    }

    /// <summary>HTTP requests by route.</summary>
    public static Report Requests(TraceInput input, AnalysisResult result, RequestResult requests)
    {
        ArgumentNullException.ThrowIfNull(requests);
        var (count, failed, open) = (
            requests.AllRows.Sum(row => row.Count),
            requests.AllRows.Sum(row => row.Failed),
            requests.AllRows.Sum(row => row.Open)
        );
        List<string> closing = [Line($"HTTP requests: {count} completed, {failed} of them failed; {open} still open")];
        if (requests.Unpaired > 0)
            closing.Add(Line($"{requests.Unpaired} more completed without a recorded start; no row counts them"));
        return Build(
            "requests",
            input,
            result,
            requests,
            RequestColumns.All,
            RequestColumns.All,
            "(no requests)",
            closing,
            [("count", count), ("failed", failed), ("open", open), ("unpaired", requests.Unpaired)]
        );
    }

    /// <summary>GCs one by one or by trigger, and simultaneous pauses of several processes.</summary>
    public static Report Gcs(TraceInput input, AnalysisResult result, GcResult gcs)
    {
        ArgumentNullException.ThrowIfNull(gcs);
        var closing = new List<string>
        {
            Line(
                $"GCs in {Plural.Of(gcs.Runs, "run")}: {gcs.Counts.Gen0}/{gcs.Counts.Gen1}/{gcs.Counts.Gen2} of generation 0/1/2 ({gcs.Induced} induced, {gcs.Background} background); {gcs.OutsideRuns} more outside of runs; pauses {gcs.PauseMs:0.000} ms, at most {gcs.MaxPauseMs:0.000} ms, {Percent(gcs.PausePercent)} of the runs' time"
            ),
        };
        if (gcs.Overlaps is { } overlaps)
            closing.Add(
                gcs.WorstOverlap is { } worst
                    ? Line(
                        $"Simultaneous pauses of several processes: {Plural.Of(overlaps.Count, "time")}, {overlaps.Sum(overlap => overlap.Ms):0.000} ms; worst moment at {worst.StartMs:0.000} ms: {Plural.Of(worst.MaxProcesses, "process")} ({string.Join(' ', worst.Processes)})"
                    )
                    : "Simultaneous pauses of several processes: none"
            );
        IReadOnlyList<(string Key, object? Value)> summary =
        [
            ("groupedBy", gcs.Grouping.ToString()),
            ("gen0Gcs", gcs.Counts.Gen0),
            ("gen1Gcs", gcs.Counts.Gen1),
            ("gen2Gcs", gcs.Counts.Gen2),
            ("induced", gcs.Induced),
            ("background", gcs.Background),
            ("outsideRuns", gcs.OutsideRuns),
            ("pauseTotalMs", gcs.PauseMs),
            ("pauseMaxMs", gcs.MaxPauseMs),
            ("pausePercent", gcs.PausePercent),
            ("overlapMs", gcs.Overlaps?.Sum(overlap => overlap.Ms)),
            ("maxProcesses", gcs.WorstOverlap?.MaxProcesses),
            ("worstStartMs", gcs.WorstOverlap?.StartMs),
        ];
        var report = gcs.Triggers is { } triggers
            ? Build(
                "gc",
                input,
                result,
                triggers,
                TriggerColumns.Of(gcs.Grouping),
                TriggerColumns.Of(gcs.Grouping),
                "(no GCs)",
                closing,
                summary
            )
            : Build("gc", input, result, gcs, GcColumns.All, GcColumns.All, "(no GCs)", closing, summary);
        if (gcs.Grouping == GcGrouping.Stack)
            report = report with
            {
                Sections =
                [
                    .. report.Sections,
                    .. gcs.Triggers!.Rows.Select(row => StackColumns.InFull(TriggerColumns.Title(row), row.Stack)),
                ],
            };
        return gcs.Overlaps is { Count: > 0 } shown
            ? report with
            {
                Sections =
                [
                    .. report.Sections,
                    Section.OutsideCsv("overlaps", "Simultaneous pauses of several processes", shown, GcColumns.Overlaps),
                ],
            }
            : report;
    }

    private static Report Build<T>(
        string kind,
        TraceInput input,
        AnalysisResult result,
        EventResult<T> events,
        IReadOnlyList<Column<T>> shown,
        IReadOnlyList<Column<T>> all,
        string whenEmpty,
        IReadOnlyList<string> closing,
        IReadOnlyList<(string Key, object? Value)> summary
    )
    {
        var lines =
            events.Rows.Count < events.RowsTotal
                ? [.. closing, Line($"Rows: {events.Rows.Count} of {events.RowsTotal}; --top shows more")]
                : closing;
        var forPeople =
            result.Runs.Count > 0 && result.Runs.All(run => run.Delimiter == RunDelimiter.WholeProcess)
                ? RunsColumns.OfPrograms(shown, several: result.Rows.Count > 1)
                : shown;
        return new Report(
            kind,
            input,
            result.WithProblems("events", events.Problems),
            [Section.Of("rows", "", events.Rows, forPeople, all, whenEmpty)],
            lines
        )
        {
            Summary =
            [
                ("processes", string.Join(", ", events.Processes)),
                ("runs", events.Runs),
                ("rowsTotal", events.RowsTotal),
                .. summary,
            ],
        };
    }

    private static string Megabytes(double? bytes) =>
        bytes is { } known ? Line($"{known / 1e6:0.000} MB") : Column<AllocationRow>.NotRecorded;

    private static string Percent(double? value) => value is { } percent ? Line($"{percent:0.0} %") : Column<GcRow>.NotApplicable;

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
