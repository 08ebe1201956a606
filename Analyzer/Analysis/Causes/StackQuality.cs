namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>Quality of the stacks of CPU samples.</summary>
/// <param name="Samples">Number of samples.</param>
/// <param name="Broken">Samples whose stack does not reach the start of its thread.</param>
/// <param name="Expanded">Samples with inlined methods on their stack.</param>
/// <param name="WithInlineTrees">Samples of processes that recorded inlining; it is unknown for the others.</param>
/// <param name="Recovered">Samples with added callers that the recorded chain lacks.</param>
/// <param name="WithDumps">Samples with registers and stack memory, which recovery of callers needs.</param>
public readonly record struct StackQuality(long Samples, long Broken, long Expanded, long WithInlineTrees, long Recovered, long WithDumps)
{
    /// <summary>Share of broken stacks in %; null without samples.</summary>
    public double? BrokenPercent => Percent(Broken, Samples > 0);

    /// <summary>Share of samples with inlined methods in %; null when the trace does not record inlining.</summary>
    public double? ExpandedPercent => Percent(Expanded, WithInlineTrees > 0);

    /// <summary>Share of samples with recovered callers in %; null when samples have no registers and stack memory.</summary>
    public double? RecoveredPercent => Percent(Recovered, WithDumps > 0);

    /// <summary>Adds two counts.</summary>
    public static StackQuality operator +(StackQuality left, StackQuality right) =>
        new(
            left.Samples + right.Samples,
            left.Broken + right.Broken,
            left.Expanded + right.Expanded,
            left.WithInlineTrees + right.WithInlineTrees,
            left.Recovered + right.Recovered,
            left.WithDumps + right.WithDumps
        );

    private double? Percent(long count, bool isKnown) => isKnown ? 100.0 * count / Samples : null;
}
