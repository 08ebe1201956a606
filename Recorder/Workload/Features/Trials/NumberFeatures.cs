using System.Globalization;
using System.Numerics;
using EtwSerializerProfiler.Workload.Features.Data;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Numbers at the limits of their types.</summary>
internal static class NumberFeatures
{
    private const string Group = "Numbers";

    public static IReadOnlyList<Feature> All { get; } =
    [
        new RoundTripFeature<ValueData.Integers>(
            "long",
            Group,
            "long, ulong",
            "long.MinValue and ulong.MaxValue.",
            () => new() { Min = long.MinValue, Max = ulong.MaxValue }
        ),
        new RoundTripFeature<ValueData.BigIntegers>(
            "big-integer",
            Group,
            "BigInteger",
            "A BigInteger of 2 to the power of 100.",
            () => new() { Value = BigInteger.Pow(2, 100) }
        ),
        new RoundTripFeature<ValueData.Decimals>(
            "decimal",
            Group,
            "decimal",
            "decimal.MaxValue and the smallest decimal greater than 0.",
            Decimals,
            (expected, actual) => Different(expected.Max, actual.Max) ?? Different(expected.Min, actual.Min)
        ),
        new RoundTripFeature<ValueData.Decimals>(
            "decimal-scale",
            Group,
            "decimal's places",
            "1.10m keeps its two places.",
            Decimals,
            (expected, actual) => SamePlaces(expected.TwoPlaces, actual.TwoPlaces)
        ),
        new RoundTripFeature<ValueData.Doubles>(
            "double",
            Group,
            "double",
            "0.1 + 0.2, 1/3, pi, the largest and the smallest double, bit by bit.",
            () => new() { Values = [0.1 + 0.2, 1.0 / 3, Math.PI, double.MaxValue, double.Epsilon] },
            (expected, actual) => Bits(expected.Values, actual.Values)
        ),
        new RoundTripFeature<ValueData.Doubles>(
            "negative-zero",
            Group,
            "-0.0",
            "Negative zero, a double, keeps its sign.",
            () => new() { Values = [NegativeZero] },
            (expected, actual) => Bits(expected.Values, actual.Values)
        ),
        new RoundTripFeature<ValueData.Doubles>(
            "nan",
            Group,
            "NaN, infinity",
            "NaN and both infinities as double.",
            () => new() { Values = [double.NaN, double.PositiveInfinity, double.NegativeInfinity] },
            (expected, actual) => Bits(expected.Values, actual.Values)
        ),
        new RoundTripFeature<ValueData.Singles>(
            "float",
            Group,
            "float",
            "0.1, 1/3, the largest and the smallest float, bit by bit.",
            () => new() { Values = [0.1f, 1f / 3, float.MaxValue, float.Epsilon] },
            (expected, actual) => Bits(Widen(expected.Values), Widen(actual.Values))
        ),
    ];

    private static double NegativeZero => BitConverter.Int64BitsToDouble(long.MinValue);

    private static ValueData.Decimals Decimals() =>
        new()
        {
            Max = decimal.MaxValue,
            Min = new decimal(1, 0, 0, isNegative: false, scale: 28),
            TwoPlaces = 1.10m,
        };

    private static string? Different(decimal expected, decimal actual) =>
        expected == actual ? null : string.Create(CultureInfo.InvariantCulture, $"{expected} is read as {actual}");

    private static string? SamePlaces(decimal expected, decimal actual) =>
        decimal.GetBits(expected).SequenceEqual(decimal.GetBits(actual))
            ? null
            : string.Create(CultureInfo.InvariantCulture, $"{expected} is read as {actual}");

    private static double[]? Widen(float[]? values) => values is null ? null : [.. values.Select(value => (double)value)];

    private static string? Bits(double[]? expected, double[]? actual)
    {
        if (actual?.Length != expected!.Length)
            return "the array is lost";
        var differences = expected
            .Zip(
                actual,
                (left, right) =>
                    BitConverter.DoubleToInt64Bits(left) == BitConverter.DoubleToInt64Bits(right)
                        ? ""
                        : $"{Show(left)} is read as {Show(right)}"
            )
            .Where(text => text.Length > 0)
            .ToList();
        return differences.Count == 0 ? null : string.Join("; ", differences);
    }

    private static string Show(double value) =>
        BitConverter.DoubleToInt64Bits(value) == long.MinValue ? "-0" : value.ToString("R", CultureInfo.InvariantCulture);
}
