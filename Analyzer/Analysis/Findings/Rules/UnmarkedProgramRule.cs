namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Programs without marks that are left out beside others that mark theirs. A program alone is one run, which the header says.</summary>
public sealed class UnmarkedProgramRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        if (result.UnmarkedProcesses.Count > 0)
        {
            yield return new Finding(FindingKind.Hint, "unmarked-processes", $"processes without runs are not shown: {string.Join(", ", result.UnmarkedProcesses)}")
            {
                Advice = "--process shows one of them in 'esp-analyze cpu'",
                Evidence = [new FindingFigure("processes without runs", result.UnmarkedProcesses.Count, "")],
            };
        }
    }
}
