using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>
/// A measure of a run. Columns of reports and stores, the names for <c>trend</c> and <c>gate</c>, and the reference in docs/metrics.md
/// follow from its declaration. <see cref="RunMeasures"/> lists all measures.
/// </summary>
public abstract class Measure
{
    /// <summary>Value of <see cref="NotRecorded"/> when every run has a value.</summary>
    public const string Never = "never";

    private static int s_slots;

    private protected Measure(string key, string unit, string format) =>
        (Key, Unit, Format, Slot) = (key, unit, format, Interlocked.Increment(ref s_slots) - 1);

    /// <summary>Name in CSV and JSON; ends with the unit.</summary>
    public string Key { get; }

    /// <summary>Header in text output; empty when no table shows it.</summary>
    public string Header { get; init; } = "";

    /// <summary>Unit of the value in CSV and JSON; empty for counts and words.</summary>
    public string Unit { get; }

    /// <summary>.NET format of the number in text output; empty for words.</summary>
    public string Format { get; }

    /// <summary>Divisor for numbers in text output: 1e6 shows bytes as MB.</summary>
    public double Scale { get; init; } = 1;

    /// <summary>Definition for docs/metrics.md.</summary>
    public required string Definition { get; init; }

    /// <summary>Origin and accuracy of the value; empty when <see cref="Definition"/> has it.</summary>
    public string Source { get; init; } = "";

    /// <summary>Origin of the value when the source was not recorded; empty for none.</summary>
    public string Fallback { get; init; } = "";

    /// <summary>Condition for a missing value; <see cref="Never"/> when every run has one.</summary>
    public required string NotRecorded { get; init; }

    /// <summary>Reports that have it as a field of CSV and JSON.</summary>
    public ReportFields Fields { get; init; } = ReportFields.Runs | ReportFields.Table;

    /// <summary>Tables of text output that show it.</summary>
    public ReportTables Shown { get; init; }

    /// <summary>Whether tables of text output omit it when none of their rows has a value.</summary>
    public bool IsShownOnlyIfRecorded { get; init; }

    /// <summary>Whether the totals in the JSON of <c>table</c> have it.</summary>
    public bool IsInTotals { get; init; } = true;

    /// <summary>Its column in stores; null for none.</summary>
    public StoredMeasure? Stored { get; init; }

    /// <summary>Comparison of two sides by it; null when not compared.</summary>
    public ComparedMeasure? Compared { get; init; }

    /// <summary>Whether a missing value does not apply to the run, instead of not being recorded.</summary>
    public Func<Run, bool>? DoesNotApplyToRun { get; init; }

    /// <summary>The same for a row; by default, it does not apply to a row if it applies to none of its runs.</summary>
    public Func<SummaryRow, bool>? DoesNotApplyToRow { get; init; }

    /// <summary>Type of the value: <c>long</c> for counts, <c>double</c> for numbers, or another type for words.</summary>
    public abstract Type ValueType { get; }

    /// <summary>Aggregation of the runs' values to that of the row; null when the row's value is computed otherwise.</summary>
    public abstract OverRuns? Aggregation { get; }

    /// <summary>Whether <see cref="Run.Values"/> stores it. All others are computed from the stored ones.</summary>
    public abstract bool IsKept { get; }

    /// <summary>Index in <see cref="MeasureValues"/>.</summary>
    internal int Slot { get; }

    /// <summary>Kinds of events that it needs; without them it is not recorded.</summary>
    internal EventKinds Needs { get; init; }

    /// <summary>Value of a run: a number, a word, or null.</summary>
    public abstract object? Of(Run run);

    /// <summary>Value of a row: a number, a word, or null.</summary>
    public abstract object? Of(SummaryRow row);

    /// <summary>Whether a missing value of a run does not apply.</summary>
    public bool DoesNotApply(Run run) => DoesNotApplyToRun?.Invoke(run) == true;

    /// <inheritdoc cref="DoesNotApply(Run)"/>
    public bool DoesNotApply(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return DoesNotApplyToRow is { } declared ? declared(row) : DoesNotApplyToRun is { } ofRun && row.CountedRuns.All(ofRun);
    }

    /// <inheritdoc />
    public override string ToString() => Key;

    /// <summary>Value to store for a collected run; NaN when not recorded.</summary>
    internal abstract double Collected(CollectedRun run);

    /// <summary>Value to store from a store's column; NaN for null.</summary>
    internal abstract double Restored(object? value);
}

/// <summary>Reports that have a measure as a field of CSV and JSON.</summary>
[Flags]
public enum ReportFields
{
    /// <summary>None: only in stores.</summary>
    None = 0,

    /// <summary><c>esp-analyze runs</c>.</summary>
    Runs = 1,

    /// <summary><c>esp-analyze table</c>.</summary>
    Table = 2,

    /// <summary><c>esp-analyze causes</c>, of rows and of runs.</summary>
    Causes = 4,
}

/// <summary>Tables of text output that show a measure.</summary>
[Flags]
public enum ReportTables
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary><c>esp-analyze runs</c>.</summary>
    Runs = 1,

    /// <summary>The main table of <c>esp-analyze table</c>.</summary>
    Main = 2,

    /// <summary>The table of first uses.</summary>
    FirstUse = 4,

    /// <summary>The table of processor time and waiting, of runs and of rows.</summary>
    Processor = 8,

    /// <summary>Details of a selected run in the timeline of the HTML report.</summary>
    Timeline = 16,

    /// <summary><c>esp-analyze causes</c>, if above 0 in one of the rows.</summary>
    Causes = 32,
}

/// <summary>Columns of a measure in stores.</summary>
/// <param name="Name">Name of the column; ends with the unit.</param>
/// <param name="OfRun">Meaning of the column in the table <c>run</c>; null when that table lacks it.</param>
/// <param name="OfRow">Meaning of the column in the table <c>result</c>; null when that table lacks it.</param>
/// <param name="Since">
/// Schema version that introduced it. A new column needs a new version, and older stores get the column when opened.
/// </param>
public sealed record StoredMeasure(string Name, string? OfRun, string? OfRow = null, int Since = 1);

/// <summary>Comparison of two sides by a measure.</summary>
/// <param name="Name">Name for <c>--metric</c>.</param>
/// <param name="Header">Name in text output.</param>
/// <param name="Kind">Way to judge differences.</param>
public sealed record ComparedMeasure(string Name, string Header, MetricKind Kind);
