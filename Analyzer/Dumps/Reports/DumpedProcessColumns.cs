using System.Globalization;
using EtwSerializerProfiler.Dumps.Exceptions;
using EtwSerializerProfiler.Dumps.Locks;
using EtwSerializerProfiler.Dumps.Modules;
using EtwSerializerProfiler.Dumps.Roots;
using EtwSerializerProfiler.Dumps.Stacks;
using EtwSerializerProfiler.Dumps.Threads;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Dumps.Reports;

/// <summary>
/// Columns about the state of a dumped process: exceptions, threads, locks, root paths, assemblies. docs/metrics.md defines each; a test
/// compares the two.
/// </summary>
public static class DumpedProcessColumns
{
    /// <summary>Maximum length of a message for people; programs get all of it.</summary>
    private const int MaxMessageLength = 80;

    /// <summary>Maximum number of thread ids of a group for people.</summary>
    private const int MaxIds = 12;

    /// <summary>Equal exceptions.</summary>
    public static IReadOnlyList<Column<ExceptionGroup>> Exceptions { get; } =
    [
        new(
            "where",
            "Where",
            row =>
                row.Thread is { } thread
                    ? string.Create(CultureInfo.InvariantCulture, $"thread {thread.ManagedId}{Named(thread.Name)}")
                    : "heap"
        ),
        new("threadId", null, row => row.Thread?.ManagedId, "0"),
        new("osThreadId", null, row => row.Thread is { } thread ? (long)thread.OsId : null, "0"),
        new("count", "Count", row => row.Count, "0"),
        new("type", "Type", row => row.First.Type),
        new("hresult", "HRESULT", row => HResult(row.First)),
        new("message", null, row => row.First.Message),
        new(
            "inner",
            null,
            row =>
                row.First.Inner is null
                    ? null
                    : string.Join(" ← ", row.First.Chain.Skip(1).Select(inner => $"{inner.Type}: {inner.Message}"))
        ),
        new("thrownIn", "Thrown in", row => row.Frames.Count > 0 ? row.Frames[0].Method : null) { Absent = _ => "not thrown" },
        new("serializer", "Serializer", row => row.Serializer) { Absent = Nothing },
        new("stack", null, row => Stack(row.Frames)),
        new(
            "innerStack",
            null,
            row =>
                row.First.Inner is null
                    ? null
                    : string.Join(
                        '\n',
                        row.First.Chain.Skip(1)
                            .SelectMany(inner => inner.Frames.Select(frame => frame.Text).Prepend($"caused by {inner.Type}"))
                    )
        ),
        new("address", null, row => Address(row.First.Address)),
    ];

    /// <summary>Exceptions for people: messages on one line, truncated.</summary>
    public static IReadOnlyList<Column<ExceptionGroup>> ExceptionsForPeople { get; } =
    [
        .. Brief(Exceptions),
        new("", "Message", row => Short(row.First.Message)) { Absent = Nothing },
        new(
            "",
            "Inner exceptions",
            row => Short(string.Join(" ← ", row.First.Chain.Skip(1).Select(inner => $"{inner.Type}: {inner.Message}")))
        )
        {
            ShownWith = row => row.First.Inner is not null,
        },
    ];

    /// <summary>Equal stacks for people.</summary>
    public static IReadOnlyList<Column<StackGroup>> StacksForPeople => [.. Brief(Stacks)];

    /// <summary>Held locks for people.</summary>
    public static IReadOnlyList<Column<HeldLock>> LocksForPeople => [.. Brief(Locks)];

    /// <summary>Threads.</summary>
    public static IReadOnlyList<Column<DumpThread>> Threads { get; } =
    [
        new("threadId", "Thread", row => row.ManagedId, "0"),
        new("osThreadId", "OS thread", row => (long)row.OsId, "0"),
        new("name", "Name", row => row.Name),
        new("role", "Role", row => row.Role),
        new("mode", "Mode", row => row.IsCooperative ? "cooperative" : "preemptive"),
        new("serializer", "Serializer", row => row.Serializer) { Absent = Nothing },
        new("doing", "In", row => row.Place?.Method) { Absent = Nothing },
        new("frames", "Frames", row => row.Frames.Count, "0"),
        new("exception", "Exception", row => row.Exception?.Type) { Absent = Nothing },
        new("stack", null, row => Stack(row.Frames)),
    ];

    /// <summary>Equal stacks.</summary>
    public static IReadOnlyList<Column<StackGroup>> Stacks { get; } =
    [
        new("threads", "Threads", row => row.Threads.Count, "0"),
        new(
            "threadIds",
            "Thread ids",
            row =>
                string.Join(' ', row.Threads.Take(MaxIds).Select(thread => thread.ManagedId.ToString(CultureInfo.InvariantCulture)))
                + (row.Threads.Count > MaxIds ? " …" : "")
        ),
        new(
            "names",
            "Names",
            row => string.Join(", ", row.Threads.Select(thread => thread.Label).Where(label => label.Length > 0).Distinct().Take(MaxIds))
        ),
        new("serializer", "Serializer", row => row.Threads[0].Serializer) { Absent = Nothing },
        new("doing", "In", row => row.Threads[0].Place?.Method) { Absent = Nothing },
        new("waitsIn", "Waits or runs in", row => row.Frames.Count > 0 ? row.Frames[0].Method : null)
        {
            Absent = row => row.Threads[0].Problem.Length > 0 ? "not read" : "no managed frames",
        },
        new("frames", "Frames", row => row.Frames.Count, "0"),
        new("stack", null, row => Stack(row.Frames)),
    ];

    /// <summary>Held locks.</summary>
    public static IReadOnlyList<Column<HeldLock>> Locks { get; } =
    [
        new("address", "Object", row => Address(row.Object)),
        new("type", "Type", row => row.Type),
        new(
            "lockKind",
            "Kind",
            row =>
                row.Kind switch
                {
                    LockKind.MonitorThin => "Monitor (thin)",
                    LockKind.Monitor => "Monitor",
                    _ => "Lock",
                }
        ),
        new(
            "owner",
            "Held by",
            row =>
                row.Owner is { } owner ? string.Create(CultureInfo.InvariantCulture, $"thread {owner.ManagedId}{Named(owner.Name)}") : null
        )
        {
            Absent = _ => "unknown thread",
        },
        new("ownerThreadId", null, row => row.Owner?.ManagedId, "0"),
        new("entered", "Entered", row => row.Entered, "0"),
        new("waiters", "Waiters", row => row.Waiters, "0"),
        new(
            "waitingThreadIds",
            "Waiting threads",
            row =>
                string.Join(
                    ", ",
                    row.Waiting.Select(thread => string.Create(CultureInfo.InvariantCulture, $"{thread.ManagedId}{Named(thread.Name)}"))
                )
        ),
        new("ownerIn", "Its owner is in", row => row.Owner?.Place?.Method) { Absent = Nothing },
    ];

    /// <summary>Root paths.</summary>
    public static IReadOnlyList<Column<RootRow>> Roots { get; } =
    [
        new("type", "Type", row => row.Type),
        new("bytes", "MB", row => (double)row.Bytes, "0.000") { Scale = 1e6 },
        new("samples", "Samples", row => row.Samples, "0"),
        new("root", "Root", row => row.Root) { Absent = _ => "none found" },
        new("path", "Path", row => row.Path) { Absent = Nothing },
        new("length", "Length", row => row.Length, "0") { Absent = Nothing },
    ];

    /// <summary>Assemblies.</summary>
    public static IReadOnlyList<Column<DumpModule>> Modules { get; } =
    [
        new("module", "Assembly", row => row.Name),
        new("version", "Version", row => row.Version?.ToString()),
        new("path", "Path", row => row.IsDynamic ? null : row.Path) { Absent = _ => "dynamic" },
        new("bytes", "Size MB", row => row.Bytes is { } bytes ? (double)bytes : null, "0.000") { Scale = 1e6, Absent = Nothing },
        new("moduleId", null, row => row.ModuleId?.ToString()),
        new("dynamic", null, row => row.IsDynamic),
    ];

    /// <summary>Formats an address like debuggers.</summary>
    internal static string Address(ulong address) => string.Create(CultureInfo.InvariantCulture, $"0x{address:X}");

    internal static string? HResult(ExceptionObject exception) =>
        exception.HResult is { } code ? string.Create(CultureInfo.InvariantCulture, $"0x{code:X8}") : null;

    internal static string Short(string? message)
    {
        var line = string.Join(' ', (message ?? "").Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        return line.Length <= MaxMessageLength ? line : line[..MaxMessageLength] + "…";
    }

    /// <summary>Omits the parameters of methods.</summary>
    private static IEnumerable<Column<T>> Brief<T>(IEnumerable<Column<T>> columns) =>
        columns.Select(column =>
            column.Key is "thrownIn" or "doing" or "waitsIn" or "ownerIn"
                ? column with
                {
                    Value = row => (column.Value(row) as string)?.Split('(')[0],
                }
                : column
        );

    private static string? Stack(IReadOnlyList<DumpFrame> frames) =>
        frames.Count > 0 ? string.Join('\n', frames.Select(frame => frame.Text)) : null;

    private static string Named(string name) => name.Length > 0 ? $" ({name})" : "";

    private static string Nothing<T>(T row) => Column<T>.NotApplicable;
}
