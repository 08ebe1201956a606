using System.Globalization;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>A logarithmic axis.</summary>
/// <param name="Min">Smallest value.</param>
/// <param name="Max">Largest value.</param>
/// <param name="From">Position of the smallest value.</param>
/// <param name="To">Position of the largest value.</param>
internal readonly record struct LogAxis(double Min, double Max, double From, double To)
{
    /// <summary>Number of decades above which only powers of ten are labelled.</summary>
    private const double ManyDecades = 2;

    public double At(double value) => Max > Min ? From + ((To - From) * Math.Log(value / Min) / Math.Log(Max / Min)) : (From + To) / 2;

    /// <summary>Round values on the axis, at most seven.</summary>
    public IEnumerable<double> Ticks()
    {
        var decades = Math.Log10(Max / Min);
        double[] steps = decades > ManyDecades ? [1] : [1, 2, 5];
        var every = Math.Max(1, (int)Math.Ceiling(decades / 7));
        for (var power = (int)Math.Floor(Math.Log10(Min)); power <= Math.Log10(Max); power++)
        {
            foreach (var step in steps)
            {
                var value = step * Math.Pow(10, power);
                if (value >= Min && value <= Max && power % every == 0)
                    yield return value;
            }
        }
    }

    /// <summary>A value beside the axis.</summary>
    public static string Label(double value) => value.ToString(value >= 1 ? "#,0" : "0.######", CultureInfo.InvariantCulture);

    /// <summary>A position in an SVG.</summary>
    public static string Number(double position) => position.ToString("0.#", CultureInfo.InvariantCulture);
}
