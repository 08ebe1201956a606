namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Collections by the trace's events against the program's own count.</summary>
public sealed class CollectionMismatchRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        var different = result.Runs.Where(run => run.Collections is not null && run.TruthCollections is not null && run.Collections != run.TruthCollections).ToList();
        if (different.Count == 0)
            yield break;
        var first = different[0];
        yield return new Finding(
            FindingKind.Warning, "gc-counts",
            $"{different.Count} of {result.Runs.Count} runs: collections in the trace differ from the program's own count, first run {first.RunId} of {first.Process} ({first.Collections} in the trace, {first.TruthCollections} counted)")
        {
            Advice = "look whether events were lost; a collection at the edge of a run may count on the other side",
            Evidence = [new FindingFigure("runs that differ", different.Count, "")],
            Places = [.. different.Select(run => FindingPlace.Of(run))],
        };
    }
}
