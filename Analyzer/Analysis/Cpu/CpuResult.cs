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

    /// <summary>Why symbols are missing, a sentence each.</summary>
    public required IReadOnlyList<string> SymbolProblems { get; init; }

    /// <summary>Share of a count in all samples, in %; null when there is no sample.</summary>
    public double? Percent(long? samples) => Samples > 0 ? 100.0 * samples / Samples : null;

    /// <summary>Share of the managed leaf frames that have a name, in %; null when there is none.</summary>
    public double? NamedManagedPercent => ManagedLeafs > 0 ? 100.0 * NamedManagedLeafs / ManagedLeafs : null;
}
