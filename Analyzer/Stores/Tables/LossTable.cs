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
