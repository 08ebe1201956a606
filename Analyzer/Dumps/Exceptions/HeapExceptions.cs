using EtwSerializerProfiler.Dumps.Files;
using EtwSerializerProfiler.Dumps.Locks;
using EtwSerializerProfiler.Dumps.Threads;

namespace EtwSerializerProfiler.Dumps.Exceptions;

/// <summary>
/// Groups the exceptions of a process: the last exception of each thread, and those on the heap. Inner exceptions belong to their outer
/// ones.
/// </summary>
internal static class HeapExceptions
{
    /// <summary>Groups them: those of threads first, then thrown ones, each by frequency.</summary>
    /// <param name="session">The dump.</param>
    /// <param name="threads">Its threads.</param>
    /// <param name="reader">Reads exceptions.</param>
    /// <param name="candidates">Objects from the walk of the heap; null without a heap.</param>
    public static IReadOnlyList<ExceptionGroup> Group(
        DumpSession session,
        IReadOnlyList<DumpThread> threads,
        ExceptionReader reader,
        LockCandidates? candidates
    )
    {
        var onThreads = threads
            .Where(thread => thread.Exception is not null)
            .Select(thread => new ExceptionGroup(thread.Exception!, 1, thread))
            .ToList();
        var known = onThreads.SelectMany(group => group.First.Chain).Select(exception => exception.Address).ToHashSet();
        var read = new List<ExceptionObject>();
        foreach (var (address, type) in candidates?.Exceptions ?? [])
        {
            if (!known.Contains(address) && session.Runtime.Heap.GetObject(address, type.Type).AsException() is { } exception)
                read.Add(reader.Read(exception));
        }

        var inner = read.SelectMany(exception => exception.Chain.Skip(1)).Select(exception => exception.Address).ToHashSet();
        var onHeap = read.Where(exception => !inner.Contains(exception.Address))
            .GroupBy(Key, StringComparer.Ordinal)
            .Select(group => new ExceptionGroup(group.First(), group.Count(), null));
        return
        [
            .. onThreads,
            .. onHeap
                .OrderByDescending(group => group.First.IsThrown)
                .ThenByDescending(group => group.Count)
                .ThenBy(group => group.First.Type, StringComparer.Ordinal),
        ];
    }

    private static string Key(ExceptionObject exception) =>
        string.Join(
            '\0',
            exception.Chain.Select(item =>
                $"{item.Type}\u0001{item.Message}\u0001{item.HResult}\u0001{string.Join('\n', item.Frames.Select(frame => frame.Method))}"
            )
        );
}
