using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>CPU samples of the runs, and how far they can be trusted.</summary>
public sealed record CpuResult
{
    /// <summary>What was asked.</summary>
    public required CpuQuery Query { get; init; }

    /// <summary>Rows, most samples first; no more than <see cref="CpuQuery.Top"/>.</summary>
    public required IReadOnlyList<CpuRow> Rows { get; init; }

    /// <summary>Rows there are, or nodes of the call tree.</summary>
    public required int RowsTotal { get; init; }

    /// <summary>The call tree, callers before what they call; null unless it was asked for.</summary>
    public IReadOnlyList<CallTreeRow>? Tree { get; init; }

    /// <summary>Samples whose stack is deeper than a tree can be (<see cref="CallTreeQuery.Deepest"/>): what lies below counts as the last level's own.</summary>
    public long CutSamples { get; init; }

    /// <summary>Waits in the call tree, in ms; null when they were not asked for or no process has context switches with stacks.</summary>
    public double? WaitMs { get; init; }

    /// <summary>Waits that the tree leaves out, in ms: those for work to come; null as above.</summary>
    public double? IdleMs { get; init; }

    /// <summary>Processes whose samples these are.</summary>
    public required IReadOnlyList<string> Processes { get; init; }

    /// <summary>Runs that count.</summary>
    public required int Runs { get; init; }

    /// <summary>Samples in these runs.</summary>
    public required long Samples { get; init; }

    /// <summary>CPU time these samples stand for, in ms.</summary>
    public required double CpuMs { get; init; }

    /// <summary>Samples taken in kernel mode; null when the session was not permitted to sample the kernel.</summary>
    public required long? KernelSamples { get; init; }

    /// <summary>Samples whose leaf frame has a name.</summary>
    public required long NamedLeafs { get; init; }

    /// <summary>Samples whose leaf frame is managed code.</summary>
    public required long ManagedLeafs { get; init; }

    /// <summary>Of these, samples whose leaf frame has a name.</summary>
    public required long NamedManagedLeafs { get; init; }

    /// <summary>Of the managed leaf frames, those in stubs of the runtime that have a kind and no name.</summary>
    public required long StubLeafs { get; init; }

    /// <summary>Their share of the managed leaf frames, in %; null when there is none.</summary>
    public double? StubPercent => ManagedLeafs > 0 ? 100.0 * StubLeafs / ManagedLeafs : null;

    /// <summary>Of the managed leaf frames, those with a source line; null when lines were not asked for.</summary>
    public required long? LeafsWithLine { get; init; }

    /// <summary>Their share of the managed leaf frames, in %; null when there is none, or lines were not asked for.</summary>
    public double? LinePercent => ManagedLeafs > 0 ? 100.0 * LeafsWithLine / ManagedLeafs : null;

    /// <summary>Samples whose stack does not reach the begin of its thread (<see cref="ThreadStart"/>).</summary>
    public required long BrokenStacks { get; init; }

    /// <summary>Samples with methods on their stack that were inlined; null when the trace holds no inline trees.</summary>
    public required long? ExpandedStacks { get; init; }

    /// <summary>Frames of the samples that stand for their physical method alone, because several methods that were inlined there may have called what was called. Null as above.</summary>
    public required long? UnexpandedFrames { get; init; }

    /// <summary>Different methods that were inlined where the samples' stacks lie; null as above.</summary>
    public required int? InlinedMethods { get; init; }

    /// <summary>Of these, methods that have a name; the time of the others is their callers'. Null as above.</summary>
    public required int? NamedInlinedMethods { get; init; }

    /// <summary>Their share of the inlined methods, in %; null when there is none.</summary>
    public double? NamedInlinedPercent => InlinedMethods > 0 ? 100.0 * NamedInlinedMethods / InlinedMethods : null;

    /// <summary>Samples to whose stack callers were added that the recorded chain lacks; null when samples carry no registers and stack.</summary>
    public required long? RecoveredStacks { get; init; }

    /// <summary>Which instructions of source lines the samples hit; null when that was not asked for, or nothing was read.</summary>
    public InstructionCosts? Instructions { get; init; }

    /// <summary>Why symbols are missing, a sentence each.</summary>
    public required IReadOnlyList<string> SymbolProblems { get; init; }

    /// <summary>Share of a count in all samples, in %; null when there is no sample.</summary>
    public double? Percent(long? samples) => Samples > 0 ? 100.0 * samples / Samples : null;

    /// <summary>Share of the managed leaf frames that have a name, in %; null when there is none.</summary>
    public double? NamedManagedPercent => ManagedLeafs > 0 ? 100.0 * NamedManagedLeafs / ManagedLeafs : null;
}

/// <summary>CPU samples of a method, module, namespace or thread in the runs.</summary>
public sealed record CpuRow
{
    /// <summary>Runtime where the result has runs on several, empty where it has one.</summary>
    public string Runtime { get; init; } = "";

    /// <summary>Name of what the row stands for.</summary>
    public required string Name { get; init; }

    /// <summary>Its module; empty for a thread.</summary>
    public required string Module { get; init; }

    /// <summary>Its namespace; empty for a thread, a module, and code without one.</summary>
    public required string Namespace { get; init; }

    /// <summary>Kind of code; null for a thread.</summary>
    public required CodeKind? Kind { get; init; }

    /// <summary>Whether it is a method where it was inlined into its caller; the same method's own code is another row. False for rows of other kinds.</summary>
    public required bool IsInlined { get; init; }

    /// <summary>Source line of a row by lines; null where it is not known, and for rows of other kinds.</summary>
    public required SourceLine? Line { get; init; }

    /// <summary>Tiers of the code the samples hit, empty for code that has none.</summary>
    public required string Tiers { get; init; }

    /// <summary>Operating-system thread; null for other rows.</summary>
    public required long? ThreadId { get; init; }

    /// <summary>Samples that hit it.</summary>
    public required long Samples { get; init; }

    /// <summary>CPU time these samples stand for, in ms.</summary>
    public required double CpuMs { get; init; }

    /// <summary>Their share of all CPU time in the runs, in %.</summary>
    public required double Percent { get; init; }

    /// <summary>Samples that hit it or what it called.</summary>
    public required long InclusiveSamples { get; init; }

    /// <summary>CPU time these samples stand for, in ms.</summary>
    public required double InclusiveCpuMs { get; init; }

    /// <summary>Their share of all CPU time in the runs, in %.</summary>
    public required double InclusivePercent { get; init; }

    /// <summary>How many of the inclusive samples were taken in kernel mode; null when the session was not permitted to sample the kernel.</summary>
    public required long? KernelSamples { get; init; }

    /// <summary><see cref="InclusiveCpuMs"/> of a source line by cause; null for rows without a line.</summary>
    public CauseTimes? Causes { get; init; }
}

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

    /// <summary>Samples whose leaf frame has a line.</summary>
    public long LeafsWithLine { get; set; }

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
                .ThenBy(row => row.Key.Name, StringComparer.Ordinal).ThenBy(row => row.Key.Module, StringComparer.Ordinal).ThenBy(row => row.Key.Line?.File, StringComparer.Ordinal).ThenBy(row => row.Key.Line?.Line).ThenBy(row => row.Key.ThreadId).ThenBy(row => row.Key.Runtime, StringComparer.Ordinal)
                .Select(row => new CpuRow
                {
                    Runtime = row.Key.Runtime,
                    Name = row.Key.Name,
                    Module = row.Key.Module,
                    Namespace = row.Key.Namespace,
                    Kind = row.Key.Kind,
                    IsInlined = row.Key.IsInlined,
                    Line = row.Key.Line,
                    ThreadId = row.Key.ThreadId,
                    Tiers = Tiers(row.Value.Tiers),
                    Samples = row.Value.Samples,
                    CpuMs = row.Value.Ticks * 1e3 / ticksPerSecond,
                    Percent = 100.0 * row.Value.Ticks / all,
                    InclusiveSamples = row.Value.InclusiveSamples,
                    InclusiveCpuMs = row.Value.InclusiveTicks * 1e3 / ticksPerSecond,
                    InclusivePercent = 100.0 * row.Value.InclusiveTicks / all,
                    KernelSamples = hasKernel ? row.Value.KernelSamples : null,
                    Causes = row.Value.Causes,
                }),
        ];
    }

    private static string Tiers(int bits) => string.Join('+', Enum.GetValues<CodeTier>().Where(tier => tier != CodeTier.Unknown && (bits >> (int)tier & 1) != 0));
}
