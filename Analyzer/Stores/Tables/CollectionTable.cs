using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>gc</c>: of a trace with very many collections those with the longest pauses one by one, the others summed by run and generation.</summary>
public static class CollectionTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredGc> Table { get; } = new("gc", "A collection; of very many those with the longest pauses, the others summed by run and generation",
    [
        new("process", "Number of the process in the trace; null of a process without runs", row => row.Process),
        new("run", "Run in whose window it began; null outside of all runs", row => row.RunId),
        new("serializer", "Serializer of that run", row => row.Serializer, isNullable: true),
        new("operation", "Operation of that run", row => row.Operation, isNullable: true),
        new("collections", "Collections that the row stands for", row => row.Collections),
        new("number", "Number of the collection in its process, from 1; null of a sum", row => row.Number),
        new("generation", "Generation collected", row => row.Generation),
        new("reason", "Why it began; null of a sum", row => row.Reason, isNullable: true),
        new("kind", "Blocking, background, or foreground during a background one; null of a sum", row => row.Kind, isNullable: true),
        new("start_ms", "Begin since the process's trace began; null of a sum", row => row.StartMs),
        new("thread_id", "Thread that began it; null of a sum", row => row.ThreadId),
        new("pause_ms", "Time that the program's threads were suspended", row => row.PauseMs),
        new("pause_in_runs_ms", "How much of it lies in runs", row => row.PauseInRunsMs),
        new("bytes_before", "Size of the heap before; null of a sum", row => row.BytesBefore),
        new("bytes_after", "Size of the heap after; null of a sum", row => row.BytesAfter),
        new("promoted_bytes", "Bytes that survived", row => row.PromotedBytes),
    ]);
}
