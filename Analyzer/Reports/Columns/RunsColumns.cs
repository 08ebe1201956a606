using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>The columns that say whose runs a row of events belongs to.</summary>
internal static class RunsColumns
{
    /// <summary>Serializer, test, kind and number of objects.</summary>
    public static IReadOnlyList<Column<T>> Of<T>(Func<T, SummaryKey?> key) =>
    [
        new("serializer", "Serializer", row => key(row)?.Serializer) { Absent = _ => Column<T>.NotApplicable },
        new("test", "Test", row => key(row)?.Test) { Absent = _ => Column<T>.NotApplicable },
        new("kind", null, row => key(row)?.Kind.ToString()),
        new("objects", "N", row => key(row) is { ObjectCount: > 0 } runs ? runs.ObjectCount : null, "0") { Absent = _ => Column<T>.NotApplicable },
    ];
}
