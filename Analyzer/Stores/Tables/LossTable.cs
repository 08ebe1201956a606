using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>loss</c>.</summary>
public static class LossTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredLoss> Table { get; } =
        new(
            "loss",
            "A loss of a trace: lost events, missing runs, broken stacks, damaged files, sessions that were not recorded",
            [
                new("number", "Number in the trace, from 1", row => row.Number),
                new("kind", "lost-events, missing-runs, broken-stacks, damage, problem, unmarked-process or not-recorded", row => row.Kind),
                new("label", "Label of the recording among several of an index; empty when there is only one", row => row.Label),
                new("lost", "Number of events, runs or stacks; null when not counted", row => row.Count),
                new("file", "Damaged file; empty for none", row => row.File),
                new("file_offset", "Byte offset of the damage", row => row.Offset),
                new("file_bytes", "Size of the damaged file", row => row.FileBytes),
                new("text", "The loss in one sentence", row => row.Text),
            ]
        );
}

/// <summary>A loss of a trace.</summary>
public sealed record StoredLoss
{
    /// <summary>Its number in the trace, from 1.</summary>
    public required int Number { get; init; }

    /// <summary>
    /// <c>lost-events</c>, <c>missing-runs</c>, <c>broken-stacks</c>, <c>damage</c>, <c>problem</c>, <c>unmarked-process</c> or
    /// <c>not-recorded</c>.
    /// </summary>
    public required string Kind { get; init; }

    /// <summary>Label of the recording among several; empty when there is only one.</summary>
    public string Label { get; init; } = "";

    /// <summary>Number of events, runs or stacks; null when not counted.</summary>
    public long? Count { get; init; }

    /// <summary>Damaged file; empty for none.</summary>
    public string File { get; init; } = "";

    /// <summary>Byte offset of the damage.</summary>
    public long? Offset { get; init; }

    /// <summary>Size of the damaged file in bytes.</summary>
    public long? FileBytes { get; init; }

    /// <summary>The loss in one sentence.</summary>
    public required string Text { get; init; }
}
