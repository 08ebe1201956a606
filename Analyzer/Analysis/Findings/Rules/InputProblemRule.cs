namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Problems of the input: damaged files, sessions that did not start, an interrupted recording.</summary>
public sealed class InputProblemRule : IFindingRule
{
    private const string Advice =
        "values from it are missing or read \"not recorded\"; 'esp-record doctor' shows what this machine permits";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        foreach (var problem in result.InputProblems)
            yield return new Finding(FindingKind.Warning, "input", problem.TrimEnd('.')) { Advice = Advice };
        foreach (var damage in result.Damages)
        {
            yield return new Finding(FindingKind.Warning, "damaged-file", damage.ToString())
            {
                Advice = "copy the file again or record again; runs after the damage are missing",
                Evidence =
                [
                    new FindingEvidence($"{damage.File}: offset of the damage", damage.Offset, "bytes"),
                    new FindingEvidence($"{damage.File}: size", damage.FileBytes, "bytes"),
                ],
            };
        }
    }
}
