namespace EtwSerializerProfiler.Analysis.Comparison.Trends;

/// <summary>A change between two stretches of recordings.</summary>
/// <param name="Shift">Mean of the logarithms of the recordings' medians behind it, minus that before it.</param>
/// <param name="PValue">How likely one as large is somewhere in recordings that differ by their noise only.</param>
public readonly record struct TrendChange(double Shift, double PValue)
{
    /// <summary>The change as a share of what was before.</summary>
    public double Relative => Math.Exp(Shift) - 1;
}
