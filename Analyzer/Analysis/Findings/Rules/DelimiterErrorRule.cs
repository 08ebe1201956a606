using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Measured error of the delimiter: the windows of measured runs and first calls against the program's own clock.</summary>
public sealed class DelimiterErrorRule : IFindingRule
{
    /// <summary>Maximum number of locations, the largest differences.</summary>
    private const int MaxLocations = 5;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        return result
            .Runs.Where(run => run.Identity.Kind != RunKind.WarmUp)
            .GroupBy(run => run.IsOneOfSeveralRuntimes ? run.Runtime + ": " : "")
            .SelectMany(runs => Check(runs.Key, [.. runs]));
    }

    private static IEnumerable<Finding> Check(string prefix, List<Run> runs)
    {
        var errors = Absolute(runs, run => run.DurationDifferenceUs);
        if (errors.Count == 0)
            yield break;
        var waits = Absolute(runs, run => run.MarkerDurationDifferenceUs);
        var marker =
            waits.Count > 0
                ? FormattableString.Invariant($"; the marker's wait by {Statistics.Median(waits):0} and {waits.Max():0} µs")
                : "";
        yield return new Finding(
            FindingKind.Hint,
            "delimiter-error",
            FormattableString.Invariant(
                $"{prefix}run durations differ from the program's own clock by {Statistics.Median(errors):0} µs (median), {errors.Max():0} µs (max){marker}"
            )
        )
        {
            Evidence =
            [
                new FindingEvidence($"{prefix}median of the differences", Statistics.Median(errors)!.Value, "µs"),
                new FindingEvidence($"{prefix}largest difference", errors.Max(), "µs"),
            ],
            Locations =
            [
                .. runs.Where(run => run.DurationDifferenceUs is not null)
                    .OrderByDescending(run => Math.Abs(run.DurationDifferenceUs!.Value))
                    .Take(MaxLocations)
                    .Select(run =>
                        FindingLocation.Of(run, FormattableString.Invariant($"{SummaryKey.Of(run)}: {run.DurationDifferenceUs:0} µs"))
                    ),
            ],
        };
    }

    private static List<double> Absolute(List<Run> runs, Func<Run, double?> difference) =>
        [.. runs.Select(difference).OfType<double>().Select(Math.Abs)];
}
