using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>
/// A measure of a run, declared once. Columns of reports, columns of stores, the names that <c>trend</c> and <c>gate</c> take and the reference in docs/metrics.md follow from the declaration.
/// <see cref="RunMeasures"/> lists all of them.
/// </summary>
public abstract class Measure
{
    /// <summary>For <see cref="NotRecorded"/>: every run has a value.</summary>
    public const string Never = "never";

    private static int s_slots;

    private protected Measure(string key, string unit, string format) => (Key, Unit, Format, Slot) = (key, unit, format, Interlocked.Increment(ref s_slots) - 1);

    /// <summary>Name in CSV and JSON; ends with the unit.</summary>
    public string Key { get; }

    /// <summary>Header for people; empty when no table shows it.</summary>
    public string Header { get; init; } = "";

    /// <summary>Unit of the value for programs; empty for counts and words.</summary>
    public string Unit { get; }

    /// <summary>.NET format of the number for people; empty for words.</summary>
    public string Format { get; }

    /// <summary>Divides the number for people only: 1e6 shows bytes as MB.</summary>
    public double Scale { get; init; } = 1;

    /// <summary>What it is, for docs/metrics.md.</summary>
    public required string Definition { get; init; }

    /// <summary>Where the value comes from and how exact it is; empty when <see cref="Definition"/> says so.</summary>
    public string Source { get; init; } = "";

    /// <summary>Where the value comes from when the source was not recorded; empty for nowhere.</summary>
    public string Fallback { get; init; } = "";

    /// <summary>When there is no value; <see cref="Never"/> when every run has one.</summary>
    public required string NotRecorded { get; init; }

    /// <summary>Reports that have it as a field of CSV and JSON.</summary>
    public ReportFields Fields { get; init; } = ReportFields.Runs | ReportFields.Table;

    /// <summary>Tables that show it to people.</summary>
    public ReportTables Shown { get; init; }

    /// <summary>Whether the totals over all rows in the JSON of <c>table</c> have it.</summary>
    public bool IsInTotals { get; init; } = true;

    /// <summary>Its column in stores; null for none.</summary>
    public StoredMeasure? Stored { get; init; }

    /// <summary>How two sides are compared by it; null when they are not.</summary>
    public ComparedMeasure? Compared { get; init; }

    /// <summary>Whether a value that is missing does not apply to the run, instead of not being recorded.</summary>
    public Func<Run, bool>? DoesNotApplyToRun { get; init; }

    /// <summary>The same of a row; unless declared, it does not apply to a row when it applies to none of the row's runs.</summary>
    public Func<SummaryRow, bool>? DoesNotApplyToRow { get; init; }

    /// <summary>Whether it counts things, is a number or a word: <c>long</c>, <c>double</c> or another type.</summary>
    public abstract Type ValueType { get; }

    /// <summary>How the values of a row's runs make that of the row; null when that of the row is computed otherwise.</summary>
    public abstract OverRuns? Aggregation { get; }

    /// <summary>Whether <see cref="Run.Values"/> keeps it. All others are computed from those.</summary>
    public abstract bool IsKept { get; }

    /// <summary>Place in <see cref="MeasureValues"/>.</summary>
    internal int Slot { get; }

    /// <summary>Events that it is made of; without them it is not recorded.</summary>
    internal EventKinds Needs { get; init; }

    /// <summary>Value of a run: a number, a word, or null.</summary>
    public abstract object? Of(Run run);

    /// <summary>Value of a row: a number, a word, or null.</summary>
    public abstract object? Of(SummaryRow row);

    /// <summary>What stands for a missing value: whether it does not apply.</summary>
    public bool DoesNotApply(Run run) => DoesNotApplyToRun?.Invoke(run) == true;

    /// <inheritdoc cref="DoesNotApply(Run)"/>
    public bool DoesNotApply(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return DoesNotApplyToRow is { } declared ? declared(row) : DoesNotApplyToRun is { } ofRun && row.CountedRuns.All(ofRun);
    }

    /// <inheritdoc />
    public override string ToString() => Key;

    /// <summary>The value to keep of a run that the passes have read; not a number when it was not recorded.</summary>
    internal abstract double Collected(CollectedRun run);

    /// <summary>The value to keep that a store has; not a number for null.</summary>
    internal abstract double Restored(object? value);
}

/// <summary>Reports that have a measure as a field of CSV and JSON.</summary>
[Flags]
public enum ReportFields
{
    /// <summary>None: only stores have it.</summary>
    None = 0,

    /// <summary><c>esp-analyze runs</c>.</summary>
    Runs = 1,

    /// <summary><c>esp-analyze table</c>.</summary>
    Table = 2,

    /// <summary><c>esp-analyze causes</c>, of rows and of runs.</summary>
    Causes = 4,
}

/// <summary>Tables that show a measure to people.</summary>
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

    /// <summary>What the timeline of the HTML report shows of a selected run.</summary>
    Timeline = 16,

    /// <summary><c>esp-analyze causes</c>, where it is more than 0 in one of the rows.</summary>
    Causes = 32,
}

/// <summary>A measure's columns in stores.</summary>
/// <param name="Name">Name of the column; ends with the unit.</param>
/// <param name="OfRun">Meaning of the column of table <c>run</c>; null when that table has none.</param>
/// <param name="OfRow">Meaning of the column of table <c>result</c>; null when that table has none.</param>
/// <param name="Since">Version of the schema that brought it. A new column makes a new version, and stores of earlier versions get it when they are opened.</param>
public sealed record StoredMeasure(string Name, string? OfRun, string? OfRow = null, int Since = 1);

/// <summary>How two sides are compared by a measure.</summary>
/// <param name="Name">Name on command lines: what <c>--metric</c> takes.</param>
/// <param name="Header">Name for people.</param>
/// <param name="Kind">How differences are judged.</param>
public sealed record ComparedMeasure(string Name, string Header, MetricKind Kind);
