using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>loss</c>.</summary>
public static class LossTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredLoss> Table { get; } = new("loss", "Something that a trace lacks: lost events, missing runs, broken stacks, damaged files, sessions that were not recorded",
    [
        new("number", "Number in the trace, from 1", row => row.Number),
        new("kind", "lost-events, missing-runs, broken-stacks, damage, problem, unmarked-process or not-recorded", row => row.Kind),
        new("label", "Label of the recording among several of an index; empty when there is one", row => row.Label),
        new("lost", "How many events, runs or stacks; null when that is not counted", row => row.Count),
        new("file", "Damaged file; empty for none", row => row.File),
        new("file_offset", "Byte offset of the damage", row => row.Offset),
        new("file_bytes", "Size of the damaged file", row => row.FileBytes),
        new("text", "What is missing, in one sentence", row => row.Text),
    ]);
}

/// <summary>Something that a trace lacks.</summary>
public sealed record StoredLoss
{
    /// <summary>Its number in the trace, from 1.</summary>
    public required int Number { get; init; }

    /// <summary><c>lost-events</c>, <c>missing-runs</c>, <c>broken-stacks</c>, <c>damage</c>, <c>problem</c>, <c>unmarked-process</c> or <c>not-recorded</c>.</summary>
    public required string Kind { get; init; }

    /// <summary>Label of the recording among several; empty when there is one.</summary>
    public string Label { get; init; } = "";

    /// <summary>How many: events, runs, stacks; null when it is not counted.</summary>
    public long? Count { get; init; }

    /// <summary>File that is damaged; empty for none.</summary>
    public string File { get; init; } = "";

    /// <summary>Byte offset of the damage.</summary>
    public long? Offset { get; init; }

    /// <summary>Size of the damaged file in bytes.</summary>
    public long? FileBytes { get; init; }

    /// <summary>What is missing, in one sentence.</summary>
    public required string Text { get; init; }
}
