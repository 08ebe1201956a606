using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Sums over all processes: the rows, and counts of all samples.</summary>
internal sealed class CpuTotals
{
    private readonly Dictionary<CpuRowKey, CpuTally> _rows = [];

    /// <summary>Number of the current stack.</summary>
    public long Stack { get; private set; }

    public long Samples { get; private set; }

    public long Ticks { get; private set; }

    public long KernelSamples { get; private set; }

    public long NamedLeafs { get; set; }

    public long ManagedLeafs { get; set; }

    public long NamedManagedLeafs { get; set; }

    public long StubLeafs { get; set; }

    public long BrokenStacks { get; set; }

    public long ExpandedStacks { get; set; }

    public long RecoveredStacks { get; set; }

    /// <summary>Samples with registers and stack.</summary>
    public long Dumps { get; private set; }

    /// <summary>Begins the next sample.</summary>
    public void Begin(in CpuSample sample)
    {
        Stack++;
        Samples++;
        Ticks += sample.CpuTicks;
        if (sample.IsKernel)
            KernelSamples++;
        if (sample.Dump.IsRecorded)
            Dumps++;
    }

    /// <summary>The sums of a row; asked for once a symbol or thread.</summary>
    public CpuTally Row(CpuRowKey key)
    {
        if (!_rows.TryGetValue(key, out var tally))
            _rows.Add(key, tally = new CpuTally());
        return tally;
    }

    /// <summary>Rows in order; equal ones by name.</summary>
    /// <param name="byInclusive">Orders by inclusive time.</param>
    /// <param name="hasKernel">Whether samples in kernel mode were recorded.</param>
    /// <param name="ticksPerSecond">Ticks of the clock in one second.</param>
    public List<CpuRow> Rows(bool byInclusive, bool hasKernel, long ticksPerSecond)
    {
        var all = Math.Max(Ticks, 1);
        return
        [
            .. _rows.Where(row => row.Value.InclusiveSamples > 0)
                .OrderByDescending(row => byInclusive ? row.Value.InclusiveTicks : row.Value.Ticks)
                .ThenByDescending(row => byInclusive ? row.Value.Ticks : row.Value.InclusiveTicks)
                .ThenBy(row => row.Key.Name, StringComparer.Ordinal).ThenBy(row => row.Key.Module, StringComparer.Ordinal).ThenBy(row => row.Key.ThreadId).ThenBy(row => row.Key.Runtime, StringComparer.Ordinal)
                .Select(row => new CpuRow
                {
                    Runtime = row.Key.Runtime,
                    Name = row.Key.Name,
                    Module = row.Key.Module,
                    Namespace = row.Key.Namespace,
                    Kind = row.Key.Kind,
                    IsInlined = row.Key.IsInlined,
                    ThreadId = row.Key.ThreadId,
                    Tiers = Tiers(row.Value.Tiers),
                    Samples = row.Value.Samples,
                    CpuMs = row.Value.Ticks * 1e3 / ticksPerSecond,
                    Percent = 100.0 * row.Value.Ticks / all,
                    InclusiveSamples = row.Value.InclusiveSamples,
                    InclusiveCpuMs = row.Value.InclusiveTicks * 1e3 / ticksPerSecond,
                    InclusivePercent = 100.0 * row.Value.InclusiveTicks / all,
                    KernelSamples = hasKernel ? row.Value.KernelSamples : null,
                }),
        ];
    }

    private static string Tiers(int bits) => string.Join('+', Enum.GetValues<CodeTier>().Where(tier => tier != CodeTier.Unknown && (bits >> (int)tier & 1) != 0));
}
