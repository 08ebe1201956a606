using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>The runs of a call of the suite, planned before anything runs.</summary>
/// <param name="Series">The series in the order in which they run.</param>
public sealed record RunPlan(IReadOnlyList<PlannedSeries> Series)
{
    /// <summary>
    /// Minimum objects of settling's large graph: enough calls to make every method of the serializer hot, even when one object is
    /// measured.
    /// </summary>
    private const int MinSettlingObjects = 10_000;

    /// <summary>Maximum objects of settling's large graph: more take time without making anything hotter.</summary>
    private const int MaxSettlingObjects = 20_000;

    /// <summary>Maximum additional payload of settling's large graph compared with the measured ones, in bytes.</summary>
    private const int MaxSettlingPayload = 10_000_000;

    /// <summary>Number of runs of all series, including warm-ups, without those that are rehearsed or repeated.</summary>
    public int TotalRuns => Series.Sum(series => series.WarmUps + series.Runs);

    /// <summary>
    /// Plans the tests that <paramref name="options"/> request: by operation, then by serializer; within these the settling, then the
    /// series by object count and thread count. The serializers are shuffled by <see cref="SuiteOptions.Seed"/> for each operation;
    /// without a seed, or with <see cref="SuiteOptions.NoSeed"/>, they keep the given order. The same seed and serializers give the same
    /// plan.
    /// </summary>
    /// <param name="options">What to measure.</param>
    /// <param name="serializers">Serializers that take part.</param>
    public static RunPlan Of(SuiteOptions options, IReadOnlyList<SerializerDescription> serializers)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(serializers);
        var order = new SeededOrder(options.Seed ?? SuiteOptions.NoSeed);
        var series =
            from test in options.Tests
            from operation in OperationsOf(test)
            from serializer in operation == RunOperation.StartRuntime ? [SerializerDescription.None] : order.Shuffle(serializers)
            from planned in test == SuiteTest.FirstCall
                ? FirstCalls(operation, serializer, options)
                : Measured(test, operation, serializer, options)
            select planned;
        return new RunPlan([.. series]);
    }

    /// <summary>First calls, one series per object count. Starting the runtime and constructing a serializer do not depend on it.</summary>
    private static IEnumerable<PlannedSeries> FirstCalls(string operation, SerializerDescription serializer, SuiteOptions options)
    {
        var uses = operation is RunOperation.FirstSerialize or RunOperation.FirstDeserialize;
        return (uses ? options.ObjectCountsOf(SuiteTest.FirstCall) : [0]).Select(objectCount => new PlannedSeries(
            serializer,
            operation,
            RunKind.FirstCall,
            objectCount,
            uses ? options.PayloadBytes : 0,
            WarmUps: 0,
            options.Runs
        ));
    }

    /// <summary>
    /// The settling on one thread, then each object count and thread count with one warm-up, which includes the growth of the streams.
    /// </summary>
    private static IEnumerable<PlannedSeries> Measured(
        SuiteTest test,
        string operation,
        SerializerDescription serializer,
        SuiteOptions options
    )
    {
        var counts = options.ObjectCountsOf(test);
        yield return new PlannedSeries(
            serializer,
            operation,
            RunKind.WarmUp,
            SettlingObjects(counts.Max(), options.PayloadBytes),
            options.PayloadBytes,
            WarmUps: 1,
            Runs: 0
        );
        foreach (var objectCount in counts)
        {
            foreach (var threadCount in options.Threads)
                yield return new PlannedSeries(
                    serializer,
                    operation,
                    RunKind.Measured,
                    objectCount,
                    options.PayloadBytes,
                    WarmUps: 1,
                    options.Runs
                )
                {
                    ThreadCount = threadCount,
                };
        }
    }

    private static int SettlingObjects(int maxCount, int payloadBytes)
    {
        var objects = Math.Clamp(maxCount, MinSettlingObjects, MaxSettlingObjects);
        return payloadBytes == 0 ? objects : Math.Max(Math.Min(maxCount, objects), Math.Min(objects, MaxSettlingPayload / payloadBytes));
    }

    private static IReadOnlyList<string> OperationsOf(SuiteTest test) =>
        test switch
        {
            SuiteTest.Serialize => [RunOperation.Serialize],
            SuiteTest.Deserialize => [RunOperation.Deserialize],
            SuiteTest.Combined => [RunOperation.Combined],
            SuiteTest.FirstCall =>
            [
                RunOperation.StartRuntime,
                RunOperation.Construct,
                RunOperation.FirstSerialize,
                RunOperation.FirstDeserialize,
            ],
            _ => throw new ArgumentOutOfRangeException(nameof(test), test, "Not a test of the suite."),
        };
}
