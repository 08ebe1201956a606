using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Rows;

/// <summary>
/// The runs of one serializer, operation, object count, payload, thread count and kind in one row. Runs that failed are counted but do not enter any
/// other number, and those in which a dump was written only when there are no others. A value is null when any of the row's runs lacks it: a sum over some of them would look like a smaller cost.
/// </summary>
public sealed class SummaryRow
{
    private readonly IReadOnlyList<Run> _completed;
    private readonly double[] _walls;

    /// <summary>Makes the row of <paramref name="runs"/>.</summary>
    public SummaryRow(SummaryKey key, IReadOnlyList<Run> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        Key = key;
        AllRuns = runs;
        IReadOnlyList<Run> completed = [.. runs.Where(run => run.Error.Length == 0)];
        _completed = DumpPauses.Counted(completed, run => run);
        FailedRuns = runs.Count - completed.Count;
        DumpedRuns = completed.Count - _completed.Count;
        _walls = [.. _completed.Select(run => run.WallMs / run.Operations)];
    }

    /// <summary>What the runs have in common.</summary>
    public SummaryKey Key { get; }

    /// <summary>Runs that make the row's numbers.</summary>
    public IReadOnlyList<Run> CountedRuns => _completed;

    /// <summary>All runs of the row, the failed ones too.</summary>
    public IReadOnlyList<Run> AllRuns { get; }

    /// <summary>Runs that completed and make the row's numbers.</summary>
    public int Runs => _completed.Count;

    /// <summary>Operations of these runs: as many as runs, but where the runs are iterations of BenchmarkDotNet.</summary>
    public long Operations => _completed.Sum(run => run.Operations);

    /// <summary>Runs that ended with an exception.</summary>
    public int FailedRuns { get; }

    /// <summary>Runs that completed and are in no number, because a dump of their process was written in them.</summary>
    public int DumpedRuns { get; }

    /// <summary>Assembly that implements the serializer.</summary>
    public string Library => AllRuns[0].Identity.Library;

    /// <summary>Its version.</summary>
    public string LibraryVersion => AllRuns[0].Identity.LibraryVersion;

    /// <summary>Median of the runs' wall times in ms; of iterations of BenchmarkDotNet, here and in the three below, of one operation.</summary>
    public double? WallMedianMs => Statistics.Median(_walls);

    /// <summary>Shortest wall time in ms.</summary>
    public double? WallMinMs => _walls.Length > 0 ? _walls.Min() : null;

    /// <summary>Longest wall time in ms.</summary>
    public double? WallMaxMs => _walls.Length > 0 ? _walls.Max() : null;

    /// <summary>Distance of the quartiles of the wall times in ms.</summary>
    public double? WallIqrMs => Statistics.Quantile(_walls, 0.75) - Statistics.Quantile(_walls, 0.25);

    /// <summary>(max - min) / median of the wall times in %; null for a single run, which spreads by nothing that was measured.</summary>
    public double? SpreadPercent => _walls.Length > 1 && WallMedianMs > 0 ? (WallMaxMs - WallMinMs) / WallMedianMs * 100 : null;

    /// <summary>Sum of the wall times in ms.</summary>
    public double? WallTotalMs => _completed.Count > 0 ? _completed.Sum(run => run.WallMs) : null;

    /// <summary>GCs over all runs.</summary>
    public GcCounts? Gcs =>
        GcMeasures.Gen0.ValueOf(this) is { } gen0 ? new GcCounts(gen0, GcMeasures.Gen1.ValueOf(this)!.Value, GcMeasures.Gen2.ValueOf(this)!.Value) : null;

    /// <summary>GC pause over all runs in ms.</summary>
    public double? PauseTotalMs => GcMeasures.Pause.ValueOf(this);

    /// <summary>GC pause as a share of the runs' windows in %.</summary>
    public double? PausePercent => WallTotalMs > 0 ? PauseTotalMs / WallTotalMs * 100 : null;

    /// <summary>Bytes allocated over all runs.</summary>
    public double? AllocatedBytes => AllocationMeasures.Bytes.ValueOf(this);

    /// <summary>Bytes allocated for each object: total / (operations × objects).</summary>
    public double? AllocatedBytesPerObject => Key.ObjectCount > 0 ? AllocatedBytes / ((double)Operations * Key.ObjectCount) : null;

    /// <summary>Methods compiled over all runs.</summary>
    public long? JitMethods => JitMeasures.Methods.ValueOf(this);

    /// <summary>Time of compilation over all runs in ms.</summary>
    public double? JitMs => JitMeasures.Time.ValueOf(this);

    /// <summary>Exceptions thrown over all runs.</summary>
    public long? Exceptions => ExceptionMeasures.Thrown.ValueOf(this);

    /// <summary>Waits for managed locks over all runs.</summary>
    public long? Contentions => LockMeasures.Count.ValueOf(this);

    /// <summary>Time waited for managed locks over all runs in ms.</summary>
    public double? ContentionMs => LockMeasures.Time.ValueOf(this);

    /// <summary>CPU time of the process over all runs in ms.</summary>
    public double? CpuMs => CpuMeasures.Process.ValueOf(this);

    /// <summary>CPU samples over all runs.</summary>
    public RunSamples? Samples => SampleMeasures.Count.ValueOf(this) is { } count
        ? new RunSamples(count, SampleMeasures.Cpu.ValueOf(this)!.Value, SampleMeasures.KernelCount.ValueOf(this), SampleMeasures.BrokenCount.ValueOf(this)!.Value)
        : null;

    /// <summary>CPU time by cause over all runs.</summary>
    public CauseTimes? Causes => CauseTimes.Sum(_completed.Select(run => run.Causes));

    /// <summary>Size of one run's serialized data in bytes: the median over the runs, which is the size of each when they agree.</summary>
    public long? DataBytes => DataMeasures.Bytes.ValueOf(this);

    /// <summary>
    /// Groups runs into rows, sorted by operation, object count, payload and threads, then median (failed rows last). Rows that differ in their runtime only stand side
    /// by side, in the order of the recordings, at the place of the fastest of them.
    /// </summary>
    public static IReadOnlyList<SummaryRow> Group(IEnumerable<Run> runs)
    {
        // In the order in which they come: that of the recordings.
        var rows = runs.GroupBy(SummaryKey.Of).Select(group => new SummaryRow(group.Key, [.. group])).ToList();
        var fastest = rows.GroupBy(Compared).ToDictionary(group => group.Key, group => group.Min(row => row.WallMedianMs ?? double.MaxValue));
        var runtimes = rows.Select(row => row.Key.Runtime).Distinct().ToList();
        return
        [
            .. rows.OrderBy(row => row.Key.Operation, StringComparer.Ordinal).ThenBy(row => row.Key.ObjectCount).ThenBy(row => row.Key.PayloadBytes).ThenBy(row => row.Key.ThreadCount)
                .ThenBy(row => fastest[Compared(row)]).ThenBy(row => row.Key.Serializer, StringComparer.Ordinal).ThenBy(row => row.Key.Kind).ThenBy(row => runtimes.IndexOf(row.Key.Runtime)),
        ];

        static SummaryKey Compared(SummaryRow row) => row.Key with { Runtime = "" };
    }

    /// <summary>Runtime of the runs; empty when unknown.</summary>
    public string Runtime => AllRuns[0].Runtime;
}
