using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>CPU samples of the runs, and their quality.</summary>
public sealed record CpuResult
{
    /// <summary>The query.</summary>
    public required CpuQuery Query { get; init; }

    /// <summary>Rows, most samples first, at most <see cref="CpuQuery.Top"/>.</summary>
    public required IReadOnlyList<CpuRow> Rows { get; init; }

    /// <summary>Total number of rows, or of nodes of the call tree.</summary>
    public required int RowsTotal { get; init; }

    /// <summary>The call tree, callers before callees; null unless requested.</summary>
    public IReadOnlyList<CallTreeRow>? Tree { get; init; }

    /// <summary>
    /// Number of samples with stacks deeper than a tree can be (<see cref="CallTreeQuery.Deepest"/>); deeper frames count as the last
    /// level's own.
    /// </summary>
    public long CutSamples { get; init; }

    /// <summary>Waits in the call tree, in ms; null when not requested, or when no process has context switches with stacks.</summary>
    public double? WaitMs { get; init; }

    /// <summary>Idle waits for work, which the tree omits, in ms; null under the same conditions.</summary>
    public double? IdleMs { get; init; }

    /// <summary>
    /// CPU time of platform code that counts for the user's own method which called it, in ms; null unless frames are folded.
    /// </summary>
    public double? FoldedMs { get; init; }

    /// <summary>CPU time of stacks without the user's own code, in ms; null unless frames are folded.</summary>
    public double? MsWithoutMine { get; init; }

    /// <summary>Processes of these samples.</summary>
    public required IReadOnlyList<string> Processes { get; init; }

    /// <summary>Number of counted runs.</summary>
    public required int Runs { get; init; }

    /// <summary>Number of samples in these runs.</summary>
    public required long Samples { get; init; }

    /// <summary>CPU time that these samples represent, in ms.</summary>
    public required double CpuMs { get; init; }

    /// <summary>Number of samples in kernel mode; null when the session could not sample the kernel.</summary>
    public required long? KernelSamples { get; init; }

    /// <summary>Number of samples whose leaf frame has a name.</summary>
    public required long NamedLeaves { get; init; }

    /// <summary>Number of samples whose leaf frame is managed code.</summary>
    public required long ManagedLeaves { get; init; }

    /// <summary>Number of managed leaf frames with a name.</summary>
    public required long NamedManagedLeaves { get; init; }

    /// <summary>Number of managed leaf frames in stubs of the runtime, which have a kind but no name.</summary>
    public required long StubLeaves { get; init; }

    /// <summary>Share of stubs among managed leaf frames, in %; null when there are no managed leaf frames.</summary>
    public double? StubPercent => ManagedLeaves > 0 ? 100.0 * StubLeaves / ManagedLeaves : null;

    /// <summary>Number of managed leaf frames with a source line; null when lines were not requested.</summary>
    public required long? LeavesWithLine { get; init; }

    /// <summary>
    /// Share of managed leaf frames with a source line, in %; null when there are no managed leaf frames, or lines were not requested.
    /// </summary>
    public double? LinePercent => ManagedLeaves > 0 ? 100.0 * LeavesWithLine / ManagedLeaves : null;

    /// <summary>Number of samples whose stack does not reach the start of its thread (<see cref="ThreadStart"/>).</summary>
    public required long BrokenStacks { get; init; }

    /// <summary>Number of samples with inlined methods on their stack; null when the trace has no inline trees.</summary>
    public required long? ExpandedStacks { get; init; }

    /// <summary>
    /// Number of frames that represent only their physical method, because several methods inlined there may be the caller. Null like
    /// <see cref="ExpandedStacks"/>.
    /// </summary>
    public required long? UnexpandedFrames { get; init; }

    /// <summary>Number of distinct inlined methods on the stacks; null like <see cref="ExpandedStacks"/>.</summary>
    public required int? InlinedMethods { get; init; }

    /// <summary>
    /// Number of inlined methods with a name; time of the others counts for their callers. Null like <see cref="ExpandedStacks"/>.
    /// </summary>
    public required int? NamedInlinedMethods { get; init; }

    /// <summary>Share of named methods among the inlined ones, in %; null when there are no inlined methods.</summary>
    public double? NamedInlinedPercent => InlinedMethods > 0 ? 100.0 * NamedInlinedMethods / InlinedMethods : null;

    /// <summary>
    /// Number of samples with added callers that the recorded chain lacks; null when samples have no registers and stack memory.
    /// </summary>
    public required long? RecoveredStacks { get; init; }

    /// <summary>Costs of the instructions of source lines; null when not requested, or when nothing was read.</summary>
    public InstructionCosts? Instructions { get; init; }

    /// <summary>Reasons for missing symbols, one sentence each.</summary>
    public required IReadOnlyList<string> SymbolProblems { get; init; }

    /// <summary>Share of a count in all samples, in %; null without samples.</summary>
    public double? Percent(long? samples) => Samples > 0 ? 100.0 * samples / Samples : null;

    /// <summary>Share of named frames among the managed leaf frames, in %; null when there are no managed leaf frames.</summary>
    public double? NamedManagedPercent => ManagedLeaves > 0 ? 100.0 * NamedManagedLeaves / ManagedLeaves : null;
}

/// <summary>CPU samples of a method, line, module, namespace, thread or tag in the runs.</summary>
public sealed record CpuRow
{
    /// <summary>Runtime; empty when the result has only one.</summary>
    public string Runtime { get; init; } = "";

    /// <summary>Name of the row's item.</summary>
    public required string Name { get; init; }

    /// <summary>Its module; empty for a thread.</summary>
    public required string Module { get; init; }

    /// <summary>Its namespace; empty for a thread, a module, and code without one.</summary>
    public required string Namespace { get; init; }

    /// <summary>Kind of code; null for a thread.</summary>
    public required CodeKind? Kind { get; init; }

    /// <summary>
    /// Whether it is a method inlined into its caller; the method's own code is another row. False for rows of other kinds.
    /// </summary>
    public required bool IsInlined { get; init; }

    /// <summary>Source line of a row by line; null when unknown, and for rows of other kinds.</summary>
    public required SourceLine? Line { get; init; }

    /// <summary>Tiers of the code that samples hit; empty for code without tiers.</summary>
    public required string Tiers { get; init; }

    /// <summary>Operating-system thread; null for other rows.</summary>
    public required long? ThreadId { get; init; }

    /// <summary>Exclusive samples.</summary>
    public required long Samples { get; init; }

    /// <summary>CPU time that these samples represent, in ms.</summary>
    public required double CpuMs { get; init; }

    /// <summary>Share of all CPU time in the runs, in %.</summary>
    public required double Percent { get; init; }

    /// <summary>Inclusive samples.</summary>
    public required long InclusiveSamples { get; init; }

    /// <summary>CPU time that these samples represent, in ms.</summary>
    public required double InclusiveCpuMs { get; init; }

    /// <summary>Share of all CPU time in the runs, in %.</summary>
    public required double InclusivePercent { get; init; }

    /// <summary>Number of inclusive samples in kernel mode; null when the session could not sample the kernel.</summary>
    public required long? KernelSamples { get; init; }

    /// <summary><see cref="InclusiveCpuMs"/> of a source line by cause; null for rows without a line.</summary>
    public CauseTimes? Causes { get; init; }
}

/// <summary>Sums over all processes: rows, and counts of all samples.</summary>
internal sealed class CpuTotals
{
    private readonly Dictionary<CpuRowKey, CpuTally> _rows = [];

    /// <summary>Number of the current stack.</summary>
    public long Stack { get; private set; }

    public long Samples { get; private set; }

    public long Ticks { get; private set; }

    public long KernelSamples { get; private set; }

    public long NamedLeaves { get; set; }

    public long ManagedLeaves { get; set; }

    public long NamedManagedLeaves { get; set; }

    public long StubLeaves { get; set; }

    public long BrokenStacks { get; set; }

    public long ExpandedStacks { get; set; }

    public long RecoveredStacks { get; set; }

    /// <summary>Number of samples whose leaf frame has a line.</summary>
    public long LeavesWithLine { get; set; }

    /// <summary>CPU time of platform code that counts for the user's own method which called it, in ticks.</summary>
    public long FoldedTicks { get; set; }

    /// <summary>CPU time of stacks without the user's own code, in ticks.</summary>
    public long TicksWithoutMine { get; set; }

    /// <summary>Number of samples with registers and stack memory.</summary>
    public long Dumps { get; private set; }

    /// <summary>Starts the next sample.</summary>
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

    /// <summary>The sums of a row; requested once per symbol or thread.</summary>
    public CpuTally Row(CpuRowKey key)
    {
        if (!_rows.TryGetValue(key, out var tally))
            _rows.Add(key, tally = new CpuTally());
        return tally;
    }

    /// <summary>Rows in order, equal ones by name.</summary>
    /// <param name="byInclusive">Orders by inclusive time.</param>
    /// <param name="hasKernel">Whether samples in kernel mode were recorded.</param>
    /// <param name="ticksPerSecond">Ticks of the clock in one second.</param>
    public List<CpuRow> Rows(bool byInclusive, bool hasKernel, long ticksPerSecond)
    {
        var all = Math.Max(Ticks, 1);
        return
        [
            .. _rows
                .Where(row => row.Value.InclusiveSamples > 0)
                .OrderByDescending(row => byInclusive ? row.Value.InclusiveTicks : row.Value.Ticks)
                .ThenByDescending(row => byInclusive ? row.Value.Ticks : row.Value.InclusiveTicks)
                .ThenBy(row => row.Key.Name, StringComparer.Ordinal)
                .ThenBy(row => row.Key.Module, StringComparer.Ordinal)
                .ThenBy(row => row.Key.Line?.File, StringComparer.Ordinal)
                .ThenBy(row => row.Key.Line?.Line)
                .ThenBy(row => row.Key.ThreadId)
                .ThenBy(row => row.Key.Runtime, StringComparer.Ordinal)
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

    private static string Tiers(int bits) =>
        string.Join('+', Enum.GetValues<CodeTier>().Where(tier => tier != CodeTier.Unknown && (bits >> (int)tier & 1) != 0));
}
