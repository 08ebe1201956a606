using System.Globalization;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>CPU time of samples, with the digits that it has: a sample a ms gives whole ms.</summary>
internal static class SampledTime
{
    private const string Fraction = "0.000";
    private const string Whole = "0";

    /// <summary>A time in words.</summary>
    public static string Text(double ms) => ms.ToString(IsWhole(ms) ? Whole : Fraction, CultureInfo.InvariantCulture) + " ms";

    /// <summary>Columns for people: those of CPU time without decimals where all of their values are whole.</summary>
    public static IReadOnlyList<Column<T>> Fit<T>(IReadOnlyList<Column<T>> columns, IReadOnlyList<T> rows) =>
        [.. columns.Select(column => column is { Key: "cpuMs" or "inclusiveCpuMs" or "baselineMs" or "otherMs" or "differenceMs", Format: { } format } && rows.All(row => column.Value(row) is not double ms || IsWhole(ms)) ? column with { Format = format.Replace(Fraction, Whole, StringComparison.Ordinal) } : column)];

    private static bool IsWhole(double ms) => Math.Abs(ms - Math.Round(ms)) < 0.0005;
}
