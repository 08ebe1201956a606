using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>
/// CPU time of a run, or of a source line, by cause, from its samples. Values are in ticks, so that the parts add up exactly:
/// <see cref="Total"/> = <see cref="Serializer"/> + <see cref="Outside"/>, <see cref="Serializer"/> = <see cref="Own"/> + all
/// <see cref="Causes"/>.
/// </summary>
public sealed class CauseTimes
{
    /// <summary>Ticks of the trace's clock in one second.</summary>
    public required long TicksPerSecond { get; init; }

    /// <summary>Time below the serializer's entry frame without a cause: its own code.</summary>
    public long Own { get; internal set; }

    /// <summary>Time below the serializer's entry frame, by cause in the order of <see cref="CauseCatalog.All"/>.</summary>
    public long[] Causes { get; } = new long[CauseCatalog.All.Count];

    /// <summary>Part of <see cref="Serializer"/>: reading that a lazy serializer did when the graph was touched.</summary>
    internal long LazyReads { get; set; }

    /// <summary>Time of the measuring thread outside the serializer's entry frame: the benchmark's own work.</summary>
    public long Harness { get; internal set; }

    /// <summary>Time of the measuring thread on stacks that end before a possible entry frame.</summary>
    public long Broken { get; internal set; }

    /// <summary>Time of GC threads.</summary>
    public long GcThreads { get; internal set; }

    /// <summary>Time of JIT compiler threads.</summary>
    public long JitThreads { get; internal set; }

    /// <summary>Time of other threads of the process.</summary>
    public long OtherThreads { get; internal set; }

    /// <summary>
    /// Time of all other processes of the machine during the run, not part of <see cref="Total"/>. Null when the machine was not recorded.
    /// </summary>
    public long? OtherProcesses { get; internal set; }

    /// <summary>
    /// Whether the serializer's entry frame is known. If not, all time of the measuring thread counts as the serializer's.
    /// </summary>
    public bool HasEntry { get; internal set; }

    /// <summary>Number of samples below the serializer's entry frame.</summary>
    public long Samples { get; internal set; }

    /// <summary>
    /// Time below the entry frame by method: the method at which the cause begins (<c>FieldInfo.SetValue</c>), or for own code the leaf
    /// method. The values add up to <see cref="Serializer"/>. Null unless requested.
    /// </summary>
    public IReadOnlyDictionary<CauseMethod, long>? Methods { get; internal set; }

    /// <summary><see cref="Methods"/> by symbol index, until the last sample is read; null afterwards.</summary>
    internal Dictionary<(int Cause, int Symbol), long>? Symbols { get; set; }

    /// <summary>Quality of the stacks of all samples of the process.</summary>
    public StackQuality Quality { get; internal set; }

    /// <summary>CPU time below the serializer's entry frame.</summary>
    public long Serializer => Own + Causes.Sum();

    /// <summary>CPU time of the process outside the serializer.</summary>
    public long Outside => Harness + Broken + GcThreads + JitThreads + OtherThreads;

    /// <summary>Total CPU time of the process.</summary>
    public long Total => Serializer + Outside;

    /// <summary>Time of a group of causes, in ticks; 0 for an unknown name.</summary>
    public long Group(string name)
    {
        long sum = 0;
        for (var cause = 0; cause < Causes.Length; cause++)
            sum += CauseCatalog.All[cause].Group == name ? Causes[cause] : 0;
        return sum;
    }

    /// <summary>Converts a part to ms.</summary>
    public double ToMilliseconds(long ticks) => ticks * 1e3 / TicksPerSecond;

    /// <summary>
    /// Sums the times of several runs, without <see cref="Methods"/> and <see cref="LazyReads"/>. Null when a run has none, or when there are
    /// no runs.
    /// </summary>
    public static CauseTimes? Sum(IEnumerable<CauseTimes?> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        CauseTimes? sum = null;
        foreach (var run in runs)
        {
            if (run is null)
                return null;
            sum ??= new CauseTimes
            {
                TicksPerSecond = run.TicksPerSecond,
                HasEntry = true,
                OtherProcesses = 0,
            };
            sum.Add(run);
        }

        return sum;
    }

    /// <summary>Adds a sample below the entry frame, or below a line.</summary>
    /// <param name="cause">Index in <see cref="CauseCatalog.All"/>; -1 for none.</param>
    /// <param name="ticks">The time that it represents, in ticks.</param>
    public void Add(int cause, long ticks)
    {
        Samples++;
        if (cause == CauseFrames.None)
            Own += ticks;
        else
            Causes[cause] += ticks;
    }

    private void Add(CauseTimes other)
    {
        Own += other.Own;
        for (var cause = 0; cause < Causes.Length; cause++)
            Causes[cause] += other.Causes[cause];
        Harness += other.Harness;
        Broken += other.Broken;
        GcThreads += other.GcThreads;
        JitThreads += other.JitThreads;
        OtherThreads += other.OtherThreads;
        OtherProcesses += other.OtherProcesses;
        HasEntry &= other.HasEntry;
        Samples += other.Samples;
        Quality += other.Quality;
    }
}

/// <summary>A method at which a cause begins on a run's stacks, or a leaf method of a serializer's own code.</summary>
/// <param name="Cause">Index of the cause in <see cref="CauseCatalog.All"/>; -1 for own code.</param>
/// <param name="Method">The method.</param>
public readonly record struct CauseMethod(int Cause, MethodName Method);
