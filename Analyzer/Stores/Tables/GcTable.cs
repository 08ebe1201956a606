using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>
/// Table <c>gc</c>: with very many GCs, those with the longest pauses individually and the others summed by run and generation.
/// </summary>
public static class GcTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredGc> Table { get; } =
        new(
            "gc",
            "A GC; with very many, those with the longest pauses, and the others summed by run and generation",
            [
                new("process", "Number of the process in the trace; null for a process without runs", row => row.Process),
                new("run", "Run during which it began; null outside of all runs", row => row.RunId),
                new("serializer", "Serializer of that run", row => row.Serializer, isNullable: true),
                new("operation", "Operation of that run", row => row.Operation, isNullable: true),
                new("collections", "Number of GCs in the row", row => row.Gcs),
                new("number", "Number of the GC in its process, from 1; null for a sum", row => row.Number),
                new("generation", "Generation collected", row => row.Generation),
                new("reason", "Trigger of the GC; null for a sum", row => row.Reason, isNullable: true),
                new(
                    "kind",
                    "Blocking, background, or foreground during a background GC; null for a sum",
                    row => row.Kind,
                    isNullable: true
                ),
                new("start_ms", "Start relative to the start of the process's trace; null for a sum", row => row.StartMs),
                new("thread_id", "Thread that started it; null for a sum", row => row.ThreadId),
                new("pause_ms", "Time during which the program's threads were suspended", row => row.PauseMs),
                new("pause_in_runs_ms", "Part of the pause inside runs", row => row.PauseInRunsMs),
                new("bytes_before", "Size of the heap before; null for a sum", row => row.BytesBefore),
                new("bytes_after", "Size of the heap after; null for a sum", row => row.BytesAfter),
                new("promoted_bytes", "Bytes that survived", row => row.PromotedBytes),
            ]
        );
}

/// <summary>A GC, or the sum of those of one run and generation without their own row.</summary>
public sealed record StoredGc
{
    /// <summary>Number of its process in the trace; null for a process without runs.</summary>
    public int? Process { get; init; }

    /// <summary>Run during which it began; null outside of all runs.</summary>
    public int? RunId { get; init; }

    /// <summary>Serializer of that run; null outside of all runs.</summary>
    public string? Serializer { get; init; }

    /// <summary>Operation of that run; null outside of all runs.</summary>
    public string? Operation { get; init; }

    /// <summary>Number of GCs in the row.</summary>
    public long Gcs { get; init; } = 1;

    /// <summary>Number of the GC in its process, from 1; null for a sum.</summary>
    public int? Number { get; init; }

    /// <summary>Generation collected.</summary>
    public required int Generation { get; init; }

    /// <summary>Trigger of the GC; null for a sum.</summary>
    public string? Reason { get; init; }

    /// <summary>Blocking, background, or foreground during a background GC; null for a sum.</summary>
    public string? Kind { get; init; }

    /// <summary>Start in ms relative to the start of the process's trace; null for a sum.</summary>
    public double? StartMs { get; init; }

    /// <summary>Thread that started it; null for a sum.</summary>
    public long? ThreadId { get; init; }

    /// <summary>Time in ms during which the program's threads were suspended.</summary>
    public required double PauseMs { get; init; }

    /// <summary>Part of the pause inside counted runs, in ms.</summary>
    public required double PauseInRunsMs { get; init; }

    /// <summary>Size of the heap before in bytes; null when unknown and for a sum.</summary>
    public long? BytesBefore { get; init; }

    /// <summary>Size of the heap after in bytes; null when unknown and for a sum.</summary>
    public long? BytesAfter { get; init; }

    /// <summary>Bytes that survived; null when unknown.</summary>
    public long? PromotedBytes { get; init; }
}
