using EtwSerializerProfiler.Dumps.Exceptions;
using EtwSerializerProfiler.Dumps.Files;
using EtwSerializerProfiler.Dumps.Heap;
using EtwSerializerProfiler.Dumps.Locks;
using EtwSerializerProfiler.Dumps.Modules;
using EtwSerializerProfiler.Dumps.Roots;
using EtwSerializerProfiler.Dumps.Threads;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Dumps;

/// <summary>
/// Analyzes a dump. An unreadable section is missing from the result and named in its findings; the others are still read.
/// </summary>
public sealed class DumpAnalysis
{
    private readonly DumpSession _session;
    private readonly DumpStages _stages;
    private readonly DumpProgress _progress;
    private readonly List<(string Section, string Reason)> _problems = [];

    private DumpAnalysis(DumpSession session, DumpStages stages, DumpProgress progress) =>
        (_session, _stages, _progress) = (session, stages, progress);

    /// <summary>Opens and analyzes a dump.</summary>
    /// <param name="path">The file.</param>
    /// <param name="query">The query.</param>
    /// <param name="stages">Notified before each step; null for no notification.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <exception cref="TraceFormatException">The dump is invalid.</exception>
    /// <exception cref="IOException">The dump cannot be read.</exception>
    /// <exception cref="OperationCanceledException">The analysis was cancelled.</exception>
    public static DumpResult Run(string path, DumpQuery query, DumpStages? stages = null, DumpProgress? progress = null)
    {
        ArgumentNullException.ThrowIfNull(query);
        stages ??= new DumpStages();
        stages.Enter(Opening);
        using var session = DumpSession.Open(path, query.DebuggingLibrary);
        return new DumpAnalysis(session, stages, progress ?? new DumpProgress()).Run(query);
    }

    /// <summary>Name of the step without which nothing can be read.</summary>
    public const string Opening = "opening";

    /// <summary>
    /// If less than this fraction (one part in so many) of the heap is found, the heap is not in the dump: mini dumps contain only some
    /// objects that stacks refer to.
    /// </summary>
    private const long MostlyMissing = 10;

    private DumpResult Run(DumpQuery query)
    {
        var result = new DumpResult(_session.Path, DumpFacts.Of(_session));
        var wants = query.Sections;
        var reader = new ThreadReader(_session, _stages);
        var threads = Wants(DumpSections.Exceptions | DumpSections.Threads | DumpSections.Locks | DumpSections.Roots)
            ? Section("threads", reader.Read)
            : null;
        var candidates = new LockCandidates();
        var targets = new RootTargets();
        var heap = Wants(DumpSections.Exceptions | DumpSections.Heap | DumpSections.Locks | DumpSections.Roots)
            ? Section("heap", () => Walk(candidates, Wants(DumpSections.Roots) ? targets : null))
            : null;
        if (Wants(DumpSections.Heap) && heap is not null)
            heap = heap with
            {
                Pinned = Section("pinned objects", () => HeapExtras.Pinned(_session)),
                Finalizers = Section("finalizers", () => HeapExtras.Finalizers(_session)),
            };
        var locks =
            Wants(DumpSections.Locks) && threads is not null && heap is not null
                ? Section("locks", () => new LockReader(_session, threads).Read(candidates))
                : null;
        result = result with
        {
            Exceptions =
                Wants(DumpSections.Exceptions) && threads is not null
                    ? Section(
                        "exceptions",
                        () => HeapExceptions.Group(_session, threads, reader.Exceptions, heap is null ? null : candidates)
                    )
                    : null,
            Threads = Wants(DumpSections.Threads) ? threads : null,
            Stacks = Wants(DumpSections.Threads) && threads is not null ? StackGroup.Of(threads) : null,
            Heap = Wants(DumpSections.Heap) ? heap : null,
            Locks = locks,
            Roots =
                Wants(DumpSections.Roots) && heap is not null
                    ? Section("roots", () => new RootSearch(_session, threads ?? [], targets, _progress, _stages).Run(heap, query))
                    : null,
            Modules = Wants(DumpSections.Modules) ? Section("modules", () => ModuleReader.Read(_session)) : null,
        };
        return result with { Findings = DumpFindings.Check(result, heap, threads, candidates, _problems) };

        bool Wants(DumpSections sections) => (wants & sections) != 0;
    }

    private HeapResult Walk(LockCandidates candidates, RootTargets? targets)
    {
        var walker = new HeapWalker(_session, candidates, _progress) { Targets = targets };
        walker.Walk();
        var result = walker.Result();
        return result.Bytes + result.FreeBytes > result.UnreadBytes / MostlyMissing ? result : throw new NoHeapException();
    }

    /// <summary>Reads a section; null when it is unreadable.</summary>
    private T? Section<T>(string name, Func<T> read)
        where T : class
    {
        if (!_stages.Enter(name))
        {
            _problems.Add((name, _stages.ReasonOf(name)));
            return null;
        }

        try
        {
            return read();
        }
        catch (NoHeapException)
        {
            _problems.Add(
                (name, "the dump has no heap (it is a mini dump, or only stacks were kept): take one with --dump-kind heap or full")
            );
        }
        // Damaged memory can make ClrMD throw anything.
        catch (Exception exception) when (exception is not (OutOfMemoryException or OperationCanceledException))
        {
            _problems.Add((name, DumpSession.OneLine(exception)));
        }

        return null;
    }

    /// <summary>Thrown when the dump contains no heap.</summary>
    private sealed class NoHeapException : Exception;
}
