namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>A row, process or method of a finding.</summary>
/// <param name="Text">Its text in the sentence.</param>
/// <param name="Evidence">Its evidence.</param>
/// <param name="Location">Its location; null when the trace was not read for it.</param>
internal sealed record ListedItem(string Text, IReadOnlyList<FindingEvidence> Evidence, FindingLocation? Location = null)
{
    /// <summary>Time that it costs, in ms; null when not expressed as time.</summary>
    public double? CostMs { get; init; }
}
