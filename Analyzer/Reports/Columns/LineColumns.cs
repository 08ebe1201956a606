using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the source line of a method, the same in all reports by line.</summary>
internal static class LineColumns
{
    /// <summary>The columns: people see the file's name, programs its path.</summary>
    /// <param name="method">The method of a row.</param>
    public static IReadOnlyList<Column<T>> Of<T>(Func<T, MethodName?> method) =>
        [new("sourceLine", "Line", row => method(row)?.Line?.ToString()), new("file", null, row => method(row)?.Line?.File), new("line", null, row => method(row)?.Line?.Line, "0")];
}
