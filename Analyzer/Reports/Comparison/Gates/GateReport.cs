using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison.Gates;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Comparison.Gates;

/// <summary>Builds the report of a gate.</summary>
internal static class GateReport
{
    public static Report Build(GateResult gate)
    {
        var comparison = DiffReport.Build(
            gate.Comparison,
            new DiffQuery(new Analysis.Comparison.ComparisonQuery(new Analysis.Cpu.RunFilter(), gate.Comparison.Options))
        );
        var notable = gate
            .Checks.Where(check => check.Outcome != GateOutcome.Passed)
            .OrderByDescending(check => check.Outcome == GateOutcome.Violated)
            .ToList();
        var sections = new List<Section> { Section.Of("checks", "", gate.Checks, [], GateColumns.All).ForPrograms() };
        if (notable.Count > 0)
            sections.Add(Section.ForPeople("Checks that did not pass", notable, GateColumns.All));
        return new Report("gate", comparison.Input, AnalysisResult.OfFindings(comparison.Result.Findings), sections, [.. Closing(gate)])
        {
            Header = comparison.Header,
            SummaryKey = "gate",
            Summary =
            [
                ("outcome", GateText.Of(gate.Outcome)),
                ("checks", gate.Checks.Count),
                ("violated", gate.Of(GateOutcome.Violated).Count()),
                ("notJudged", gate.Of(GateOutcome.NotJudged).Count()),
                ("maxSlowdownPercent", gate.Limits.MaxSlowdown * 100),
                ("maxAllocPercent", gate.Limits.MaxAllocation * 100),
                ("problems", string.Join("; ", gate.Problems)),
            ],
        };
    }

    private static IEnumerable<string> Closing(GateResult gate)
    {
        foreach (var check in gate.Of(GateOutcome.Violated))
        {
            yield return "Violated: " + GateText.Line(check);
            if (ComparisonText.Explain(check.Pair, "now", []) is { } reason)
                yield return "  " + reason;
        }

        foreach (var problem in gate.Problems)
            yield return "Cannot judge: " + problem;
        yield return GateText.Summary(gate);
    }
}
