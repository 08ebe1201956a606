using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>Everything an output shows, whatever its format.</summary>
/// <param name="Kind">Which report: <c>table</c>, <c>runs</c> or <c>cpu</c>.</param>
/// <param name="Input">What was read.</param>
/// <param name="Result">What came out.</param>
/// <param name="Sections">Tables, in order.</param>
/// <param name="Closing">Lines behind the tables.</param>
public sealed record Report(string Kind, TraceInput Input, AnalysisResult Result, IReadOnlyList<Section> Sections, IReadOnlyList<string> Closing)
{
    /// <summary>Values that belong to no row, for programs: name and value; the object <c>summary</c> in JSON.</summary>
    public IReadOnlyList<(string Key, object? Value)> Summary { get; init; } = [];
}
