using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>
/// CPU time of a run, or of a source line, by cause, from its samples. In ticks, so that the parts add up exactly: <see cref="Total"/> = <see cref="Serializer"/> + <see cref="Outside"/>,
/// <see cref="Serializer"/> = <see cref="Own"/> + all <see cref="Causes"/>.
/// </summary>
public sealed class CauseTimes
{
    /// <summary>Ticks of the trace's clock in one second.</summary>
    public required long TicksPerSecond { get; init; }

    /// <summary>Below the serializer's entry frame, without a cause: its own code.</summary>
    public long Own { get; internal set; }

    /// <summary>Below the serializer's entry frame, by cause in the order of <see cref="CauseCatalog.All"/>.</summary>
    public long[] Causes { get; } = new long[CauseCatalog.All.Count];

    /// <summary>Of <see cref="Serializer"/>, what was done when a graph was touched that the serializer reads lazily.</summary>
    internal long LazyReads { get; set; }

    /// <summary>Measuring thread, outside the serializer's entry frame: the benchmark's own work.</summary>
    public long Harness { get; internal set; }

    /// <summary>Measuring thread, where the stack ends before an entry frame could be on it.</summary>
    public long Broken { get; internal set; }

    /// <summary>Threads of the garbage collector.</summary>
    public long CollectorThreads { get; internal set; }

    /// <summary>Threads of the JIT compiler.</summary>
    public long CompilerThreads { get; internal set; }

    /// <summary>Other threads of the process.</summary>
    public long OtherThreads { get; internal set; }

    /// <summary>All other processes of the machine, meanwhile: no part of <see cref="Total"/>. Null when the machine was not recorded.</summary>
    public long? OtherProcesses { get; internal set; }

    /// <summary>Whether the serializer's entry frame is known. If not, all that the measuring thread did counts as the serializer's.</summary>
    public bool HasEntry { get; internal set; }

    /// <summary>Samples below the serializer's entry frame.</summary>
    public long Samples { get; internal set; }

    /// <summary>
    /// The time below the entry frame by method: that with which the cause begins (<c>FieldInfo.SetValue</c>), of own code that in which it was spent. The values add up to
    /// <see cref="Serializer"/>. Null unless it was asked for.
    /// </summary>
    public IReadOnlyDictionary<CauseMethod, long>? Methods { get; internal set; }

    /// <summary>The same by number of the symbol, until the last sample was read.</summary>
    internal Dictionary<(int Cause, int Symbol), long>? Symbols { get; set; }

    /// <summary>How far the stacks of all samples of the process can be trusted.</summary>
    public StackQuality Quality { get; internal set; }

    /// <summary>Below the serializer's entry frame.</summary>
    public long Serializer => Own + Causes.Sum();

    /// <summary>The process's CPU time outside the serializer.</summary>
    public long Outside => Harness + Broken + CollectorThreads + CompilerThreads + OtherThreads;

    /// <summary>All CPU time of the process.</summary>
    public long Total => Serializer + Outside;

    /// <summary>Time of the causes of a group.</summary>
    public long Group(string name)
    {
        long sum = 0;
        for (var cause = 0; cause < Causes.Length; cause++)
            sum += CauseCatalog.All[cause].Group == name ? Causes[cause] : 0;
        return sum;
    }

    /// <summary>A part in ms.</summary>
    public double ToMilliseconds(long ticks) => ticks * 1e3 / TicksPerSecond;

    /// <summary>The times of several runs together; null when one of them has none, or there is none.</summary>
    public static CauseTimes? Sum(IEnumerable<CauseTimes?> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        CauseTimes? sum = null;
        foreach (var run in runs)
        {
            if (run is null)
                return null;
            sum ??= new CauseTimes { TicksPerSecond = run.TicksPerSecond, HasEntry = true, OtherProcesses = 0 };
            sum.Add(run);
        }

        return sum;
    }

    /// <summary>Adds a sample below the entry frame, or below a line.</summary>
    /// <param name="cause">Its cause, -1 for none.</param>
    /// <param name="ticks">The time it stands for.</param>
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
        CollectorThreads += other.CollectorThreads;
        CompilerThreads += other.CompilerThreads;
        OtherThreads += other.OtherThreads;
        OtherProcesses += other.OtherProcesses;
        HasEntry &= other.HasEntry;
        Samples += other.Samples;
        Quality += other.Quality;
    }
}

/// <summary>A method with which a cause begins on a run's stacks, or, of a serializer's own code, in which the time was spent.</summary>
/// <param name="Cause">Number of the cause in <see cref="CauseCatalog.All"/>; -1 for own code.</param>
/// <param name="Method">The method.</param>
public readonly record struct CauseMethod(int Cause, MethodName Method);
