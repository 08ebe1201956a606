namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Programs without marks, omitted beside others with marks. A program alone is one run, as the header states.</summary>
public sealed class UnmarkedProgramRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        if (result.UnmarkedProcesses.Count > 0)
        {
            yield return new Finding(
                FindingKind.Hint,
                "unmarked-processes",
                $"processes without runs are not shown: {string.Join(", ", result.UnmarkedProcesses)}"
            )
            {
                Advice = "'esp-analyze cpu --process' shows one of them",
                Evidence = [new FindingEvidence("processes without runs", result.UnmarkedProcesses.Count, "")],
            };
        }
    }
}
