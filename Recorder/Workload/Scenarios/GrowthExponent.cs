namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>How time grows with the number of objects.</summary>
public static class GrowthExponent
{
    /// <summary>The exponent e of time = c · objects^e, by least squares over the logarithms: 1 is linear, 2 quadratic.</summary>
    /// <param name="points">Objects and time, both above 0.</param>
    /// <returns>Null when there are not two different numbers of objects.</returns>
    public static double? Fit(IReadOnlyCollection<(double Objects, double Time)> points)
    {
        ArgumentNullException.ThrowIfNull(points);
        if (points.Select(point => point.Objects).Distinct().Count() < 2)
            return null;
        var x = points.Select(point => Math.Log(point.Objects)).ToArray();
        var y = points.Select(point => Math.Log(point.Time)).ToArray();
        double meanX = x.Average(), meanY = y.Average(), covariance = 0, variance = 0;
        for (var i = 0; i < x.Length; i++)
        {
            covariance += (x[i] - meanX) * (y[i] - meanY);
            variance += (x[i] - meanX) * (x[i] - meanX);
        }

        return covariance / variance;
    }
}
