using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>What a call of the suite is going to run, known before anything runs.</summary>
/// <param name="Series">The series in the order in which they run.</param>
public sealed record RunPlan(IReadOnlyList<PlannedSeries> Series)
{
    private const int WarmUps = 1;

    /// <summary>Runs of all series, warm-ups included.</summary>
    public int TotalRuns => Series.Sum(series => series.WarmUps + series.Runs);

    /// <summary>Plans the tests that <paramref name="options"/> ask for: test by test, in it serializer by serializer, in it object count by object count.</summary>
    /// <param name="options">What to measure.</param>
    /// <param name="serializers">Serializers that take part.</param>
    public static RunPlan Of(SuiteOptions options, IReadOnlyList<SerializerDescription> serializers)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(serializers);
        var series =
            from test in options.Tests
            let kind = test == SuiteTest.FirstCall ? RunKind.FirstCall : RunKind.Measured
            from operation in OperationsOf(test)
            from serializer in serializers
            from objectCount in options.ObjectCountsOf(test)
            select new PlannedSeries(
                serializer, operation, kind, objectCount, options.PayloadBytes, WarmUps: kind == RunKind.FirstCall ? 0 : WarmUps, options.Runs);
        return new RunPlan([.. series]);
    }

    private static IReadOnlyList<string> OperationsOf(SuiteTest test) => test switch
    {
        SuiteTest.Serialize => [RunOperation.Serialize],
        SuiteTest.Deserialize => [RunOperation.Deserialize],
        SuiteTest.Combined => [RunOperation.Combined],
        SuiteTest.FirstCall => [RunOperation.FirstSerialize, RunOperation.FirstDeserialize],
        _ => throw new ArgumentOutOfRangeException(nameof(test), test, "Not a test of the suite."),
    };
}
