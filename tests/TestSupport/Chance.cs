namespace EtwSerializerProfiler.TestSupport;

/// <summary>How far a figure made of samples may lie from the truth by chance.</summary>
public static class Chance
{
    /// <summary>Standard errors that a test allows. A normal figure lies outside once in 26 million times, so a test with ten figures fails by chance less than once in a million runs.</summary>
    public const double StandardErrors = 5.5;

    /// <summary>Allowed difference of a share that was estimated from samples.</summary>
    /// <param name="share">The true share, 0 to 1.</param>
    /// <param name="samples">Samples the estimate is made of.</param>
    /// <returns>A share, to be added and subtracted.</returns>
    public static double OfShare(double share, double samples) => StandardErrors * Math.Sqrt(share * (1 - share) / samples);
}
