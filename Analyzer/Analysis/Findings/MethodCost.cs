using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>CPU samples of one method in the runs of one row.</summary>
/// <param name="Runs">The table's row whose runs they lie in.</param>
/// <param name="Name">Full name of the method: <c>System.Text.Json.JsonReader.Read</c>; as in <c>esp-analyze cpu</c>.</param>
/// <param name="Module">Its module.</param>
/// <param name="Samples">Samples that hit it.</param>
/// <param name="CpuMs">CPU time these stand for, in ms.</param>
/// <param name="InclusiveSamples">Samples that hit it or what it called.</param>
/// <param name="InclusiveCpuMs">CPU time these stand for, in ms.</param>
public sealed record MethodCost(SummaryKey Runs, string Name, string Module, long Samples, double CpuMs, long InclusiveSamples, double InclusiveCpuMs)
{
    /// <summary>Kind of code.</summary>
    public required CodeKind Kind { get; init; }

    /// <summary>How its code was made, where the samples that hit it lie; empty for code that has no tiers. A method that was inlined has those of the code it became part of.</summary>
    public required IReadOnlyList<CodeTier> Tiers { get; init; }
}
