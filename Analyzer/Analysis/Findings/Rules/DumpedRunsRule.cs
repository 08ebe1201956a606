using System.Globalization;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Runs that were paused while a dump of their process was written.</summary>
public sealed class DumpedRunsRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        foreach (var row in input.Result.Rows.Concat(input.Result.FirstUseRows))
        {
            var dumped = row.AllRuns.Where(run => run.DumpMs is not null).ToList();
            if (dumped.Count == 0)
                continue;
            var runs = string.Join(
                ", ",
                dumped.Select(run =>
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"run {run.RunId} of {run.Process} for {run.DumpMs:0.0} ms of its {run.WallMs:0.0} ms"
                    )
                )
            );
            yield return new Finding(FindingKind.Hint, "runs-dumped", $"{row.Key}: a dump was written in {runs}")
            {
                Advice =
                    row.DumpedRuns > 0
                        ? "the row's numbers exclude these runs"
                        : "the row has no other run, so its times include the dump; record without --dump-on to measure",
                Evidence = [.. dumped.Select(run => new FindingEvidence($"{row.Key}: pause of run {run.RunId}", run.DumpMs!.Value, "ms"))],
                Locations = [.. dumped.Select(run => FindingLocation.Of(run))],
            };
        }
    }
}
