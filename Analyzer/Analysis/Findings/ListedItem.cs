namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>A row, process or method of a finding.</summary>
/// <param name="Text">Its text in the sentence.</param>
/// <param name="Figures">Its evidence.</param>
/// <param name="Place">Its location; null when the trace was not read for it.</param>
internal sealed record ListedItem(string Text, IReadOnlyList<FindingFigure> Figures, FindingPlace? Place = null)
{
    /// <summary>Time that it costs, in ms; null when not expressed as time.</summary>
    public double? CostMs { get; init; }
}
