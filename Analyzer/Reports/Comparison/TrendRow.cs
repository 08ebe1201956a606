using EtwSerializerProfiler.Analysis.Comparison.Trends;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>One recording of a trend.</summary>
/// <param name="Trend">The trend.</param>
/// <param name="Index">Place of the recording in it.</param>
public sealed record TrendRow(Trend Trend, int Index)
{
    /// <summary>The recording.</summary>
    public TrendPoint Point => Trend.Points[Index];

    /// <summary>Median over that of the recording before, minus 1; null for the first, and where one has no value or 0.</summary>
    public double? ToPrevious => Index > 0 && Trend.Points[Index - 1].Median is > 0 and var before && Point.Median is { } now ? (now / before) - 1 : null;
}
