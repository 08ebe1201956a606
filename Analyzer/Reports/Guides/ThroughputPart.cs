using System.Globalization;
using EtwSerializerProfiler.Analysis.Growth;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Html;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>Time and data size over object counts, and on several threads.</summary>
internal static class ThroughputPart
{
    public static GuidePart Build(GuideInput input)
    {
        var part = new GuidePart("throughput", "Throughput");
        var ranked = input.Ranked();
        if (input.ThroughputRuns is not { } read || ranked.Count == 0)
            return part with { Missing = input.Missing(GuideKeys.Throughput) };
        var rows = read.Result.Rows.Where(row => row.Runs > 0 && row.Key.ObjectCount > 0).ToList();
        var charts = GrowthChart.Of(rows);
        var growth = charts
            .SelectMany(chart => chart.Series.Select(series => (Key: (series.Name, chart.Title), series.Time)))
            .ToDictionary(series => series.Key, series => series.Time);
        var counts = rows.Select(row => row.Key.ObjectCount).Distinct().Order().ToList();
        var threads = input.ThreadRuns?.Result.Rows.Where(row => row.Runs > 0).ToList() ?? [];
        return part with
        {
            Texts =
            [
                FormattableString.Invariant($"Median wall times of {ranked[0].Deserialize.Key.ObjectCount:N0} objects, by deserializing. ")
                    + "Spread is (longest - shortest run) / median. Growth is the power of the object count with which the time grows, fitted "
                    + "over the counts of 1,000 objects and more, or over all with fewer than two of these: 1 is linear, 2 is quadratic.",
            ],
            Tables =
            [
                Section.Of("throughput", "", ranked, Columns(growth, input.Changes), Columns(growth, input.Changes)),
                ByCount(RunOperation.Deserialize, rows, counts, input.Changes),
                ByCount(RunOperation.Serialize, rows, counts, input.Changes),
                .. threads.Count > 0 ? [Threads(threads, input.Changes)] : Array.Empty<Section>(),
            ],
            Sizes = new TimeSizeChart(
                FormattableString.Invariant($"Median wall time and data size of {ranked[0].Deserialize.Key.ObjectCount:N0} objects"),
                [
                    .. ranked.Select(row => new TimeSizeRow(
                        row.Serializer,
                        row.Deserialize.WallMedianMs,
                        row.Serialize?.WallMedianMs,
                        DataMeasures.Bytes.ValueOf(row.Serialize ?? row.Deserialize)
                    )),
                ]
            ),
            Charts = charts,
            Notes =
            [
                .. read.Result.Findings.Where(finding => finding.Code == "growth").Select(finding => finding.Sentence + "."),
                .. threads.Count > 0 ? [] : (string[])[$"Thread scaling: {input.Missing(GuideKeys.Threads)}."],
            ],
            Recordings =
            [
                GuideInput.ReportOf(GuideKeys.Throughput),
                .. threads.Count > 0 ? (string[])[GuideInput.ReportOf(GuideKeys.Threads)] : [],
            ],
        };
    }

    private static IReadOnlyList<Column<GuideRow>> Columns(Dictionary<(string, string), GrowthLaw?> growth, GuideChanges? changes) =>
        [
            new("serializer", "Serializer", row => row.Serializer),
            GuideColumns.Of<GuideRow>("wallMedianMs", "deserializeMs", "Deserialize ms", row => row.Deserialize),
            .. GuideColumns.Time<GuideRow>("deserializeChange", GuideKeys.Throughput, changes, row => row.Deserialize?.Key),
            GuideColumns.Of<GuideRow>("spreadPercent", "deserializeSpreadPercent", "Spread %", row => row.Deserialize),
            Growth("deserializeGrowth", row => row.Deserialize, growth),
            GuideColumns.Of<GuideRow>("wallMedianMs", "serializeMs", "Serialize ms", row => row.Serialize),
            .. GuideColumns.Time<GuideRow>("serializeChange", GuideKeys.Throughput, changes, row => row.Serialize?.Key),
            GuideColumns.Of<GuideRow>("spreadPercent", "serializeSpreadPercent", "Spread %", row => row.Serialize),
            Growth("serializeGrowth", row => row.Serialize, growth),
            GuideColumns.Of<GuideRow>("dataBytes", "dataBytes", "Data B", row => row.Serialize),
            .. GuideColumns.Size<GuideRow>("dataChange", GuideKeys.Throughput, changes, row => row.Serialize?.Key),
        ];

    /// <summary>Growth as the charts have it, which need three object counts.</summary>
    private static Column<GuideRow> Growth(string key, Func<GuideRow, SummaryRow?> of, Dictionary<(string, string), GrowthLaw?> growth) =>
        new(
            key,
            "Growth",
            row => of(row) is { } test ? growth.GetValueOrDefault((row.Serializer, test.Key.Test))?.Exponent : null,
            "0.00;-0.00;0.00"
        )
        {
            Absent = _ => Column<GuideRow>.NotApplicable,
        };

    /// <summary>Median times of a test by object count, one column a count.</summary>
    private static Section ByCount(string operation, IEnumerable<SummaryRow> rows, List<int> counts, GuideChanges? changes)
    {
        var series = rows.Where(row => row.Key.Operation == operation)
            .GroupBy(row => row.Key.Serializer)
            .Select(row => new RowSet([.. row], of => of.Key.ObjectCount))
            .OrderBy(set => set[counts[^1]]?.WallMedianMs ?? double.MaxValue)
            .ToList();
        IReadOnlyList<Column<RowSet>> columns =
        [
            new("serializer", "Serializer", set => set.First.Key.Serializer),
            .. counts.Select(count => Median($"n{Text(count)}Ms", $"N={Text(count)}", set => set[count])),
            .. Changed(GuideKeys.Throughput, counts, count => $"N={Text(count)}", changes),
        ];
        return Section.Of($"{operation.ToLowerInvariant()}ByCount", $"{operation}: median ms by object count", series, columns, columns);
    }

    /// <summary>Times on one thread and on several that each do the same work.</summary>
    private static Section Threads(List<SummaryRow> rows, GuideChanges? changes)
    {
        var counts = rows.Select(row => row.Key.ThreadCount).Distinct().Order().ToList();
        var series = rows.GroupBy(row => (row.Key.Serializer, row.Key.Operation))
            .Select(row => new RowSet([.. row], of => of.Key.ThreadCount))
            .OrderBy(set => set.First.Key.Operation, StringComparer.Ordinal)
            .ThenBy(set => set[counts[0]]?.WallMedianMs ?? double.MaxValue)
            .ToList();
        IReadOnlyList<Column<RowSet>> columns =
        [
            new("serializer", "Serializer", set => set.First.Key.Serializer),
            new("operation", "Test", set => set.First.Key.Operation),
            new("objects", "N", set => set.First.Key.ObjectCount, "0"),
            .. counts.Select(count => Median($"threads{Text(count)}Ms", $"{Plural.Of(count, "thread")}, ms", set => set[count])),
            .. counts.Skip(1).Select(Ratio),
            .. Changed(GuideKeys.Threads, counts, count => Plural.Of(count, "thread"), changes),
        ];
        return Section.Of("threads", "Threads: all do the same work at once, so a ratio of 1 is perfect scaling", series, columns, columns);

        Column<RowSet> Ratio(int count) =>
            new(
                $"threads{Text(count)}Ratio",
                $"{Text(count)} : {Text(counts[0])}",
                set => set[count]?.WallMedianMs / set[counts[0]]?.WallMedianMs,
                "0.00"
            )
            {
                Absent = _ => Column<RowSet>.NotApplicable,
            };
    }

    private static Column<RowSet> Median(string key, string header, Func<RowSet, SummaryRow?> of) =>
        GuideColumns.Of("wallMedianMs", key, header, of);

    /// <summary>The cells of a row that changed since an earlier guide; no column without one.</summary>
    private static IEnumerable<Column<RowSet>> Changed(string step, List<int> counts, Func<int, string> name, GuideChanges? changes)
    {
        if (changes is null)
            return [];
        return
        [
            new(
                "changed",
                "Changed",
                set =>
                    string.Join(
                        ", ",
                        counts
                            .Select(count => (count, Change: set[count] is { } row ? changes.Of(step, row.Key) : null))
                            .Where(cell => cell.Change is { IsTimeChanged: true })
                            .Select(cell => $"{name(cell.count)} {cell.Change!.TimeText}")
                    )
                        is { Length: > 0 } text
                        ? text
                        : null
            )
            {
                Absent = _ => Column<RowSet>.NotApplicable,
            },
        ];
    }

    private static string Text(int count) => count.ToString(CultureInfo.InvariantCulture);

    /// <summary>Rows that differ in one number.</summary>
    private sealed class RowSet(IReadOnlyList<SummaryRow> rows, Func<SummaryRow, int> number)
    {
        /// <summary>Any of them.</summary>
        public SummaryRow First => rows[0];

        /// <summary>The row of a number; null when there is none.</summary>
        public SummaryRow? this[int value] => rows.FirstOrDefault(row => number(row) == value);
    }
}
