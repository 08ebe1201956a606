namespace EtwSerializerProfiler.Analysis.Comparison.Gates;

/// <summary>One measure of one pair, judged against its limit.</summary>
/// <param name="Pair">The pair.</param>
/// <param name="Compared">The measure.</param>
/// <param name="Limit">Largest share by which it may grow.</param>
/// <param name="AdjustedPValue">How likely such a difference, or a less likely one, is in any of the rows of the measure when all are equal (Holm 1979); null when it was not recorded.</param>
/// <param name="Outcome">What it comes to.</param>
/// <param name="NeededRuns">Runs a side that would judge it; null when it was judged.</param>
public sealed record GateCheck(ComparedPair Pair, MetricComparison Compared, double Limit, double? AdjustedPValue, GateOutcome Outcome, int? NeededRuns);
