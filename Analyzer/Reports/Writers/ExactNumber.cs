using System.Globalization;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>A number that programs get with all its digits: one of a query, of which nobody knows what it measures. People see three decimals.</summary>
/// <param name="Value">The number.</param>
public readonly record struct ExactNumber(double Value) : IFormattable
{
    /// <inheritdoc />
    public string ToString(string? format, IFormatProvider? formatProvider) => Value.ToString(string.IsNullOrEmpty(format) ? "R" : format, formatProvider);

    /// <inheritdoc />
    public override string ToString() => Value.ToString("R", CultureInfo.InvariantCulture);
}
