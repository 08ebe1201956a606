using Perfolizer.Mathematics.Distributions.ContinuousDistributions;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Growth of a time: time = c · n^exponent, by least squares on the logarithms.</summary>
/// <param name="Exponent">The exponent.</param>
/// <param name="Low">Lower bound of its 95 % interval (Student's t with points - 2 degrees of freedom).</param>
/// <param name="High">Upper bound.</param>
/// <param name="Points">Number of fitted points.</param>
internal readonly record struct PowerLaw(double Exponent, double Low, double High, int Points)
{
    /// <summary>Fits the law; null with fewer than three points, with only one n, or with values without logarithm.</summary>
    public static PowerLaw? Fit(IReadOnlyList<(double N, double Time)> points)
    {
        if (points.Count < 3 || points.Any(point => point.N <= 0 || point.Time <= 0))
            return null;
        var logs = points.Select(point => (X: Math.Log(point.N), Y: Math.Log(point.Time))).ToList();
        var (meanX, meanY) = (logs.Average(point => point.X), logs.Average(point => point.Y));
        var squares = logs.Sum(point => Math.Pow(point.X - meanX, 2));
        if (squares <= 0)
            return null;
        var exponent = logs.Sum(point => (point.X - meanX) * (point.Y - meanY)) / squares;
        var residuals = logs.Sum(point => Math.Pow(point.Y - meanY - (exponent * (point.X - meanX)), 2));
        var degrees = points.Count - 2;
        var half = new StudentDistribution(degrees).Quantile(0.975) * Math.Sqrt(residuals / degrees / squares);
        return new PowerLaw(exponent, exponent - half, exponent + half, points.Count);
    }
}
