using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>How stacks of events read: a column for programs, lines for people.</summary>
internal static class StackColumns
{
    /// <summary>The methods of a stack, leaf first, a line each; for programs alone.</summary>
    public static Column<T> Frames<T>(Func<T, IReadOnlyList<StackMethod>?> stack) =>
        new("frames", null, row => stack(row) is { } frames ? string.Join('\n', frames.Select(frame => $"{frame.Method.Module}!{frame.Method.Name}{Mark(frame)}")) : null);

    /// <summary>For people: a stack in full below a title.</summary>
    public static Section InFull(string title, IReadOnlyList<StackMethod>? stack) =>
        Section.ForPeople(title, (IReadOnlyList<StackMethod>)[], []).With(stack is null ? [$"  {Column<StackMethod>.NotRecorded}"] : [.. stack.Select(frame => $"  {frame.Method.Name}{Mark(frame)} ({frame.Method.Module})")]);

    private static string Mark(StackMethod frame) => frame.IsInlined ? CpuColumns.InlinedMark : "";
}
