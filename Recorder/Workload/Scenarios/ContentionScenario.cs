using System.Globalization;
using System.Runtime.Serialization;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary><c>contention</c>: threads share one DataContractSerializer, with and without a surrogate.</summary>
/// <param name="duration">Time of each row.</param>
/// <param name="objects">Objects per request.</param>
/// <param name="threads">Thread counts; 1, 2, 4, 8, 16 when null.</param>
public sealed class ContentionScenario(TimeSpan duration, int objects, IReadOnlyList<int>? threads = null) : Scenario
{
    /// <summary>Default objects per request.</summary>
    public const int DefaultObjects = 20_000;

    /// <summary>Default seconds of a row.</summary>
    public const int DefaultSeconds = 2;

    /// <summary>The case is present below this share of perfect scaling; the published one had 115 of 258 requests/s.</summary>
    public const double PresentBelow = 0.5;

    /// <summary>Minimum lock waits per request for the case to be present, if the runtime reports them.</summary>
    public const double PresentFromContentions = 1;

    /// <summary>Minimum requests of a row for a reliable rate.</summary>
    public const int MinRequests = 5;

    private static readonly int[] s_threads = [1, 2, 4, 8, 16];

    /// <inheritdoc/>
    public override string Name => "contention";

    /// <inheritdoc/>
    public override string PublishedCase =>
        "A service that returned 20,000 objects by DataContractSerializer made 115 requests/s with 8 threads, and 258 after removal of the lock in GetBuiltInDataContract and GetId (fixed in .NET 7).";

    /// <inheritdoc/>
    public override Finding Run(ScenarioContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        var rows = new List<ContentionRow>();
        context.Output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{objects:N0} objects per request, {duration.TotalSeconds:0.###} s per row. Scaling is relative to 1 thread and cannot exceed the {Environment.ProcessorCount} processors. A recording (esp-record) has the milliseconds of lock waits."
            )
        );
        var table = new ScenarioTable(
            context.Output,
            ("Serializer", 24),
            ("Threads", -7),
            ("Requests", -8),
            ("Requests/s", -10),
            ("Scaling", -7),
            ("p50 ms", -9),
            ("p95 ms", -9),
            ("p99 ms", -9),
            ("Locks", -12),
            ("Locks/request", -13)
        );
        foreach (var (variant, surrogate) in new[] { ("DataContract", false), ("DataContract, surrogate", true) })
        {
            foreach (var count in threads ?? s_threads)
            {
                var goesOn = context.Row(
                    table,
                    string.Create(CultureInfo.InvariantCulture, $"{variant}, {Plural.Of(count, "thread")}"),
                    () =>
                    {
                        var row = Measure(context, variant, surrogate, count);
                        rows.Add(row);
                        table.Write(
                            variant,
                            ScenarioTable.Number(count),
                            ScenarioTable.Number(row.Requests),
                            ScenarioTable.Number(row.RequestsPerSecond, 1),
                            Scaling(rows, row) is { } scaling ? ScenarioTable.Number(scaling, 2) : "-",
                            ScenarioTable.Number(row.P50, 1),
                            ScenarioTable.Number(row.P95, 1),
                            ScenarioTable.Number(row.P99, 1),
                            ScenarioTable.Number(row.Contentions),
                            ScenarioTable.Number(row.ContentionsPerRequest, 3)
                        );
                    }
                );
                if (!goesOn)
                    return Find(rows, Environment.ProcessorCount);
            }
        }

        return Find(rows, Environment.ProcessorCount);
    }

    /// <summary>Decides from the rows with the most threads for which there are enough processors.</summary>
    /// <param name="rows">The measured rows.</param>
    /// <param name="processors">Number of processors of the machine.</param>
    public static Finding Find(IReadOnlyList<ContentionRow> rows, int processors)
    {
        ArgumentNullException.ThrowIfNull(rows);
        var deciding = rows.Where(row => row.Threads > 1 && row.Threads <= processors && Scaling(rows, row) is not null)
            .GroupBy(row => row.Variant)
            .Select(variant => variant.OrderByDescending(row => row.Threads).First())
            .ToList();
        if (deciding.Count == 0)
            return Finding.Undecided(
                $"the measured rows on {processors} processors do not show how threads scale: this needs rows with 1 thread and with 2 or more, with a processor each."
            );

        if (rows.Where(row => row.Threads == 1).Concat(deciding).FirstOrDefault(row => row.Requests < MinRequests) is { } few)
            return Finding.Undecided(
                $"{few.Requests} requests of {few.Variant} with {Plural.Of(few.Threads, "thread")} are too few for a rate: increase -seconds (at least {MinRequests} are necessary)."
            );
        var sentences = deciding.Select(row =>
            string.Create(
                CultureInfo.InvariantCulture,
                $"{row.Variant}: {row.RequestsPerSecond:N1} requests/s with {Plural.Of(row.Threads, "thread")}, {Scaling(rows, row):N2} times those of 1 thread, {(row.ContentionsPerRequest is { } locks ? locks.ToString("N3", CultureInfo.InvariantCulture) + " lock waits per request" : "lock waits not recorded")}"
            )
        );
        return Finding.Of(
            deciding.Any(row => IsContended(rows, row)),
            $"{string.Join("; ", sentences)} (the case is present below {PresentBelow:N1} times the threads with {PresentFromContentions:N0} or more lock waits per request, on {processors} processors)."
        );
    }

    private static bool IsContended(IReadOnlyList<ContentionRow> rows, ContentionRow row) =>
        Scaling(rows, row) < PresentBelow * row.Threads
        && (row.ContentionsPerRequest is null || row.ContentionsPerRequest >= PresentFromContentions);

    private static double? Scaling(IReadOnlyList<ContentionRow> rows, ContentionRow row) =>
        row.RequestsPerSecond / rows.FirstOrDefault(single => single.Threads == 1 && single.Variant == row.Variant)?.RequestsPerSecond;

    private ContentionRow Measure(ScenarioContext context, string variant, bool surrogate, int count)
    {
        var orders = ContentionOrder.List(objects);
        var serializer = ContentionSurrogate.Construct(surrogate);
        Func<Action> newRequest = () =>
        {
            var stream = new MemoryStream();
            return () =>
            {
                stream.SetLength(0);
                serializer.WriteObject(stream, orders);
            };
        };

        var identity = ScenarioContext.Identity(
            variant,
            typeof(DataContractSerializer).Assembly,
            RunOperation.Serialize,
            objects,
            threads: count
        );
        if (count == (threads ?? s_threads)[0])
        {
            var warmUp = newRequest();
            context.WarmUp(
                identity with
                {
                    ThreadCount = 1,
                },
                () =>
                {
                    warmUp();
                    return -1;
                }
            );
        }

        using var load = new ContentionLoad(count, duration, newRequest);
        load.Prepare();
        long? before = null,
            after = null;
        var (milliseconds, _) = context.Measure(
            identity,
            () =>
            {
                before = LockWaits();
                load.Run();
                after = LockWaits();
                return -1;
            }
        );
        var latencies = load.Latencies();
        if (latencies.Length == 0)
            throw new RunFailedException("no request was completed");
        return new ContentionRow(
            variant,
            count,
            latencies.Length,
            milliseconds / 1000,
            ContentionLoad.Percentile(latencies, 50),
            ContentionLoad.Percentile(latencies, 95),
            ContentionLoad.Percentile(latencies, 99),
            after - before
        );
    }

    /// <summary>Number of lock waits of the process; null when the runtime does not report it.</summary>
    private static long? LockWaits() =>
#if NET
        Monitor.LockContentionCount;
#else
        null;
#endif
}

/// <summary>Throughput of a number of threads with one serializer.</summary>
/// <param name="Variant">The serializer.</param>
/// <param name="Threads">Number of threads that write at the same time.</param>
/// <param name="Requests">Number of completed requests.</param>
/// <param name="Seconds">Time from the start of all threads to the end of the last request.</param>
/// <param name="P50">Median latency of a request, in ms.</param>
/// <param name="P95">95th percentile, in ms.</param>
/// <param name="P99">99th percentile, in ms.</param>
/// <param name="Contentions">Lock waits of the process; null when the runtime does not report them.</param>
public sealed record ContentionRow(
    string Variant,
    int Threads,
    int Requests,
    double Seconds,
    double P50,
    double P95,
    double P99,
    long? Contentions
)
{
    /// <summary>Completed requests per second.</summary>
    public double RequestsPerSecond => Requests / Seconds;

    /// <summary>Lock waits per request.</summary>
    public double? ContentionsPerRequest => (double?)Contentions / Requests;
}
