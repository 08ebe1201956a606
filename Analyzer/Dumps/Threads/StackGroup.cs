using EtwSerializerProfiler.Dumps.Stacks;

namespace EtwSerializerProfiler.Dumps.Threads;

/// <summary>Threads with equal stacks.</summary>
/// <param name="Threads">The threads.</param>
public sealed record StackGroup(IReadOnlyList<DumpThread> Threads)
{
    /// <summary>Their stack, leaf first.</summary>
    public IReadOnlyList<DumpFrame> Frames => Threads[0].Frames;

    /// <summary>Groups threads, the largest group first.</summary>
    public static IReadOnlyList<StackGroup> Of(IReadOnlyList<DumpThread> threads) =>
    [
        .. threads.GroupBy(thread => string.Join('\n', thread.Frames.Select(frame => frame.Method)) + thread.Problem, StringComparer.Ordinal)
            .Select(group => new StackGroup([.. group])).OrderByDescending(group => group.Threads.Count).ThenBy(group => group.Threads[0].ManagedId),
    ];
}
