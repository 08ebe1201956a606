using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns for the source line of a method, shared by the reports by line.</summary>
internal static class LineColumns
{
    /// <summary>The columns: text output has the file's name, CSV and JSON its path.</summary>
    /// <param name="method">Selects the method of a row.</param>
    public static IReadOnlyList<Column<T>> Of<T>(Func<T, MethodName?> method) =>
        [
            new("sourceLine", "Line", row => method(row)?.Line?.ToString()),
            new("file", null, row => method(row)?.Line?.File),
            new("line", null, row => method(row)?.Line?.Line, "0"),
        ];
}
