using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Measured runs and first calls whose marker's wait and marks differ by more than 1 ms, unless the program's own clock confirms start and
/// stop: then only the marker was late.
/// </summary>
public sealed class MarkerDisagreementRule : IFindingRule
{
    private const double MaxDifferenceUs = 1000;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        // Rehearsed runs of several processes overlap.
        var reported = input.Result.Runs.Where(run => run.Identity.Kind != RunKind.WarmUp).ToList();
        var far = reported
            .Where(run => run.MarkerMarksDifferenceUs > MaxDifferenceUs && !(IsNear(run.StartDifferenceUs) && IsNear(run.StopDifferenceUs)))
            .OrderByDescending(run => run.MarkerMarksDifferenceUs)
            .ToList();
        if (far.Count > 0)
        {
            yield return new Finding(
                FindingKind.Warning,
                "marker-marks",
                FormattableString.Invariant(
                    $"{far.Count} of {Plural.Of(reported.Count, "run")}: the marker's wait and the marks differ by more than 1 ms, at most {far[0].MarkerMarksDifferenceUs / 1000:0.00} ms in run {far[0].RunId} of {far[0].Process}"
                )
            )
            {
                Advice =
                    "the thread lost its processor in between, or events are missing: exclude these runs, or record on a quieter machine",
                Evidence =
                [
                    new FindingEvidence("largest difference", far[0].MarkerMarksDifferenceUs!.Value / 1000, "ms"),
                    new FindingEvidence("runs", far.Count, ""),
                ],
                Locations = [.. far.Select(run => FindingLocation.Of(run))],
            };
        }
    }

    private static bool IsNear(double? differenceUs) => Math.Abs(differenceUs ?? double.MaxValue) <= MaxDifferenceUs;
}
