namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>How far stacks of CPU samples can be trusted.</summary>
/// <param name="Samples">Samples.</param>
/// <param name="Broken">Of them, those whose stack does not reach the begin of its thread.</param>
/// <param name="Expanded">Those with inlined methods on their stack.</param>
/// <param name="WithInlineTrees">Those of processes that say what was inlined: of the others nothing is known.</param>
/// <param name="Recovered">Those to whose stack callers were added that the recorded chain lacks.</param>
/// <param name="WithDumps">Those that carry registers and stack, without which no caller can be recovered.</param>
public readonly record struct StackQuality(long Samples, long Broken, long Expanded, long WithInlineTrees, long Recovered, long WithDumps)
{
    /// <summary>Share of broken stacks in %; null without samples.</summary>
    public double? BrokenPercent => Percent(Broken, Samples > 0);

    /// <summary>Share of samples with inlined methods in %; null when the trace does not say what was inlined.</summary>
    public double? ExpandedPercent => Percent(Expanded, WithInlineTrees > 0);

    /// <summary>Share of samples with recovered callers in %; null when samples carry no registers and stack.</summary>
    public double? RecoveredPercent => Percent(Recovered, WithDumps > 0);

    /// <summary>Both together.</summary>
    public static StackQuality operator +(StackQuality left, StackQuality right) => new(
        left.Samples + right.Samples, left.Broken + right.Broken, left.Expanded + right.Expanded, left.WithInlineTrees + right.WithInlineTrees, left.Recovered + right.Recovered, left.WithDumps + right.WithDumps);

    private double? Percent(long count, bool isKnown) => isKnown ? 100.0 * count / Samples : null;
}
