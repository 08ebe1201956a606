using System.Globalization;
using EtwSerializerProfiler.Analysis.Exceptions;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of exceptions. docs/metrics.md defines each; a test holds the two together.</summary>
public static class ExceptionColumns
{
    /// <summary>Longest message that people see; programs get all of it.</summary>
    private const int LongestMessage = 80;

    /// <summary>All columns.</summary>
    public static IReadOnlyList<Column<ExceptionRow>> All { get; } =
    [
        .. RunsColumns.Of<ExceptionRow>(row => row.Runs),
        new("type", "Type", row => row.Type),
        new("method", "Thrown in", row => row.Method?.Name),
        new("module", null, row => row.Method?.Module),
        new("count", "Count", row => row.Count, "0"),
        new("rethrown", "Rethrown", row => row.Rethrown, "0"),
        new("hresult", "HRESULT", row => row.HResult is { } code ? string.Create(CultureInfo.InvariantCulture, $"0x{code:X8}") : null),
        new("message", null, row => row.Message),
    ];

    /// <summary>Columns as people see them: messages on one line and cut.</summary>
    public static IReadOnlyList<Column<ExceptionRow>> ForPeople { get; } = [.. All, new("", "First message", row => Short(row.Message))];

    private static string Short(string message)
    {
        var line = string.Join(' ', message.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        return line.Length <= LongestMessage ? line : line[..LongestMessage] + "…";
    }
}
