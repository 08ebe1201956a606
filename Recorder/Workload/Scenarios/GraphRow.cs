namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>What happened to one graph.</summary>
/// <param name="Serializer">The serializer.</param>
/// <param name="Tracking">Whether references were tracked on request.</param>
/// <param name="Depth">Links of the chain; 0 for the ring.</param>
/// <param name="Outcome">How it ended.</param>
/// <param name="Detail">In words: which operation, which exception.</param>
public sealed record GraphRow(string Serializer, bool Tracking, int Depth, GraphOutcome Outcome, string Detail)
{
    /// <summary>Serializer and whether it tracked references, as a label.</summary>
    public string Label => Tracking ? Serializer + " +references" : Serializer;
}
