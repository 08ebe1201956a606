namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>The measured error of the delimiter: its windows against the program's own clock.</summary>
public sealed class DelimiterErrorRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(AnalysisResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        var errors = result.Runs.Select(run => run.DurationDifferenceUs).OfType<double>().Select(Math.Abs).ToList();
        if (errors.Count > 0)
        {
            yield return new Finding(
                FindingKind.Hint, "delimiter-error",
                FormattableString.Invariant($"run durations differ from the program's own clock by {Statistics.Median(errors):0} µs in the median, {errors.Max():0} µs at most"));
        }
    }
}
