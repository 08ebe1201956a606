namespace EtwSerializerProfiler.Analysis.Comparison.Gates;

/// <summary>What a gate comes to.</summary>
/// <param name="Comparison">The comparison behind it.</param>
/// <param name="Limits">What was allowed.</param>
/// <param name="Checks">Every measure of every pair.</param>
/// <param name="Problems">Losses and missing rows that keep the gate from judging, a sentence each.</param>
public sealed record GateResult(ComparisonResult Comparison, GateLimits Limits, IReadOnlyList<GateCheck> Checks, IReadOnlyList<string> Problems)
{
    /// <summary>What it comes to as a whole: one violation is enough, however much else could not be judged.</summary>
    public GateOutcome Outcome =>
        Checks.Any(check => check.Outcome == GateOutcome.Violated) ? GateOutcome.Violated
        : Problems.Count > 0 || Checks.Any(check => check.Outcome == GateOutcome.NotJudged) ? GateOutcome.NotJudged
        : GateOutcome.Passed;

    /// <summary>Checks of an outcome.</summary>
    public IEnumerable<GateCheck> Of(GateOutcome outcome) => Checks.Where(check => check.Outcome == outcome);
}
