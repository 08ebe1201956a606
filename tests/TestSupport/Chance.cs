namespace EtwSerializerProfiler.TestSupport;

/// <summary>How far a number estimated from samples may deviate from the true value by chance.</summary>
public static class Chance
{
    /// <summary>
    /// Standard errors that a test allows. A normally distributed value exceeds them once in 26 million times, so a test with ten values
    /// fails by chance less than once in a million runs.
    /// </summary>
    public const double StandardErrors = 5.5;

    /// <summary>Allowed difference of a share estimated from samples.</summary>
    /// <param name="share">The true share, 0 to 1.</param>
    /// <param name="samples">Number of samples of the estimate.</param>
    /// <returns>A share, to be added and subtracted.</returns>
    public static double OfShare(double share, double samples) => StandardErrors * Math.Sqrt(share * (1 - share) / samples);
}
