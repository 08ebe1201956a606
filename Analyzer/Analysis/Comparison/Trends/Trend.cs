using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Comparison.Trends;

/// <summary>One row over several recordings, in the order of time.</summary>
/// <param name="Key">The row.</param>
/// <param name="Metric">The measure.</param>
/// <param name="Points">The recordings that have the row.</param>
public sealed record Trend(SummaryKey Key, Metric Metric, IReadOnlyList<TrendPoint> Points);

/// <summary>One recording of a row over time.</summary>
/// <param name="Recording">The recording.</param>
/// <param name="StartedUtc">When it began, UTC; null of bare files.</param>
/// <param name="Runs">Runs that count.</param>
/// <param name="Disturbed">Runs left out because something else had the machine.</param>
/// <param name="Values">The measure of each run, in ms or bytes; empty when it was not recorded or no run counts.</param>
/// <param name="Median">Their median; null without values.</param>
/// <param name="Change">The change that begins here; null where none does.</param>
public sealed record TrendPoint(ComparedRecording Recording, DateTime? StartedUtc, int Runs, int Disturbed, IReadOnlyList<double> Values, double? Median, TrendChange? Change);

/// <summary>A change between two stretches of recordings.</summary>
/// <param name="Shift">Mean of the logarithms of the recordings' medians behind it, minus that before it.</param>
/// <param name="PValue">How likely one as large is somewhere in recordings that differ by their noise only.</param>
public readonly record struct TrendChange(double Shift, double PValue)
{
    /// <summary>The change as a share of what was before.</summary>
    public double Relative => Math.Exp(Shift) - 1;
}
