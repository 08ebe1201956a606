using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Runs whose GCs differ between the trace's events and the program's own count.</summary>
public sealed class GcMismatchRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        var different = result.Runs.Where(run => run.Gcs is not null && run.OwnGcs is not null && run.Gcs != run.OwnGcs).ToList();
        if (different.Count == 0)
            yield break;
        var first = different[0];
        yield return new Finding(
            FindingKind.Warning,
            "gc-counts",
            $"{different.Count} of {Plural.Of(result.Runs.Count, "run")}: GCs in the trace differ from the program's own count, first in run {first.RunId} of {first.Process} ({first.Gcs} in the trace, {first.OwnGcs} counted)"
        )
        {
            Advice = "check for lost events; a GC at the edge of a run may count on the other side",
            Evidence = [new FindingEvidence("runs that differ", different.Count, "")],
            Locations = [.. different.Select(run => FindingLocation.Of(run))],
        };
    }
}
