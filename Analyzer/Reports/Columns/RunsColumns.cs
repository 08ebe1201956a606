using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>The columns that say whose runs a row of events belongs to.</summary>
internal static class RunsColumns
{
    /// <summary>The runtime, for people where rows are of several.</summary>
    /// <param name="runtime">Runtime of a row, empty when unknown.</param>
    /// <param name="isOneOfSeveral">Whether rows of other runtimes may stand beside it.</param>
    public static Column<T> Runtime<T>(Func<T, string> runtime, Func<T, bool> isOneOfSeveral) =>
        new("runtime", "Runtime", row => runtime(row) is { Length: > 0 } name ? name : null) { ShownWith = isOneOfSeveral };

    /// <summary>Columns for people about programs that mark no runs: each is one run, which has no test and no objects.</summary>
    /// <param name="columns">Columns of a report.</param>
    /// <param name="several">Whether rows of several programs may stand in it.</param>
    public static IReadOnlyList<Column<T>> OfPrograms<T>(IReadOnlyList<Column<T>> columns, bool several) =>
        [.. columns.Where(column => column.Key is not ("test" or "objects") && (several || column.Key != "serializer")).Select(column => column.Key == "serializer" ? column with { Header = SummaryColumns.ProgramHeader } : column)];

    /// <summary>Serializer, test, kind and number of objects.</summary>
    public static IReadOnlyList<Column<T>> Of<T>(Func<T, SummaryKey?> key) =>
    [
        new("serializer", "Serializer", row => key(row)?.Serializer) { Absent = _ => Column<T>.NotApplicable },
        Runtime<T>(row => key(row)?.Runtime ?? "", row => key(row) is { Runtime.Length: > 0 }) with { Absent = _ => Column<T>.NotApplicable },
        new("test", "Test", row => key(row)?.Test) { Absent = _ => Column<T>.NotApplicable },
        new("kind", null, row => key(row)?.Kind.ToString()),
        new("objects", "N", row => key(row) is { ObjectCount: > 0 } runs ? runs.ObjectCount : null, "0") { Absent = _ => Column<T>.NotApplicable },
    ];
}
