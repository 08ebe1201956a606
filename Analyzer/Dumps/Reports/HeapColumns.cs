using EtwSerializerProfiler.Dumps.Diff;
using EtwSerializerProfiler.Dumps.Heap;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Dumps.Reports;

/// <summary>Columns of the heap of a dump. docs/metrics.md defines each; a test compares the two.</summary>
public static class HeapColumns
{
    private static readonly HeapGeneration[] s_generations = Enum.GetValues<HeapGeneration>();

    /// <summary>Types.</summary>
    public static IReadOnlyList<Column<TypeRow>> Types { get; } =
    [
        new("type", "Type", row => row.Type),
        new("module", null, row => row.Module),
        new("objects", "Objects", row => row.Count, "0"),
        new("bytes", "MB", row => (double)row.Bytes, "0.000") { Scale = 1e6 },
        .. s_generations.Select(generation => new Column<TypeRow>(
            $"{Key(generation)}Objects",
            Name(generation),
            row => row[generation],
            "0"
        )
        {
            ShownWith = row => row[generation] > 0,
        }),
        .. s_generations.Select(generation => new Column<TypeRow>(
            $"{Key(generation)}Bytes",
            null,
            row => row.BytesByGeneration[(int)generation],
            "0"
        )),
    ];

    /// <summary>Generations.</summary>
    public static IReadOnlyList<Column<GenerationRow>> Generations { get; } =
    [
        new("generation", "Generation", row => Name(row.Generation)),
        new("segments", "Segments", row => row.Segments, "0"),
        new("committedBytes", "Committed MB", row => row.CommittedBytes is { } bytes ? (double)bytes : null, "0.000")
        {
            Scale = 1e6,
            Absent = _ => Column<GenerationRow>.NotApplicable,
        },
        new("objects", "Objects", row => row.Count, "0"),
        new("bytes", "MB", row => (double)row.Bytes, "0.000") { Scale = 1e6 },
        new("gaps", "Gaps", row => row.FreeCount, "0"),
        new("gapBytes", "Gaps MB", row => (double)row.FreeBytes, "0.000") { Scale = 1e6 },
        new("gapPercent", "Gaps %", row => row.FreePercent, "0.0") { Absent = _ => Column<GenerationRow>.NotApplicable },
    ];

    /// <summary>Objects pinned by handles.</summary>
    public static IReadOnlyList<Column<PinnedRow>> Pinned { get; } =
    [
        new("type", "Type", row => row.Type),
        new("handles", "Handles", row => row.Handles, "0"),
        new("objects", "Objects", row => row.Count, "0"),
        new("bytes", "MB", row => (double)row.Bytes, "0.000") { Scale = 1e6 },
        new("generations", "Lie in", row => row.Generations),
    ];

    /// <summary>Objects with finalizers.</summary>
    public static IReadOnlyList<Column<FinalizerRow>> Finalizers { get; } =
    [
        new("type", "Type", row => row.Type),
        new("waiting", "Waiting", row => row.Ready, "0"),
        new("waitingBytes", "Waiting MB", row => (double)row.ReadyBytes, "0.000") { Scale = 1e6 },
        new("registered", "Registered", row => row.Registered, "0"),
    ];

    /// <summary>Types in two dumps.</summary>
    public static IReadOnlyList<Column<TypeDiff>> Diff { get; } =
    [
        new("type", "Type", row => row.Type),
        new("objectsBefore", "Objects before", row => row.CountBefore, "0"),
        new("objectsAfter", "After", row => row.CountAfter, "0"),
        new("objectsChange", "Change", row => row.CountChange, "+0;-0;0"),
        new("bytesBefore", "MB before", row => (double)row.BytesBefore, "0.000") { Scale = 1e6 },
        new("bytesAfter", "MB after", row => (double)row.BytesAfter, "0.000") { Scale = 1e6 },
        new("bytesChange", "Change MB", row => (double)row.BytesChange, "+0.000;-0.000;0.000") { Scale = 1e6 },
    ];

    private static string Key(HeapGeneration generation) => generation.ToString().ToLowerInvariant();

    private static string Name(HeapGeneration generation) =>
        generation switch
        {
            HeapGeneration.Loh => "LOH",
            HeapGeneration.Poh => "POH",
            _ => generation.ToString(),
        };
}
