using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>
/// Columns of the matrix serializer × cause. docs/metrics.md and docs/attribution.md define each column; a test compares them.
/// </summary>
public static class CauseColumns
{
    /// <summary>Columns of a row, for CSV and JSON.</summary>
    public static IReadOnlyList<Column<SummaryRow>> All { get; } =
    [.. RowHead(), .. Times<SummaryRow>(row => row.Causes, (measure, row) => measure.Of(row))];

    /// <summary>Columns of a run, for CSV and JSON.</summary>
    public static IReadOnlyList<Column<Run>> AllOfRun { get; } =
    [.. RunHead(), .. Times<Run>(run => run.Causes, (measure, run) => measure.Of(run))];

    /// <summary>All columns of text output, for the test that compares them with the document.</summary>
    public static IReadOnlyList<Column<SummaryRow>> Shown { get; } =
    [
        .. ForPeople((IReadOnlyList<SummaryRow>?)null, detail: false, percent: false),
        .. ForPeople((IReadOnlyList<SummaryRow>?)null, detail: true, percent: false),
    ];

    /// <summary>Columns of a row, for text output.</summary>
    /// <param name="rows">The rows; a column with only zeros is omitted. Null for all columns.</param>
    /// <param name="detail">Single causes instead of groups.</param>
    /// <param name="percent">Shares of the serializer's time instead of ms.</param>
    public static IReadOnlyList<Column<SummaryRow>> ForPeople(IReadOnlyList<SummaryRow>? rows, bool detail, bool percent) =>
        [.. RowHead(), .. Parts(row => row.Causes, (measure, row) => measure.Of(row), rows, detail, percent)];

    /// <summary>Columns of a run, for text output.</summary>
    /// <inheritdoc cref="ForPeople(IReadOnlyList{SummaryRow}, bool, bool)"/>
    public static IReadOnlyList<Column<Run>> ForPeople(IReadOnlyList<Run> rows, bool detail, bool percent) =>
        [.. RunHead(), .. Parts(run => run.Causes, (measure, run) => measure.Of(run), rows, detail, percent)];

    /// <summary>Columns of the time at and below a source line, for programs; own code and the groups add up to it.</summary>
    /// <param name="times">Time of a row; null for a row without a line.</param>
    internal static IReadOnlyList<Column<T>> OfLine<T>(Func<T, CauseTimes?> times) =>
        [Part(CauseMeasures.Own.Key, null, times, item => item.Own), .. ByCause(times)];

    /// <summary>The causes of a source line in words, for people.</summary>
    /// <param name="times">As above.</param>
    internal static Column<T> LineWords<T>(Func<T, CauseTimes?> times) =>
        new("causes", "Causes", row => CauseLetters.OfLine(times(row))) { ShownWith = row => CauseLetters.OfLine(times(row)).Length > 0 };

    /// <summary>Name of the part for a serializer's own code.</summary>
    internal const string OwnName = "Own";

    /// <summary>Parts of a serializer's time in %, for charts: its own code and the groups of causes.</summary>
    /// <param name="rows">The rows; a group with only zeros is omitted.</param>
    internal static IReadOnlyList<Column<SummaryRow>> Shares(IReadOnlyList<SummaryRow> rows) =>
        [
            .. ForPeople(rows, detail: false, percent: true)
                .Where(column => column.Header is { } header && header.EndsWith(" %", StringComparison.Ordinal)),
        ];

    /// <summary>Name of the part in such a column.</summary>
    internal static string PartName(Column<SummaryRow> column) => column.Header![..^2];

    /// <summary>Groups of causes without time in any of the runs.</summary>
    public static IReadOnlyList<string> Unseen(IEnumerable<CauseTimes?> times)
    {
        var all = times.OfType<CauseTimes>().ToList();
        return [.. Groups().Where(group => all.TrueForAll(item => item.Group(group) == 0))];
    }

    /// <summary>Key of a group's column.</summary>
    private static string GroupKey(string group) =>
        group switch
        {
            "I/O" => "ioMs",
            "GC" => "gcMs",
            "JIT" => "jitCompilerMs",
            _ => char.ToLowerInvariant(group[0]) + group[1..] + "Ms",
        };

    private static IEnumerable<string> Groups() => CauseCatalog.All.Select(cause => cause.Group).Distinct();

    private static string CauseHeader(Cause cause) => $"{CauseCatalog.PathOf(cause).Replace('\\', ' ')} ms";

    private static IReadOnlyList<Column<SummaryRow>> RowHead() =>
        [
            new("serializer", "Serializer", row => row.Key.Serializer),
            RunsColumns.Runtime<SummaryRow>(row => row.Runtime, row => row.Key.Runtime.Length > 0),
            new("test", "Test", row => row.Key.Test),
            new("kind", null, row => row.Key.Kind.ToString()),
            new("objects", "N", row => row.Key.ObjectCount > 0 ? row.Key.ObjectCount : null, "0")
            {
                Absent = _ => Column<SummaryRow>.NotApplicable,
            },
            new("runs", "Runs", row => row.Runs, "0"),
        ];

    private static IReadOnlyList<Column<Run>> RunHead() =>
        [
            new("processId", null, run => run.ProcessId, "0"),
            new("runId", "Run", run => run.RunId, "0"),
            new("serializer", "Serializer", run => run.Identity.Serializer),
            RunsColumns.Runtime<Run>(run => run.Runtime, run => run.IsOneOfSeveralRuntimes),
            new("test", "Test", run => SummaryKey.Of(run).Test),
            new("kind", null, run => run.Identity.Kind.ToString()),
            new("objects", "N", run => run.Identity.ObjectCount > 0 ? run.Identity.ObjectCount : null, "0")
            {
                Absent = _ => Column<Run>.NotApplicable,
            },
        ];

    /// <summary>Columns of all parts: the groups, their causes, and the time outside.</summary>
    private static IEnumerable<Column<T>> Times<T>(Func<T, CauseTimes?> times, Func<Measure, T, object?> of)
    {
        foreach (var measure in CauseMeasures.Inside)
            yield return Measured(measure, of) with
            {
                Header = null,
            };
        foreach (var column in ByCause(times))
            yield return column;
        foreach (var measure in CauseMeasures.Outside)
            yield return Measured(measure, of) with
            {
                Header = null,
            };
    }

    /// <summary>The groups and the causes they are made of, for programs.</summary>
    private static IEnumerable<Column<T>> ByCause<T>(Func<T, CauseTimes?> times)
    {
        foreach (var group in Groups())
            yield return Part(GroupKey(group), null, times, item => item.Group(group));
        for (var i = 0; i < CauseCatalog.All.Count; i++)
        {
            var cause = i;
            if (CauseCatalog.All[cause].Name.Length > 0)
                yield return Part(CauseCatalog.All[cause].Key + "Ms", null, times, item => item.Causes[cause]);
        }
    }

    private static IEnumerable<Column<T>> Parts<T>(
        Func<T, CauseTimes?> times,
        Func<Measure, T, object?> of,
        IReadOnlyList<T>? rows,
        bool detail,
        bool percent
    )
    {
        foreach (
            var measure in CauseMeasures.Inside.Where(measure =>
                measure.Shown.HasFlag(ReportTables.Causes) && (measure != CauseMeasures.LazyReads || IsMeasured(measure))
            )
        )
            yield return percent && measure == CauseMeasures.Own
                ? Share(measure.Key, measure.Header, item => item.Own)
                : Measured(measure, of);
        if (detail)
        {
            for (var i = 0; i < CauseCatalog.All.Count; i++)
            {
                var cause = i;
                if (IsSeen(item => item.Causes[cause]))
                    yield return Shown(
                        CauseCatalog.All[cause].Key + "Ms",
                        CauseHeader(CauseCatalog.All[cause]),
                        item => item.Causes[cause]
                    );
            }
        }
        else
        {
            foreach (var group in Groups())
            {
                if (IsSeen(item => item.Group(group)))
                    yield return Shown(GroupKey(group), $"{group} ms", item => item.Group(group));
            }
        }

        foreach (var measure in CauseMeasures.Outside.Where(measure => measure.Shown.HasFlag(ReportTables.Causes) && IsMeasured(measure)))
            yield return Measured(measure, of);

        bool IsMeasured(Measure measure) => rows is null || rows.Any(row => of(measure, row) is > 0.0);

        bool IsSeen(Func<CauseTimes, long> ticks) => rows is null || rows.Any(row => times(row) is { } item && ticks(item) > 0);

        Column<T> Shown(string key, string header, Func<CauseTimes, long> ticks) =>
            percent ? Share(key, header, ticks) : Part(key, header, times, ticks);

        Column<T> Share(string key, string header, Func<CauseTimes, long> ticks) =>
            new(
                key,
                header.Replace(" ms", " %", StringComparison.Ordinal),
                row => times(row) is { Serializer: > 0 } item ? 100.0 * ticks(item) / item.Serializer : null,
                "0.0"
            )
            {
                Absent = row => times(row) is null ? Column<T>.NotRecorded : Column<T>.NotApplicable,
            };
    }

    private static Column<T> Measured<T>(Measure measure, Func<Measure, T, object?> of) =>
        new(measure.Key, measure.Header, row => of(measure, row), measure.Format);

    private static Column<T> Part<T>(string key, string? header, Func<T, CauseTimes?> times, Func<CauseTimes, long> ticks) =>
        new(key, header, row => times(row) is { } item ? item.ToMilliseconds(ticks(item)) : null, "0.0");
}
