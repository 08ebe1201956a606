namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Quantiles of Student's t distribution, for intervals of 95 %.</summary>
internal static class StudentT
{
    /// <summary>The 0.975 quantile of the standard normal distribution.</summary>
    private const double Normal = 1.959963984540054;

    /// <summary>0.975 quantiles of 1 to 10 degrees of freedom (Abramowitz and Stegun 1964, table 26.10).</summary>
    private static readonly double[] s_few = [12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139];

    /// <summary>The 0.975 quantile: half the width of a 95 % interval in standard errors.</summary>
    /// <param name="degrees">Degrees of freedom, 1 or more; above 10 by the series of Abramowitz and Stegun 26.7.5, to within 1e-5.</param>
    public static double Quantile975(int degrees)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(degrees, 1);
        if (degrees <= s_few.Length)
            return s_few[degrees - 1];
        double n = degrees;
        const double x = Normal;
        var (x3, x5, x7, x9) = (Math.Pow(x, 3), Math.Pow(x, 5), Math.Pow(x, 7), Math.Pow(x, 9));
        return x + ((x3 + x) / (4 * n)) + (((5 * x5) + (16 * x3) + (3 * x)) / (96 * n * n)) + (((3 * x7) + (19 * x5) + (17 * x3) - (15 * x)) / (384 * Math.Pow(n, 3)))
            + (((79 * x9) + (776 * x7) + (1482 * x5) - (1920 * x3) - (945 * x)) / (92160 * Math.Pow(n, 4)));
    }
}
