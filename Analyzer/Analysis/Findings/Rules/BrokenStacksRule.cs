namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Rows of whose CPU samples more than a tenth have broken stacks: inclusive times and causes lack them.</summary>
public sealed class BrokenStacksRule : IFindingRule
{
    private const double LargestPercent = 10;

    /// <summary>With fewer samples the share is chance.</summary>
    private const int LeastSamples = 100;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        return RowFinding.Hint(
            "broken-stacks", "over 10 % of the CPU samples have broken stacks, so that inclusive times and causes are too small", input.Result.Rows.Where(row => row.Samples?.Count >= LeastSamples && row.Samples.BrokenStackPercent > LargestPercent),
            row => row.Samples!.BrokenStackPercent, row => $"{row.Samples!.BrokenStackPercent:0} % of {row.Samples.Count}",
            "record with stack dumps (esp-record does so unless --no-stack-dump is given; --stack-dump takes more bytes), on Windows as 64-bit with DisablePagingExecutive; look whether native libraries lie in their places",
            worst: run => run.Samples?.BrokenStacks);
    }
}
