using EtwSerializerProfiler.Analysis.Runs.Delimiting;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Programs without marks: taken as one run, or left out beside others that mark theirs.</summary>
public sealed class UnmarkedProgramRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        foreach (var run in result.Runs.Where(run => run.Delimiter == RunDelimiter.WholeProcess))
            yield return new Finding(FindingKind.Hint, "no-marks", $"{run.Identity.Serializer} marks no runs: the whole process is shown as one")
            {
                Advice = "mark them with RunMarker (docs/own-data.md)",
                Places = [FindingPlace.Of(run)],
            };
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
