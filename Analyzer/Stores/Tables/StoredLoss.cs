namespace EtwSerializerProfiler.Stores.Tables;

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
