namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Events that the runtime could not write to the session's buffer.</summary>
public sealed class LostEventsRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(AnalysisResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        if (result.LostEvents > 0)
            yield return new Finding(FindingKind.Warning, "lost-events", $"{result.LostEvents} events were lost: counts and times may be too small; record again with a larger buffer");
    }
}
