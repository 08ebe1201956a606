using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>What two sides allocated of one type, in bytes a run, by the trace's events.</summary>
/// <param name="Key">The pair.</param>
/// <param name="Type">Name of the type.</param>
/// <param name="Baseline">Bytes of the first side.</param>
/// <param name="Other">Bytes of the other side.</param>
public sealed record AllocationDiffRow(SummaryKey Key, string Type, double Baseline, double Other)
{
    /// <summary>The other side minus the first.</summary>
    public double Difference => Other - Baseline;
}
