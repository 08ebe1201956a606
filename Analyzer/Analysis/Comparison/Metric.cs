using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>A measure of a run that two sides are compared by.</summary>
/// <param name="Key">Name for programs and for <c>--metric</c>.</param>
/// <param name="Name">Name for people.</param>
/// <param name="Kind">How its differences are judged.</param>
/// <param name="Value">Its value of a run, in ms or bytes, by operation where a run is an iteration of BenchmarkDotNet; null when it was not recorded.</param>
public sealed record Metric(string Key, string Name, MetricKind Kind, Func<Run, double?> Value)
{
    /// <summary>The key: what <c>--metric</c> takes.</summary>
    public override string ToString() => Key;

    /// <summary>All, in the order of tables: first the times of runs as a whole.</summary>
    public static IReadOnlyList<Metric> All { get; } =
    [
        .. RunMeasures.All.OfType<Measure<double>>().Where(measure => measure.Compared is not null)
            .Select(measure => new Metric(measure.Compared!.Name, measure.Compared.Header, measure.Compared.Kind, run => measure.ValueOf(run) / run.Operations)).OrderByDescending(metric => metric.Kind == MetricKind.Time),
    ];

    /// <summary>The keys of all.</summary>
    public static IReadOnlyList<string> Keys => [.. All.Select(metric => metric.Key)];

    /// <summary>The keys of all, with commas between them.</summary>
    public static string AllKeys => string.Join(", ", Keys);

    /// <summary>Wall time of the run's window.</summary>
    public static Metric Wall { get; } = Of(WallMeasures.Wall);

    /// <summary>CPU time of the process: unlike wall time it does not hold what other processes take.</summary>
    public static Metric Cpu { get; } = Of(CpuMeasures.Process);

    /// <summary>GC pauses.</summary>
    public static Metric Pause { get; } = Of(GcMeasures.Pause);

    /// <summary>Bytes allocated.</summary>
    public static Metric Allocation { get; } = Of(AllocationMeasures.Bytes);

    /// <summary>The measures that a key or a part of one chooses.</summary>
    public static IReadOnlyList<Metric> Find(string key)
    {
        var keys = NameChoice.Find(key, Keys);
        return [.. All.Where(metric => keys.Contains(metric.Key))];
    }

    /// <summary>Wall time without the CPU time of some causes.</summary>
    /// <param name="groups">Groups of causes.</param>
    public static Metric WallWithout(IReadOnlyList<string> groups) => new(
        "wallWithout", "Wall without " + string.Join(", ", groups) + " ms", MetricKind.Time,
        run => run.Causes is { } causes ? (run.WallMs - causes.ToMilliseconds(groups.Sum(causes.Group))) / run.Operations : null);

    /// <summary>The relative difference that is to be resolved: 5 % of time, 1 % of bytes.</summary>
    public double Resolve(ComparisonOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Kind == MetricKind.Bytes ? 0.01 : options.Resolve ?? 0.05;
    }

    /// <summary>
    /// The smallest relative difference that is one at all. Bytes are counted exactly and vary by a buffer here and there, so that a hundred bytes of a megabyte can be
    /// beyond noise, and mean nothing.
    /// </summary>
    public double Smallest => Kind == MetricKind.Bytes ? 0.001 : 0;

    /// <summary>Whether more of it takes time.</summary>
    public bool IsTime => Kind != MetricKind.Bytes;

    private static Metric Of(Measure measure) => All.Single(metric => metric.Key == measure.Compared!.Name);
}

/// <summary>How a measure's differences are judged.</summary>
public enum MetricKind
{
    /// <summary>Time of a run as a whole: positive, compared as a ratio, with loose bounds.</summary>
    Time = 0,

    /// <summary>Time that is a part of the run's and can be 0: compared in ms, against the run's wall time.</summary>
    PartOfTime = 1,

    /// <summary>Bytes, which hardly vary: compared as a ratio, with tight bounds.</summary>
    Bytes = 2,
}
