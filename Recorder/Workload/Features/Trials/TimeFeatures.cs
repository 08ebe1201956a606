using System.Globalization;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Features.Data;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Dates and times.</summary>
internal static class TimeFeatures
{
    private const string Group = "Dates and times";

    private const string Pattern = "yyyy-MM-dd HH:mm:ss.fffffff";

    public static IReadOnlyList<Feature> All { get; } =
    [
        Kind("utc", DateTimeKind.Utc, "DateTime, Utc", "A DateTime of kind Utc with milliseconds keeps kind and time."),
        Kind("local", DateTimeKind.Local, "DateTime, Local", "A DateTime of kind Local, in a process whose time zone has an offset."),
        Kind("unspecified", DateTimeKind.Unspecified, "DateTime, Unspecified", "A DateTime of kind Unspecified."),
        new RoundTripFeature<TimeData.Time>(
            "100-ns",
            Group,
            "100 ns",
            "A DateTime of kind Utc with 1,234,567 ticks in its second keeps them.",
            () => new() { Value = new DateTime(2024, 5, 6, 7, 8, 9, DateTimeKind.Utc).AddTicks(1_234_567) },
            (expected, actual) => Ticks(expected.Value, actual.Value)
        ),
        new RoundTripFeature<TimeData.Limits>(
            "date-limits",
            Group,
            "DateTime limits",
            "DateTime.MinValue and DateTime.MaxValue, of kind Unspecified.",
            () => new() { First = DateTime.MinValue, Last = DateTime.MaxValue },
            (expected, actual) => Ticks(expected.First, actual.First) ?? Ticks(expected.Last, actual.Last)
        ),
        new RoundTripFeature<TimeData.Offset>(
            "date-time-offset",
            Group,
            "DateTimeOffset",
            "A DateTimeOffset of +05:30 with a resolution of 100 ns keeps time and offset.",
            () => new() { Value = new DateTimeOffset(2024, 5, 6, 7, 8, 9, new TimeSpan(5, 30, 0)).AddTicks(1_234_567) },
            (expected, actual) => Same(expected.Value, actual.Value)
        ),
        new RoundTripFeature<TimeData.Span>(
            "time-span",
            Group,
            "TimeSpan",
            "A negative TimeSpan of days, hours and a fraction with a resolution of 100 ns.",
            () => new() { Value = -new TimeSpan(3, 4, 5, 6).Add(TimeSpan.FromTicks(1_234_567)) },
            (expected, actual) => StructuralDifference.Find(expected, actual)
        ),
    ];

    private static RoundTripFeature<TimeData.Time> Kind(string key, DateTimeKind kind, string title, string how) =>
        new(
            key,
            Group,
            title,
            how,
            () => new() { Value = new DateTime(2024, 5, 6, 7, 8, 9, 123, kind) },
            (expected, actual) => SameKind(expected.Value, actual.Value)
        );

    private static string? SameKind(DateTime expected, DateTime actual) =>
        expected.Kind == actual.Kind && expected.Ticks == actual.Ticks ? null : $"{Show(expected)} is read as {Show(actual)}";

    private static string? Ticks(DateTime expected, DateTime actual) =>
        expected.Ticks == actual.Ticks ? null : $"{Show(expected)} is read as {Show(actual)}";

    private static string? Same(DateTimeOffset expected, DateTimeOffset actual) =>
        expected.EqualsExact(actual)
            ? null
            : $"{expected.ToString(Pattern + " zzz", CultureInfo.InvariantCulture)} is read as {actual.ToString(Pattern + " zzz", CultureInfo.InvariantCulture)}";

    private static string Show(DateTime time) => $"{time.ToString(Pattern, CultureInfo.InvariantCulture)} {time.Kind}";
}
