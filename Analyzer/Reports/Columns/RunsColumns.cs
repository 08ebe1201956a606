using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns that name the runs of a row of events.</summary>
internal static class RunsColumns
{
    /// <summary>The runtime column; text output has it only with several runtimes.</summary>
    /// <param name="runtime">Runtime of a row; empty when unknown.</param>
    /// <param name="isOneOfSeveral">Whether rows of other runtimes are possible.</param>
    public static Column<T> Runtime<T>(Func<T, string> runtime, Func<T, bool> isOneOfSeveral) =>
        new("runtime", "Runtime", row => runtime(row) is { Length: > 0 } name ? name : null) { ShownWith = isOneOfSeveral };

    /// <summary>Columns in text output for programs without marks: each is one run without test and objects.</summary>
    /// <param name="columns">Columns of the report.</param>
    /// <param name="several">Whether the table may have rows of several programs.</param>
    public static IReadOnlyList<Column<T>> OfPrograms<T>(IReadOnlyList<Column<T>> columns, bool several) =>
        [
            .. columns
                .Where(column => column.Key is not ("test" or "objects") && (several || column.Key != "serializer"))
                .Select(column => column.Key == "serializer" ? column with { Header = SummaryColumns.ProgramHeader } : column),
        ];

    /// <summary>Columns for serializer, test, kind and number of objects.</summary>
    public static IReadOnlyList<Column<T>> Of<T>(Func<T, SummaryKey?> key) =>
        [
            new("serializer", "Serializer", row => key(row)?.Serializer) { Absent = _ => Column<T>.NotApplicable },
            Runtime<T>(row => key(row)?.Runtime ?? "", row => key(row) is { Runtime.Length: > 0 }) with
            {
                Absent = _ => Column<T>.NotApplicable,
            },
            new("test", "Test", row => key(row)?.Test) { Absent = _ => Column<T>.NotApplicable },
            new("kind", null, row => key(row)?.Kind.ToString()),
            new("objects", "N", row => key(row) is { ObjectCount: > 0 } runs ? runs.ObjectCount : null, "0")
            {
                Absent = _ => Column<T>.NotApplicable,
            },
        ];
}
