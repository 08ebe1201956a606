using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Comparison;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the comparison of two sides. docs/metrics.md defines each column; a test compares both.</summary>
public static class DiffColumns
{
    /// <summary>Columns of one measure of a pair; those with a header form the table of wall times.</summary>
    public static IReadOnlyList<Column<DiffRow>> All { get; } =
    [
        .. Head<DiffRow>(row => row.Pair.Key),
        new("metric", null, row => row.Compared.Metric.Key),
        new("unit", null, row => Unit(row)),
        new("runsCompared", "Runs", row => $"{row.Compared.BaselineRuns}/{row.Compared.OtherRuns}") { LeftOutFirst = 2 },
        new("baselineRuns", null, row => row.Compared.BaselineRuns, "0"),
        new("otherRuns", null, row => row.Compared.OtherRuns, "0"),
        new("baselineProcesses", null, row => row.Pair.Baseline.Clusters.Count, "0"),
        new("otherProcesses", null, row => row.Pair.Other.Clusters.Count, "0"),
        new("baselineFailedRuns", null, row => row.Pair.Baseline.Failed, "0"),
        new("otherFailedRuns", null, row => row.Pair.Other.Failed, "0"),
        new("baselineDisturbedRuns", null, row => row.Pair.Baseline.Disturbed, "0"),
        new("otherDisturbedRuns", null, row => row.Pair.Other.Disturbed, "0"),
        Applicable(new("baselineMedian", "Base", row => row.Compared.Baseline, "0.000")),
        Applicable(new("otherMedian", "Other", row => row.Compared.Other, "0.000")),
        Applicable(new("difference", "Difference", row => row.Compared.Difference, "+0.000;-0.000;0.000") { LeftOutFirst = 3 }),
        Applicable(new("ratio", "Ratio", row => row.Compared.Ratio, "0.000")),
        new("interval", "95 % interval", row => ComparisonText.Interval(row.Compared))
        {
            LeftOutFirst = 1,
            Absent = row => row.Compared.Verdict == Verdict.NotRecorded ? Column<DiffRow>.NotRecorded : Column<DiffRow>.NotApplicable,
        },
        new("low", null, row => row.Compared.Low),
        new("high", null, row => row.Compared.High),
        new("pValue", null, row => row.Compared.PValue),
        Applicable(new("noisePercent", "Noise %", row => row.Compared.Noise * 100, "0.0") { LeftOutFirst = 4 }),
        new("designEffect", null, row => row.Compared.DesignEffect),
        new("verdict", "Verdict", row => ComparisonText.Of(row.Compared) + ComparisonText.Disturbed(row.Pair))
        {
            Shown = row => ComparisonText.Shown(row.Compared) + ComparisonText.Disturbed(row.Pair),
        },
        new("neededRuns", null, row => row.Compared.NeededRuns, "0"),
    ];

    /// <summary>Columns of the other measures, for text output.</summary>
    public static IReadOnlyList<Column<DiffRow>> OfMetrics { get; } =
    [
        .. All.TakeWhile(column => column.Key != "metric"),
        new("metric", "Measure", row => row.Compared.Metric.Name),
        .. All.SkipWhile(column => column.Key != "runsCompared").Select(InUnit),
    ];

    /// <summary>Columns of the causes of the differences.</summary>
    public static IReadOnlyList<Column<PartRow>> Causes { get; } =
    [.. Head<PartRow>(row => row.Pair.Key), new("cause", "Cause", row => row.Part.Name), .. Means()];

    /// <summary>Columns of the methods of these causes.</summary>
    public static IReadOnlyList<Column<PartRow>> Methods { get; } =
    [
        .. Head<PartRow>(row => row.Pair.Key),
        new("method", "Method", row => row.Method!.Method.Name),
        new("module", null, row => row.Method!.Method.Module),
        new("cause", "Cause", row => row.Part.Name),
        .. Means(),
    ];

    /// <summary>Columns of the program's source lines.</summary>
    public static IReadOnlyList<Column<LineDifference>> OfLine { get; } =
    [
        new("sourceLine", "Line", row => row.Newest.Line.ToString()),
        new("change", "Change", row => ComparisonText.Of(row)) { ShownWith = row => ComparisonText.Of(row).Length > 0 },
        new("method", "Method", row => row.Newest.Method) { LeftOutFirst = 2 },
        new("module", null, row => row.Newest.Module),
        new("baselineFile", null, row => row.Baseline?.Line.File) { Absent = _ => Column<LineDifference>.NotApplicable },
        new("baselineLine", null, row => row.Baseline?.Line.Line, "0") { Absent = _ => Column<LineDifference>.NotApplicable },
        new("otherFile", null, row => row.Other?.Line.File) { Absent = _ => Column<LineDifference>.NotApplicable },
        new("otherLine", null, row => row.Other?.Line.Line, "0") { Absent = _ => Column<LineDifference>.NotApplicable },
        new("baselineMs", "Base ms", row => row.BaselineMs, "0.000"),
        new("otherMs", "Other ms", row => row.OtherMs, "0.000"),
        new("differenceMs", "Difference ms", row => row.DifferenceMs, "+0.000;-0.000;0.000"),
        new("errorMs", "± ms", row => row.ErrorMs, "0.000") { LeftOutFirst = 1 },
        new("text", "Source", row => row.Text) { Absent = _ => "" },
    ];

    /// <summary>Columns of the source lines, with the row's name.</summary>
    public static IReadOnlyList<Column<LineDifference>> Lines { get; } =
    [
        .. Head<LineDifference>(row => row.Key),
        .. OfLine.Select(column => column.Key == "change" ? new(column.Key, null, row => row.Change.ToString()) : column),
    ];

    /// <summary>Columns of GCs, mean per run.</summary>
    public static IReadOnlyList<Column<ComparedPair>> Gcs { get; } =
    [
        .. Head<ComparedPair>(pair => pair.Key),
        new("baselineGcs", "Base GC 0/1/2 per run", pair => Counts(pair.Baseline)),
        new("otherGcs", "Other GC 0/1/2 per run", pair => Counts(pair.Other)),
        new("baselinePauseMs", "Base pause ms", pair => Mean(pair.Baseline, Metric.Pause), "0.000"),
        new("otherPauseMs", "Other pause ms", pair => Mean(pair.Other, Metric.Pause), "0.000"),
        new("baselinePauseMaxMs", "Base max pause ms", pair => pair.Baseline.All.Max(run => run.PauseMaxMs), "0.000") { LeftOutFirst = 1 },
        new("otherPauseMaxMs", "Other max pause ms", pair => pair.Other.All.Max(run => run.PauseMaxMs), "0.000") { LeftOutFirst = 2 },
    ];

    /// <summary>Columns of allocated types.</summary>
    public static IReadOnlyList<Column<AllocationDiffRow>> Allocations { get; } =
    [
        .. Head<AllocationDiffRow>(row => row.Key),
        new("type", "Type", row => row.Type),
        new("baselineBytes", "Base MB", row => row.Baseline, "0.000") { Scale = 1e6 },
        new("otherBytes", "Other MB", row => row.Other, "0.000") { Scale = 1e6 },
        new("differenceBytes", "Difference MB", row => row.Difference, "+0.000;-0.000;0.000") { Scale = 1e6 },
    ];

    /// <summary>Columns of the difference without the factored-out causes; <paramref name="causes"/> are their names.</summary>
    public static IReadOnlyList<Column<ComparedPair>> Without(string causes) =>
        [
            .. Head<ComparedPair>(pair => pair.Key),
            new("baselineMeanMs", "Base", pair => pair.Factored?.Whole.BaselineMs, "0.000"),
            new("otherMeanMs", "Other", pair => pair.Factored?.Whole.OtherMs, "0.000") { LeftOutFirst = 1 },
            new("meanRatio", "Ratio", pair => pair.Factored?.Whole.Ratio, "0.00"),
            new("baselineWithout", null, pair => pair.Factored?.Remaining.BaselineMs),
            new("otherWithout", null, pair => pair.Factored?.Remaining.OtherMs),
            new("remainingRatio", "Without", pair => pair.Factored?.Remaining.Ratio, "0.00"),
            new("explainedPercent", "Explained %", pair => Explained(pair)?.ExplainedPercent, "0") { Absent = NotExplained },
            new("remainingPercent", "Remains %", pair => Explained(pair)?.RemainingPercent, "0")
            {
                Absent = NotExplained,
                LeftOutFirst = 2,
            },
            new("interval", "95 % interval", pair => ComparisonText.Interval(pair.Without!))
            {
                LeftOutFirst = 3,
                Absent = pair =>
                    pair.Without!.Verdict == Verdict.NotRecorded ? Column<ComparedPair>.NotRecorded : Column<ComparedPair>.NotApplicable,
            },
            new("low", null, pair => pair.Without!.Low),
            new("high", null, pair => pair.Without!.High),
            new("verdict", "Verdict without", pair => ComparisonText.Of(pair.Without!) + ComparisonText.Disturbed(pair))
            {
                Shown = pair => ComparisonText.Shown(pair.Without!) + ComparisonText.Disturbed(pair),
            },
            new("neededRuns", null, pair => pair.Without!.NeededRuns, "0"),
            new("factoredOut", null, _ => causes),
        ];

    /// <summary>Null without a difference beyond noise, because shares of a random difference mean nothing.</summary>
    private static FactoredDifference? Explained(ComparedPair pair) =>
        pair.Wall.Verdict is Verdict.Worse or Verdict.Better ? pair.Factored : null;

    private static string NotExplained(ComparedPair pair) =>
        pair.Factored is null ? Column<ComparedPair>.NotRecorded : Column<ComparedPair>.NotApplicable;

    /// <summary>Columns of rows that only one side has.</summary>
    public static IReadOnlyList<Column<(SummaryKey Key, string Side)>> Unmatched { get; } =
    [.. Head<(SummaryKey Key, string Side)>(row => row.Key), new("side", "Only in", row => row.Side)];

    /// <summary>Columns that name a row.</summary>
    internal static IReadOnlyList<Column<T>> Head<T>(Func<T, SummaryKey> key) =>
        [
            new("serializer", "Serializer", row => key(row).Serializer),
            RunsColumns.Runtime<T>(row => key(row).Runtime, row => key(row).Runtime.Length > 0),
            new("test", "Test", row => key(row).Test),
            new("operation", null, row => key(row).Operation),
            new("kind", "Kind", row => key(row).Kind.ToString()) { ShownWith = row => key(row).Kind != RunKind.Measured },
            new("objects", "N", row => key(row).ObjectCount > 0 ? key(row).ObjectCount : null, "0")
            {
                Absent = _ => Column<T>.NotApplicable,
            },
            new("payloadBytes", null, row => key(row).PayloadBytes, "0"),
            new("threads", null, row => key(row).ThreadCount, "0"),
        ];

    private static IEnumerable<Column<PartRow>> Means() =>
        [
            new("baselineMs", "Base ms", row => row.BaselineMs, "0.000"),
            new("otherMs", "Other ms", row => row.OtherMs, "0.000"),
            new("differenceMs", "Difference ms", row => row.DifferenceMs, "+0.000;-0.000;0.000"),
            new("errorMs", "± ms", row => row.ErrorMs, "0.000") { LeftOutFirst = 1 },
            new("sharePercent", "Of the difference %", row => row.SharePercent, "0.0")
            {
                LeftOutFirst = 2,
                Absent = _ => Column<PartRow>.NotApplicable,
            },
        ];

    private static Column<DiffRow> Applicable(Column<DiffRow> column) =>
        column with
        {
            Absent = row => row.Compared.Verdict == Verdict.NotRecorded ? Column<DiffRow>.NotRecorded : Column<DiffRow>.NotApplicable,
        };

    /// <summary>Shows bytes as MB in a table that also has ms.</summary>
    private static Column<DiffRow> InUnit(Column<DiffRow> column) =>
        column.Key is "baselineMedian" or "otherMedian" or "difference"
            ? column with
            {
                Value = row => column.Value(row) is double value ? value / (row.Compared.Metric.Kind == MetricKind.Bytes ? 1e6 : 1) : null,
            }
            : column;

    private static string Unit(DiffRow row) => row.Compared.Metric.Kind == MetricKind.Bytes ? "B" : "ms";

    private static double? Mean(SideRuns side, Metric metric) =>
        side.Count > 0 && side.All.All(run => metric.Value(run) is not null) ? side.All.Average(run => metric.Value(run)) : null;

    private static string? Counts(SideRuns side)
    {
        if (side.Count == 0 || side.All.Any(run => run.Gcs is null))
            return null;
        return FormattableString.Invariant(
            $"{side.All.Average(run => run.Gcs!.Value.Gen0):0.0}/{side.All.Average(run => run.Gcs!.Value.Gen1):0.0}/{side.All.Average(run => run.Gcs!.Value.Gen2):0.0}"
        );
    }
}
