using System.Globalization;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Formats sampled CPU time with meaningful digits: one sample per ms gives whole ms.</summary>
internal static class SampledTime
{
    private const string Fraction = "0.000";
    private const string Whole = "0";

    /// <summary>Formats a time.</summary>
    public static string Text(double ms) => ms.ToString(IsWhole(ms) ? Whole : Fraction, CultureInfo.InvariantCulture) + " ms";

    /// <summary>Columns for text output; CPU time has no decimals if all its values are whole.</summary>
    public static IReadOnlyList<Column<T>> Fit<T>(IReadOnlyList<Column<T>> columns, IReadOnlyList<T> rows) =>
        [
            .. columns.Select(column =>
                column is { Key: "cpuMs" or "inclusiveCpuMs" or "baselineMs" or "otherMs" or "differenceMs", Format: { } format }
                && rows.All(row => column.Value(row) is not double ms || IsWhole(ms))
                    ? column with
                    {
                        Format = format.Replace(Fraction, Whole, StringComparison.Ordinal),
                    }
                    : column
            ),
        ];

    private static bool IsWhole(double ms) => Math.Abs(ms - Math.Round(ms)) < 0.0005;
}
