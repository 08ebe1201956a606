using System.Globalization;
using EtwSerializerProfiler.Analysis.Exceptions;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of exceptions. docs/metrics.md defines each column; a test compares both.</summary>
public static class ExceptionColumns
{
    /// <summary>Maximum pattern length in text output; CSV and JSON have the full pattern.</summary>
    private const int MaxMessageLength = 80;

    private static readonly IReadOnlyList<Column<ExceptionRow>> s_end =
    [
        new("rethrown", "Rethrown", row => row.Rethrown, "0"),
        new("hresult", "HRESULT", row => row.HResult is { } code ? string.Create(CultureInfo.InvariantCulture, $"0x{code:X8}") : null),
        new("message", null, row => row.Message),
        new("messagePattern", null, row => row.Pattern),
        new("stacks", "Stacks", row => row.Stacks, "0"),
        new("dump", "Dump", row => row.Dumps.Count > 0 ? string.Join(", ", row.Dumps) : null)
        {
            ShownWith = row => row.Dumps.Count > 0,
            Absent = _ => Column<ExceptionRow>.NotApplicable,
        },
    ];

    private static readonly Column<ExceptionRow> s_message = new("", "Message pattern", row => Short(row.Pattern));

    /// <summary>Columns of all groupings, for documentation.</summary>
    public static IReadOnlyList<Column<ExceptionRow>> Every { get; } = [.. Enum.GetValues<ExceptionGrouping>().SelectMany(ForPeople)];

    /// <summary>Columns of the throw stacks, for CSV and JSON.</summary>
    public static IReadOnlyList<Column<ThrowPath>> Stacks { get; } =
    [
        .. RunsColumns.Of<ThrowPath>(stack => stack.Row.Runs),
        new("processId", null, stack => stack.Row.Process?.ProcessId),
        new("runId", null, stack => stack.Row.RunId),
        new("type", null, stack => stack.Row.Type),
        new("messagePattern", null, stack => stack.Row.Pattern),
        new("count", null, stack => stack.Count),
        StackColumns.Frames<ThrowPath>(stack => stack.Frames),
    ];

    /// <summary>All columns of a grouping.</summary>
    public static IReadOnlyList<Column<ExceptionRow>> Of(ExceptionGrouping grouping) =>
        [
            .. RunsColumns.Of<ExceptionRow>(row => row.Runs),
            .. grouping == ExceptionGrouping.Run
                ? (Column<ExceptionRow>[])
                    [new("processId", "Process", row => row.Process?.ProcessId, "0"), new("runId", "Run", row => row.RunId, "0")]
                : [],
            new("type", "Type", row => row.Type),
            .. grouping == ExceptionGrouping.Line ? LineColumns.Of<ExceptionRow>(row => row.Method) : [],
            new("method", "Thrown in", row => row.Method?.Name),
            new("module", null, row => row.Method?.Module),
            new("count", "Count", row => row.Count, "0"),
            .. grouping == ExceptionGrouping.Run ? (Column<ExceptionRow>[])[] : [new("perRun", "Per run", row => row.PerRun, "0.0")],
            .. s_end,
        ];

    /// <summary>Columns for text output, with shortened message patterns.</summary>
    public static IReadOnlyList<Column<ExceptionRow>> ForPeople(ExceptionGrouping grouping) => [.. Of(grouping), s_message];

    /// <summary>Title of a throw stack: count, exception and runs.</summary>
    public static string Title(ThrowPath stack)
    {
        ArgumentNullException.ThrowIfNull(stack);
        var run = stack.Row.RunId is { } number ? string.Create(CultureInfo.InvariantCulture, $", run {number}") : "";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{stack.Count} × {stack.Row.Type ?? "exception"} \"{Short(stack.Row.Pattern)}\" ({stack.Row.Runs}{run})"
        );
    }

    private static string Short(string pattern) => pattern.Length <= MaxMessageLength ? pattern : pattern[..MaxMessageLength] + "…";
}
