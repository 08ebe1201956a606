using System.Globalization;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>
/// A number that CSV and JSON have with all digits, because the meaning of a query's result is unknown. Text output has three decimals.
/// </summary>
/// <param name="Value">The number.</param>
public readonly record struct ExactNumber(double Value) : IFormattable
{
    /// <inheritdoc />
    public string ToString(string? format, IFormatProvider? formatProvider) =>
        Value.ToString(string.IsNullOrEmpty(format) ? "R" : format, formatProvider);

    /// <inheritdoc />
    public override string ToString() => Value.ToString("R", CultureInfo.InvariantCulture);
}
