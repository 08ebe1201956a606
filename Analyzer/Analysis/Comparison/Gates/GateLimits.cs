namespace EtwSerializerProfiler.Analysis.Comparison.Gates;

/// <summary>How much worse the compared side may be.</summary>
/// <param name="Metrics">Measures that are gated.</param>
/// <param name="MaxSlowdown">Largest share by which time may grow; parts of time by so much of the wall time.</param>
/// <param name="MaxAllocation">Largest share by which allocation may grow.</param>
public sealed record GateLimits(IReadOnlyList<Metric> Metrics, double MaxSlowdown, double MaxAllocation)
{
    /// <summary>The limit of a measure.</summary>
    public double Of(Metric metric)
    {
        ArgumentNullException.ThrowIfNull(metric);
        return metric.Kind == MetricKind.Bytes ? MaxAllocation : MaxSlowdown;
    }
}
