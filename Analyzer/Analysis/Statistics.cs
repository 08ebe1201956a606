namespace EtwSerializerProfiler.Analysis;

/// <summary>Order statistics of small samples.</summary>
public static class Statistics
{
    /// <summary>The median; for an even count, the mean of the two in the middle. Null without values.</summary>
    public static double? Median(IReadOnlyList<double> values) => Quantile(values, 0.5);

    /// <summary>A quantile with linear interpolation (type 7 of Hyndman and Fan 1996, as in Excel and R). Null without values.</summary>
    /// <param name="values">The sample, in any order.</param>
    /// <param name="share">Share of the values below the quantile, from 0 to 1.</param>
    public static double? Quantile(IReadOnlyList<double> values, double share)
    {
        ArgumentNullException.ThrowIfNull(values);
        if (values.Count == 0)
            return null;
        return QuantileOfSorted(values.Order().ToArray(), share);
    }

    /// <summary>The median of values in ascending order, of which there must be at least one.</summary>
    public static double MedianOfSorted(double[] sorted) => QuantileOfSorted(sorted, 0.5);

    private static double QuantileOfSorted(double[] sorted, double share)
    {
        var position = share * (sorted.Length - 1);
        var below = (int)position;
        return below + 1 < sorted.Length ? sorted[below] + ((position - below) * (sorted[below + 1] - sorted[below])) : sorted[below];
    }
}
