using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the main table and of the table of first uses: names and measures.</summary>
public static class SummaryColumns
{
    /// <summary>Measures that a narrow terminal drops, in the order in which it drops them.</summary>
    private static readonly string[] s_leftOut =
    [
        "peakWorkingSetBytes",
        "pauseMaxMs",
        "contentions",
        "contentionMs",
        "exceptions",
        "jitMethods",
        "wallMinMs",
        "pausePercent",
        "allocatedBytes",
        "jitMs",
        "dataBytes",
        "activatorMs",
        "reflectionMs",
        "spreadPercent",
        "pauseTotalMs",
        "allocatedBytesPerObject",
        "cpuMs",
        "gcsGen012",
    ];

    /// <summary>Columns that name a row.</summary>
    private static readonly string[] s_names = ["serializer", "runtime", "test", "objects", "runs"];

    /// <summary>All columns; those with a header make the main table.</summary>
    public static IReadOnlyList<Column<SummaryRow>> Main { get; } =
    [
        new("serializer", "Serializer", row => row.Key.Serializer),
        RunsColumns.Runtime<SummaryRow>(row => row.Runtime, row => row.Key.Runtime.Length > 0),
        new("library", null, row => row.Library),
        new("libraryVersion", null, row => row.LibraryVersion),
        new("test", "Test", row => row.Key.Test),
        new("operation", null, row => row.Key.Operation),
        new("kind", null, row => row.Key.Kind.ToString()),
        new("objects", "N", row => Positive(row.Key.ObjectCount), "0") { Absent = _ => Column<SummaryRow>.NotApplicable },
        new("payloadBytes", null, row => row.Key.PayloadBytes, "0"),
        new("threads", null, row => row.Key.ThreadCount, "0"),
        new("runs", "Runs", row => row.Runs, "0"),
        new("failedRuns", null, row => row.FailedRuns, "0"),
        .. MeasureColumns
            .OfRows(RunMeasures.All)
            .Select(column =>
                column with
                {
                    LeftOutFirst = Array.IndexOf(s_leftOut, column.Key) is >= 0 and var place ? s_leftOut.Length - place : 0,
                }
            ),
    ];

    /// <summary>Key of the column for the serializer or program.</summary>
    internal const string Subject = "serializer";

    /// <summary>Header of that column for programs.</summary>
    internal const string ProgramHeader = "Program";

    /// <summary>
    /// Columns for programs without marks, for text output: those of the main table and of processor time that apply to one run without
    /// objects.
    /// </summary>
    internal static IReadOnlyList<Column<SummaryRow>> Programs =>
        [
            .. Main.Concat(Processor)
                .Where(column => column.Header is not null)
                .DistinctBy(column => column.Key)
                .Where(column => !s_ofRuns.Contains(column.Key))
                .Select(column => column.Key == Subject ? column with { Header = ProgramHeader } : column),
        ];

    /// <summary>Columns of runs delimited by events, which have no test, objects or data.</summary>
    /// <param name="columns">Columns of a suite.</param>
    internal static IReadOnlyList<Column<SummaryRow>> OfEvents(IReadOnlyList<Column<SummaryRow>> columns) =>
        [
            .. columns
                .Where(column => column.Key is not ("test" or "objects" or "allocatedBytesPerObject" or "dataBytes"))
                .Select(column => column.Key == Subject ? column with { Header = "Run" } : column),
        ];

    /// <summary>Columns that apply to several runs, or to data.</summary>
    private static readonly string[] s_ofRuns =
    [
        "test",
        "objects",
        "wallMedianMs",
        "wallMinMs",
        "spreadPercent",
        "allocatedBytesPerObject",
        "dataBytes",
    ];

    /// <summary>Columns of the table of warm-up and first-call runs, for text output; CSV and JSON have <see cref="Main"/>.</summary>
    public static IReadOnlyList<Column<SummaryRow>> FirstUse { get; } =
        MeasureColumns.Shown(
            Main,
            ReportTables.FirstUse,
            [("serializer", "Serializer"), ("runtime", "Runtime"), ("test", "Test"), ("kind", "Kind"), ("objects", "N"), ("runs", "Runs")],
            RunMeasures.All
        );

    /// <summary>Columns of the table of processor time, for text output; CSV and JSON have <see cref="Main"/>.</summary>
    public static IReadOnlyList<Column<SummaryRow>> Processor { get; } = ProcessorColumns.Of(Main);

    /// <summary>The naming columns and the chosen ones; all columns when <paramref name="names"/> is null or empty.</summary>
    /// <param name="names">Names that <see cref="IsNamed"/> accepts.</param>
    public static IReadOnlyList<Column<SummaryRow>> Chosen(IReadOnlyList<string>? names) =>
        names is not { Count: > 0 }
            ? Main
            :
            [
                .. Main.Where(column => IsName(column) || names.Any(name => IsNamed(column, name)))
                    .Select(column =>
                        column with
                        {
                            LeftOutFirst = 0,
                            Header = column.Header ?? column.Key,
                            ShownWith = IsName(column) ? column.ShownWith : null,
                        }
                    ),
            ];

    /// <summary>Whether <paramref name="name"/> is the column's key, or matches its header by <see cref="NamePattern"/>.</summary>
    public static bool IsNamed<T>(Column<T> column, string name)
    {
        ArgumentNullException.ThrowIfNull(column);
        ArgumentNullException.ThrowIfNull(name);
        return NamePattern.TryParse(name, out var pattern)
            && (
                column.Key.Equals(pattern.Text, StringComparison.OrdinalIgnoreCase)
                || column.Header is { } header && pattern.Matches(header)
            );
    }

    private static bool IsName(Column<SummaryRow> column) => column.Header is not null && s_names.Contains(column.Key);

    private static int? Positive(int value) => value > 0 ? value : null;
}
