using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Formats stacks of events: a column for CSV and JSON, lines for text output.</summary>
internal static class StackColumns
{
    /// <summary>The methods of a stack, leaf first, one per line; for CSV and JSON only.</summary>
    public static Column<T> Frames<T>(Func<T, IReadOnlyList<StackMethod>?> stack) =>
        new(
            "frames",
            null,
            row =>
                stack(row) is { } frames
                    ? string.Join('\n', frames.Select(frame => $"{frame.Method.Module}!{frame.Method.Name}{Mark(frame)}"))
                    : null
        );

    /// <summary>A stack in full below a title, for text output.</summary>
    public static Section InFull(string title, IReadOnlyList<StackMethod>? stack) =>
        Section
            .ForPeople(title, (IReadOnlyList<StackMethod>)[], [])
            .With(
                stack is null
                    ? [$"  {Column<StackMethod>.NotRecorded}"]
                    : [.. stack.Select(frame => $"  {frame.Method.Name}{Mark(frame)} ({frame.Method.Module})")]
            );

    private static string Mark(StackMethod frame) => frame.IsInlined ? CpuColumns.InlinedMark : "";
}
