using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Runs of which the recording has a part only.</summary>
public sealed class CutRunsRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        return result.Processes.Where(process => process.Cut > 0).Select(process => new Finding(
            FindingKind.Hint, "runs-cut", $"{process.Process}: {Plural.Of(process.Cut, "run")} cut by the begin or the end of the recording: not shown")
        {
            Advice = "a longer --duration cuts none; runs.csv of the benchmark has their own clock's times",
            Evidence = [new FindingFigure($"{process.Process}: runs cut", process.Cut, ""), new FindingFigure($"{process.Process}: runs found", process.Found, "")],
        });
    }
}
