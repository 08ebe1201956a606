namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Problems of the input: damaged files, sessions that were not started, an interrupted recording.</summary>
public sealed class InputProblemRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        foreach (var problem in result.InputProblems)
            yield return new Finding(FindingKind.Warning, "input", problem.TrimEnd('.'));
        foreach (var damage in result.Damages)
            yield return new Finding(FindingKind.Warning, "damaged-file", damage.ToString());
    }
}
