namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>What one cause has to do with the difference of two sides. Means over the runs, in ms a run.</summary>
/// <param name="Name">Cause, or what the measuring thread did: <c>Reflection Set</c>, <c>Own code</c>, <c>Waiting</c>.</param>
/// <param name="BaselineMs">Time of the first side.</param>
/// <param name="OtherMs">Time of the other side.</param>
/// <param name="ErrorMs">Standard error of the difference that comes from sampling; 0 of what is no sample.</param>
public sealed record ExplainedPart(string Name, double BaselineMs, double OtherMs, double ErrorMs)
{
    /// <summary>The other side minus the first.</summary>
    public double DifferenceMs => OtherMs - BaselineMs;

    /// <summary>Whether it is more than sampling makes of nothing: two standard errors.</summary>
    public bool IsSignificant => Math.Abs(DifferenceMs) > 2 * ErrorMs;

    /// <summary>Methods that the difference comes from, the largest first; empty when methods were not read.</summary>
    public IReadOnlyList<ExplainedMethod> Methods { get; init; } = [];
}
