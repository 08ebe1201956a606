namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>A row, process or method that a finding is about.</summary>
/// <param name="Text">What the sentence says of it.</param>
/// <param name="Figures">Its numbers.</param>
/// <param name="Place">Where to look; null when the trace was not read for it.</param>
internal sealed record ListedItem(string Text, IReadOnlyList<FindingFigure> Figures, FindingPlace? Place = null)
{
    /// <summary>Time that it costs, in ms; null when it has no such price.</summary>
    public double? CostMs { get; init; }
}
