using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>CPU samples of one method in the runs of one row.</summary>
/// <param name="Runs">The table row of their runs.</param>
/// <param name="Name">Full name of the method, as in <c>esp-analyze cpu</c>: <c>System.Text.Json.JsonReader.Read</c>.</param>
/// <param name="Module">Its module.</param>
/// <param name="Samples">Exclusive samples.</param>
/// <param name="CpuMs">CPU time that the samples represent, in ms.</param>
/// <param name="InclusiveSamples">Inclusive samples.</param>
/// <param name="InclusiveCpuMs">CPU time that the inclusive samples represent, in ms.</param>
public sealed record MethodCost(
    SummaryKey Runs,
    string Name,
    string Module,
    long Samples,
    double CpuMs,
    long InclusiveSamples,
    double InclusiveCpuMs
)
{
    /// <summary>Kind of code.</summary>
    public required CodeKind Kind { get; init; }

    /// <summary>
    /// Tiers of the code that samples hit; empty for code without tiers. An inlined method has those of the code that contains it.
    /// </summary>
    public required IReadOnlyList<CodeTier> Tiers { get; init; }
}
