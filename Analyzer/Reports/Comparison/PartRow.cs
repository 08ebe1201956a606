using EtwSerializerProfiler.Analysis.Comparison;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>One cause of a pair's difference, or one method of a cause.</summary>
/// <param name="Pair">The pair.</param>
/// <param name="Part">The cause.</param>
/// <param name="Method">The method; null for the cause as a whole.</param>
public sealed record PartRow(ComparedPair Pair, ExplainedPart Part, ExplainedMethod? Method = null)
{
    /// <summary>Mean of base in ms per run.</summary>
    public double BaselineMs => Method?.BaselineMs ?? Part.BaselineMs;

    /// <summary>Mean of the other side in ms per run.</summary>
    public double OtherMs => Method?.OtherMs ?? Part.OtherMs;

    /// <summary>Difference of the means.</summary>
    public double DifferenceMs => Method?.DifferenceMs ?? Part.DifferenceMs;

    /// <summary>Standard error of the difference due to sampling.</summary>
    public double ErrorMs => Method?.ErrorMs ?? Part.ErrorMs;

    /// <summary>Share of the pair's difference in %; null if the pair has no difference.</summary>
    public double? SharePercent => Pair.Explanation is { DifferenceMs: not 0 } all ? DifferenceMs / all.DifferenceMs * 100 : null;
}
