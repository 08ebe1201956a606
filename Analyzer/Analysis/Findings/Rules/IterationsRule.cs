using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Number of operations per run in rows of BenchmarkDotNet iterations, whose sums are not comparable with those of other rows.
/// </summary>
public sealed class IterationsRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        return RowFinding.Hint(
            "iterations",
            "runs are BenchmarkDotNet's iterations; Median ms, Min ms and B/object are per operation, sums are over the operations of all runs",
            input.Result.Rows.Where(row => row.Operations > row.Runs),
            row => row.Operations,
            row => $"{Plural.Of(row.Operations, "operation")}",
            "divide sums by a row's operations before you compare them with another row",
            unit: ""
        );
    }
}
