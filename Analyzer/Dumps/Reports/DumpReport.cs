using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Dumps.Exceptions;
using EtwSerializerProfiler.Dumps.Files;
using EtwSerializerProfiler.Dumps.Stacks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Dumps.Reports;

/// <summary>The report on a dump. JSON has all requested sections; a CSV has the first one.</summary>
public static class DumpReport
{
    /// <summary>Number of exception stacks shown to people below the table.</summary>
    private const int StacksOfExceptions = 5;

    /// <summary>Maximum number of frames shown for each of them; threads show all.</summary>
    private const int FramesOfExceptions = 30;

    /// <summary>Analyzes a dump and prints the report.</summary>
    /// <param name="path">The dump.</param>
    /// <param name="view">The query and its presentation.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <param name="stages">Notified before each step; null for no notification.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <returns>The findings.</returns>
    /// <exception cref="TraceFormatException">The dump is invalid.</exception>
    /// <exception cref="IOException">The dump cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult Print(
        string path,
        DumpView view,
        ReportFormat format,
        TextWriter output,
        DumpStages? stages = null,
        DumpProgress? progress = null
    )
    {
        ArgumentNullException.ThrowIfNull(view);
        var report = Build(DumpAnalysis.Run(path, view.Query, stages, progress), view);
        ReportPrinter.Write(report, format, output);
        return report.Result;
    }

    /// <summary>Builds the report.</summary>
    /// <param name="result">The analysis.</param>
    /// <param name="view">Its presentation.</param>
    public static Report Build(DumpResult result, DumpView view)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(view);
        var sections = new List<Section>();
        var closing = new List<string>();
        if (result.Exceptions is { } exceptions)
        {
            Add(
                sections,
                closing,
                "exceptions",
                "Exceptions",
                exceptions,
                DumpedProcessColumns.Exceptions,
                DumpedProcessColumns.ExceptionsForPeople,
                view.Top
            );
            sections.AddRange(exceptions.Where(group => group.Frames.Count > 0).Take(StacksOfExceptions).Select(StackOf));
        }

        if (result is { Threads: { } threads, Stacks: { } stacks })
        {
            sections.Add(OfPrograms(sections, "threads", threads, DumpedProcessColumns.Threads));
            Add(
                sections,
                closing,
                "stacks",
                "Threads by equal stacks",
                stacks,
                DumpedProcessColumns.Stacks,
                DumpedProcessColumns.StacksForPeople,
                view.Top
            );
            if (view.Stacks)
                sections.AddRange(
                    stacks
                        .Where(stack => stack.Frames.Count > 0)
                        .Select(stack =>
                            Lines(
                                Text(
                                    $"Stack of thread{(stack.Threads.Count > 1 ? "s" : "")} {string.Join(", ", stack.Threads.Select(thread => Text($"{thread.ManagedId}{(thread.Label.Length > 0 ? $" ({thread.Label})" : "")}")))}"
                                ),
                                Frames(stack.Frames, int.MaxValue)
                            )
                        )
                );
        }

        if (result.Heap is { } heap)
        {
            Add(sections, closing, "types", "Heap by type", heap.Types, HeapColumns.Types, HeapColumns.Types, view.Top);
            Add(
                sections,
                closing,
                "generations",
                "Heap by generation",
                heap.Generations,
                HeapColumns.Generations,
                HeapColumns.Generations,
                null
            );
            if (heap.Pinned is { } pinned)
                Add(sections, closing, "pinned", "Objects pinned by handles", pinned, HeapColumns.Pinned, HeapColumns.Pinned, view.Top);
            if (heap.Finalizers is { } finalizers)
                Add(
                    sections,
                    closing,
                    "finalizers",
                    "Objects with finalizers",
                    finalizers,
                    HeapColumns.Finalizers,
                    HeapColumns.Finalizers,
                    view.Top
                );
        }

        if (result.Locks is { } locks)
            Add(sections, closing, "locks", "Held locks", locks, DumpedProcessColumns.Locks, DumpedProcessColumns.LocksForPeople, view.Top);
        if (result.Roots is { } roots)
        {
            Add(
                sections,
                closing,
                "roots",
                "What keeps the largest types alive (shortest paths of sampled objects)",
                roots.Rows,
                DumpedProcessColumns.Roots,
                DumpedProcessColumns.Roots,
                null
            );
            closing.Add(
                roots.IsComplete
                    ? Text(
                        $"Roots: {Plural.Of(roots.ObjectsFollowed, "object")} followed; a sample without a path is garbage, or its root is not in the dump"
                    )
                    : Text(
                        $"Roots: the search reached its time limit after {Plural.Of(roots.ObjectsFollowed, "object")}; increase --time-limit"
                    )
            );
        }

        if (result.Modules is { } modules)
            Add(sections, closing, "modules", "Assemblies", modules, DumpedProcessColumns.Modules, DumpedProcessColumns.Modules, null);
        if (sections.Count == 0)
            sections.Add(Lines("No requested section could be read", []));
        var input = new TraceInput([result.Path], [], [], false, [], [result.Path]);
        return new Report("dump", input, AnalysisResult.OfFindings(result.Findings), sections, closing)
        {
            Header = Header(result, view),
            Summary = Summary(result),
        };
    }

    /// <summary>Adds a table: completely for programs, the first rows for people.</summary>
    private static void Add<T>(
        List<Section> sections,
        List<string> closing,
        string key,
        string title,
        IReadOnlyList<T> rows,
        IReadOnlyList<Column<T>> columns,
        IReadOnlyList<Column<T>> forPeople,
        int? top
    )
    {
        sections.Add(OfPrograms(sections, key, rows, columns));
        IReadOnlyList<T> shown = top is { } max && max < rows.Count ? [.. rows.Take(max)] : rows;
        sections.Add(rows.Count > 0 ? Section.ForPeople(title, shown, forPeople) : Lines(title, ["none"]));
        if (shown.Count < rows.Count)
            closing.Add(Text($"{title}: {shown.Count} of {Plural.Of(rows.Count, "row")}; --top shows more"));
    }

    /// <summary>The first table becomes the CSV.</summary>
    private static Section OfPrograms<T>(List<Section> sections, string key, IReadOnlyList<T> rows, IReadOnlyList<Column<T>> columns) =>
        sections.Count == 0
            ? Section.Of(key, "", rows, [], columns).ForPrograms()
            : Section.OutsideCsv(key, "", rows, columns).ForPrograms();

    private static Section StackOf(ExceptionGroup group)
    {
        var lines = new List<string>();
        foreach (var exception in group.First.Chain)
        {
            var frames = exception == group.First ? group.Frames : exception.Frames;
            lines.Add(
                $"{(exception == group.First ? "" : "caused by ")}{exception.Type}{(DumpedProcessColumns.HResult(exception) is { } code ? " " + code : "")}: {(exception.Message is { Length: > 0 } message ? DumpedProcessColumns.Short(message) : "(no message)")}"
            );
            lines.AddRange(frames.Count > 0 ? Frames(frames, FramesOfExceptions) : ["  (no stack: not thrown)"]);
        }

        return Lines(
            Text(
                $"Stack of {(group.Thread is { } thread ? $"thread {thread.ManagedId}'s" : "the")} {group.First.Type}{(group.Count > 1 ? $" ({group.Count} times)" : "")}{(group.IsInFlight ? ", in flight" : "")}"
            ),
            lines
        );
    }

    private static IReadOnlyList<string> Frames(IReadOnlyList<DumpFrame> frames, int max) =>
        [
            .. frames.Take(max).Select(frame => "  " + frame.Text),
            .. frames.Count > max ? (string[])[Text($"  ({frames.Count - max} more frames; JSON has them)")] : [],
        ];

    private static Section Lines(string title, IReadOnlyList<string> lines) => Section.ForPeople<DumpFrame>(title, [], []).With(lines);

    private static IReadOnlyList<string> Header(DumpResult result, DumpView view)
    {
        var facts = result.Facts;
        return
        [
            Text(
                $"Dump {result.Path}: {(facts.Kind == DumpKind.ElfCore ? "ELF core" : "minidump")} of {facts.FileBytes / 1e6:0.0} MB, process {facts.ProcessId}, {facts.Platform} {facts.Architecture}"
            ),
            $"Runtime: {facts.Runtime}, {(facts.IsServerCollector ? "server" : "workstation")} collector, {facts.RuntimePath}",
            .. view.Origin.Length > 0 ? [view.Origin] : (string[])[],
            .. result.Threads is { } threads
                ? [Text($"Threads: {threads.Count} managed, {threads.Count(thread => thread.Serializer is not null)} in a serializer")]
                : (string[])[],
            .. result.Heap is { } heap
                ?
                [
                    Text(
                        $"Heap: {heap.Count} objects of {Plural.Of(heap.Types.Count, "type")}, {heap.Bytes / 1e6:0.0} MB; gaps {heap.FreeBytes / 1e6:0.0} MB"
                    ),
                ]
                : (string[])[],
        ];
    }

    private static IReadOnlyList<(string Key, object? Value)> Summary(DumpResult result) =>
        [
            ("kind", result.Facts.Kind.ToString()),
            ("fileBytes", result.Facts.FileBytes),
            ("processId", result.Facts.ProcessId),
            ("platform", result.Facts.Platform),
            ("architecture", result.Facts.Architecture),
            ("runtime", result.Facts.Runtime),
            ("runtimePath", result.Facts.RuntimePath),
            ("serverCollector", result.Facts.IsServerCollector),
            ("threads", result.Threads?.Count),
            ("heapObjects", result.Heap?.Count),
            ("heapBytes", result.Heap?.Bytes),
            ("gapBytes", result.Heap?.FreeBytes),
            ("unreadBytes", result.Heap?.UnreadBytes),
            ("rootsComplete", result.Roots?.IsComplete),
            ("rootObjectsFollowed", result.Roots?.ObjectsFollowed),
        ];

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>Presentation of a dump's analysis.</summary>
/// <param name="Query">The query.</param>
/// <param name="Top">Maximum number of rows of a table for people; null for all.</param>
/// <param name="Stacks">Whether people see complete stacks of threads instead of only their locations.</param>
public sealed record DumpView(DumpQuery Query, int? Top, bool Stacks)
{
    /// <summary>Description of the dump in recording.json, a line for people; empty when it is not part of a recording.</summary>
    public string Origin { get; init; } = "";
}
