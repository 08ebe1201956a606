using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Rows;

/// <summary>
/// The runs of one serializer, operation, object count, payload, thread count and kind in one row. Failed runs are counted but enter no
/// other number, and runs with a dump or with lost events only when there are no others. A value is null when any of the row's runs lacks
/// it: a sum over some of them would look like a smaller cost.
/// </summary>
public sealed class SummaryRow
{
    private readonly IReadOnlyList<Run> _completed;
    private readonly double[] _walls;

    /// <summary>Creates the row of <paramref name="runs"/>.</summary>
    public SummaryRow(SummaryKey key, IReadOnlyList<Run> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        Key = key;
        AllRuns = runs;
        IReadOnlyList<Run> completed = [.. runs.Where(run => run.Error.Length == 0)];
        _completed = WholeRuns.Counted(completed, run => run);
        FailedRuns = runs.Count - completed.Count;
        DumpedRuns = completed.Count > _completed.Count ? completed.Count(run => run.DumpMs is not null) : 0;
        _walls = [.. _completed.Select(run => run.WallMs / run.Operations)];
    }

    /// <summary>The key.</summary>
    public SummaryKey Key { get; }

    /// <summary>Runs that make the row's numbers.</summary>
    public IReadOnlyList<Run> CountedRuns => _completed;

    /// <summary>All runs of the row, including failed ones.</summary>
    public IReadOnlyList<Run> AllRuns { get; }

    /// <summary>Number of completed runs in the row's numbers.</summary>
    public int Runs => _completed.Count;

    /// <summary>Number of operations of these runs: equal to the number of runs, except for iterations of BenchmarkDotNet.</summary>
    public long Operations => _completed.Sum(run => run.Operations);

    /// <summary>Number of runs that ended with an exception.</summary>
    public int FailedRuns { get; }

    /// <summary>Number of completed runs that enter no number because their process was dumped.</summary>
    public int DumpedRuns { get; }

    /// <summary>Assembly that implements the serializer.</summary>
    public string Library => AllRuns[0].Identity.Library;

    /// <summary>Its version.</summary>
    public string LibraryVersion => AllRuns[0].Identity.LibraryVersion;

    /// <summary>Median wall time of the runs in ms; for iterations of BenchmarkDotNet, this and the next three are per operation.</summary>
    public double? WallMedianMs => Statistics.Median(_walls);

    /// <summary>Shortest wall time in ms.</summary>
    public double? WallMinMs => _walls.Length > 0 ? _walls.Min() : null;

    /// <summary>Longest wall time in ms.</summary>
    public double? WallMaxMs => _walls.Length > 0 ? _walls.Max() : null;

    /// <summary>Interquartile range of the wall times in ms.</summary>
    public double? WallIqrMs => Statistics.Quantile(_walls, 0.75) - Statistics.Quantile(_walls, 0.25);

    /// <summary>(max - min) / median of the wall times in %; null for a single run, which has no measured spread.</summary>
    public double? SpreadPercent => _walls.Length > 1 && WallMedianMs > 0 ? (WallMaxMs - WallMinMs) / WallMedianMs * 100 : null;

    /// <summary>Sum of the wall times in ms.</summary>
    public double? WallTotalMs => _completed.Count > 0 ? _completed.Sum(run => run.WallMs) : null;

    /// <summary>Number of GCs over all runs.</summary>
    public GcCounts? Gcs =>
        GcMeasures.Gen0.ValueOf(this) is { } gen0
            ? new GcCounts(gen0, GcMeasures.Gen1.ValueOf(this)!.Value, GcMeasures.Gen2.ValueOf(this)!.Value)
            : null;

    /// <summary>GC pause over all runs in ms.</summary>
    public double? PauseTotalMs => GcMeasures.Pause.ValueOf(this);

    /// <summary>GC pause as a share of the runs' windows, in %.</summary>
    public double? PausePercent => WallTotalMs > 0 ? PauseTotalMs / WallTotalMs * 100 : null;

    /// <summary>Bytes allocated over all runs.</summary>
    public double? AllocatedBytes => AllocationMeasures.Bytes.ValueOf(this);

    /// <summary>Allocated bytes per object: total / (operations × objects).</summary>
    public double? AllocatedBytesPerObject => Key.ObjectCount > 0 ? AllocatedBytes / ((double)Operations * Key.ObjectCount) : null;

    /// <summary>Number of methods compiled over all runs.</summary>
    public long? JitMethods => JitMeasures.Methods.ValueOf(this);

    /// <summary>Compilation time over all runs in ms.</summary>
    public double? JitMs => JitMeasures.Time.ValueOf(this);

    /// <summary>Exceptions thrown over all runs.</summary>
    public long? Exceptions => ExceptionMeasures.Thrown.ValueOf(this);

    /// <summary>Waits for managed locks over all runs.</summary>
    public long? Contentions => LockMeasures.Count.ValueOf(this);

    /// <summary>Waiting time for managed locks over all runs in ms.</summary>
    public double? ContentionMs => LockMeasures.Time.ValueOf(this);

    /// <summary>CPU time of the process over all runs in ms.</summary>
    public double? CpuMs => CpuMeasures.Process.ValueOf(this);

    /// <summary>CPU samples over all runs.</summary>
    public RunSamples? Samples =>
        SampleMeasures.Count.ValueOf(this) is { } count
            ? new RunSamples(
                count,
                SampleMeasures.Cpu.ValueOf(this)!.Value,
                SampleMeasures.KernelCount.ValueOf(this),
                SampleMeasures.BrokenCount.ValueOf(this)!.Value
            )
            : null;

    /// <summary>CPU time by cause over all runs.</summary>
    public CauseTimes? Causes => CauseTimes.Sum(_completed.Select(run => run.Causes));

    /// <summary>Size of one run's serialized data in bytes: the median over the runs.</summary>
    public long? DataBytes => DataMeasures.Bytes.ValueOf(this);

    /// <summary>
    /// Groups runs into rows, sorted by operation, object count, payload and threads, then median (failed rows last). Rows that differ only
    /// in their runtime are adjacent, in the order of the recordings, at the position of the fastest of them.
    /// </summary>
    public static IReadOnlyList<SummaryRow> Group(IEnumerable<Run> runs)
    {
        // In input order, which is that of the recordings.
        var rows = runs.GroupBy(SummaryKey.Of).Select(group => new SummaryRow(group.Key, [.. group])).ToList();
        var fastest = rows.GroupBy(Compared)
            .ToDictionary(group => group.Key, group => group.Min(row => row.WallMedianMs ?? double.MaxValue));
        var runtimes = rows.Select(row => row.Key.Runtime).Distinct().ToList();
        return
        [
            .. rows.OrderBy(row => row.Key.Operation, StringComparer.Ordinal)
                .ThenBy(row => row.Key.ObjectCount)
                .ThenBy(row => row.Key.PayloadBytes)
                .ThenBy(row => row.Key.ThreadCount)
                .ThenBy(row => fastest[Compared(row)])
                .ThenBy(row => row.Key.Serializer, StringComparer.Ordinal)
                .ThenBy(row => row.Key.Kind)
                .ThenBy(row => runtimes.IndexOf(row.Key.Runtime)),
        ];

        static SummaryKey Compared(SummaryRow row) => row.Key with { Runtime = "" };
    }

    /// <summary>Runtime of the runs; empty when unknown.</summary>
    public string Runtime => AllRuns[0].Runtime;
}
