using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Comparison.Trends;

/// <summary>A row over several recordings, in time order.</summary>
/// <param name="Key">The row.</param>
/// <param name="Metric">The measure.</param>
/// <param name="Points">The recordings with the row.</param>
public sealed record Trend(SummaryKey Key, Metric Metric, IReadOnlyList<TrendPoint> Points);

/// <summary>A recording of a trend.</summary>
/// <param name="Recording">The recording.</param>
/// <param name="StartedUtc">Start of the recording, UTC; null for bare files.</param>
/// <param name="Runs">Number of counted runs.</param>
/// <param name="Disturbed">Number of excluded disturbed runs.</param>
/// <param name="Values">The measure of each run, in ms or bytes; empty when not recorded, or when no run counts.</param>
/// <param name="Median">Their median; null without values.</param>
/// <param name="Change">The change that begins here, or null.</param>
public sealed record TrendPoint(
    ComparedRecording Recording,
    DateTime? StartedUtc,
    int Runs,
    int Disturbed,
    IReadOnlyList<double> Values,
    double? Median,
    TrendChange? Change
);

/// <summary>A change between two groups of consecutive recordings.</summary>
/// <param name="Shift">Mean of the logarithms of the medians after it, minus that before it.</param>
/// <param name="PValue">Probability of a change this large anywhere in recordings that differ only by noise.</param>
public readonly record struct TrendChange(double Shift, double PValue)
{
    /// <summary>The change relative to the value before.</summary>
    public double Relative => Math.Exp(Shift) - 1;
}
