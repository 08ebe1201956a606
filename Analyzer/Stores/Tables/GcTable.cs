using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>gc</c>: of a trace with very many collections those with the longest pauses one by one, the others summed by run and generation.</summary>
public static class GcTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredGc> Table { get; } = new("gc", "A collection; of very many those with the longest pauses, the others summed by run and generation",
    [
        new("process", "Number of the process in the trace; null of a process without runs", row => row.Process),
        new("run", "Run in whose window it began; null outside of all runs", row => row.RunId),
        new("serializer", "Serializer of that run", row => row.Serializer, isNullable: true),
        new("operation", "Operation of that run", row => row.Operation, isNullable: true),
        new("collections", "Collections that the row stands for", row => row.Gcs),
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

/// <summary>A collection, or the sum of those of one run and generation that have no row of their own.</summary>
public sealed record StoredGc
{
    /// <summary>Number of its process in the trace; null of a process without runs.</summary>
    public int? Process { get; init; }

    /// <summary>Run in whose window it began; null outside of all runs.</summary>
    public int? RunId { get; init; }

    /// <summary>Serializer of that run; null outside of all runs.</summary>
    public string? Serializer { get; init; }

    /// <summary>Operation of that run; null outside of all runs.</summary>
    public string? Operation { get; init; }

    /// <summary>GCs that the row stands for.</summary>
    public long Gcs { get; init; } = 1;

    /// <summary>Number of the collection in its process, from 1; null of a sum.</summary>
    public int? Number { get; init; }

    /// <summary>Generation collected.</summary>
    public required int Generation { get; init; }

    /// <summary>Why it began; null of a sum.</summary>
    public string? Reason { get; init; }

    /// <summary>Blocking, background, or foreground during a background one; null of a sum.</summary>
    public string? Kind { get; init; }

    /// <summary>Begin in ms since the process's trace began; null of a sum.</summary>
    public double? StartMs { get; init; }

    /// <summary>Thread that began it; null of a sum.</summary>
    public long? ThreadId { get; init; }

    /// <summary>Time that the program's threads were suspended, in ms.</summary>
    public required double PauseMs { get; init; }

    /// <summary>How much of it lies in runs that count, in ms.</summary>
    public required double PauseInRunsMs { get; init; }

    /// <summary>Size of the heap before, in bytes; null when not known, and of a sum.</summary>
    public long? BytesBefore { get; init; }

    /// <summary>Size of the heap after, in bytes; null when not known, and of a sum.</summary>
    public long? BytesAfter { get; init; }

    /// <summary>Bytes that survived; null when not known.</summary>
    public long? PromotedBytes { get; init; }
}
