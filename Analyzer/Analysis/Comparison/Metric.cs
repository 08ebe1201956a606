using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>A measure of runs by which two sides are compared.</summary>
/// <param name="Key">Name in CSV and JSON, and as a value of <c>--metric</c>.</param>
/// <param name="Name">Name in text output.</param>
/// <param name="Kind">How its differences are judged.</param>
/// <param name="Value">
/// Its value for a run, in ms or bytes; for an iteration of BenchmarkDotNet, per operation. Null when not recorded.
/// </param>
public sealed record Metric(string Key, string Name, MetricKind Kind, Func<Run, double?> Value)
{
    /// <summary>Returns <see cref="Key"/>.</summary>
    public override string ToString() => Key;

    /// <summary>All compared measures: times of whole runs first, the others in the order of the table.</summary>
    public static IReadOnlyList<Metric> All { get; } =
    [
        .. RunMeasures
            .All.OfType<Measure<double>>()
            .Where(measure => measure.Compared is not null)
            .Select(measure => new Metric(
                measure.Compared!.Name,
                measure.Compared.Header,
                measure.Compared.Kind,
                run => measure.ValueOf(run) / run.Operations
            ))
            .OrderByDescending(metric => metric.Kind == MetricKind.Time),
    ];

    /// <summary>The keys of <see cref="All"/>, in its order.</summary>
    public static IReadOnlyList<string> Keys => [.. All.Select(metric => metric.Key)];

    /// <summary>The keys of <see cref="All"/>, separated by commas, for messages.</summary>
    public static string AllKeys => string.Join(", ", Keys);

    /// <summary>Wall time of the run's window.</summary>
    public static Metric Wall { get; } = Of(WallMeasures.Wall);

    /// <summary>CPU time of the process. Unlike wall time, it excludes time that other processes take.</summary>
    public static Metric Cpu { get; } = Of(CpuMeasures.Process);

    /// <summary>GC pauses.</summary>
    public static Metric Pause { get; } = Of(GcMeasures.Pause);

    /// <summary>Allocated bytes.</summary>
    public static Metric Allocation { get; } = Of(AllocationMeasures.Bytes);

    /// <summary>Finds the measures with a key, or a part of one.</summary>
    public static IReadOnlyList<Metric> Find(string key)
    {
        var keys = NameChoice.Find(key, Keys);
        return [.. All.Where(metric => keys.Contains(metric.Key))];
    }

    /// <summary>Wall time minus the CPU time of some causes.</summary>
    /// <param name="groups">Groups of causes.</param>
    public static Metric WallWithout(IReadOnlyList<string> groups) =>
        new(
            "wallWithout",
            "Wall without " + string.Join(", ", groups) + " ms",
            MetricKind.Time,
            run => run.Causes is { } causes ? (run.WallMs - causes.ToMilliseconds(groups.Sum(causes.Group))) / run.Operations : null
        );

    /// <summary>
    /// Relative difference that a comparison must be able to find before it reports "same": 1 % of bytes; of times the user's choice, by
    /// default 5 %.
    /// </summary>
    public double Resolve(ComparisonOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Kind == MetricKind.Bytes ? 0.01 : options.Resolve ?? 0.05;
    }

    /// <summary>
    /// Minimum relative difference that counts. Bytes are counted exactly and vary by a buffer now and then, so a hundred bytes of a
    /// megabyte can be beyond noise without meaning anything.
    /// </summary>
    public double MinChange => Kind == MetricKind.Bytes ? 0.001 : 0;

    /// <summary>Whether the measure is a time.</summary>
    public bool IsTime => Kind != MetricKind.Bytes;

    private static Metric Of(Measure measure) => All.Single(metric => metric.Key == measure.Compared!.Name);
}

/// <summary>Ways to judge the differences of a measure.</summary>
public enum MetricKind
{
    /// <summary>Time of a whole run: positive, compared as a ratio, with loose bounds.</summary>
    Time = 0,

    /// <summary>Part of a run's time, may be 0: compared in ms, relative to the run's wall time.</summary>
    PartOfTime = 1,

    /// <summary>Bytes, which hardly vary: compared as a ratio, with tight bounds.</summary>
    Bytes = 2,
}
