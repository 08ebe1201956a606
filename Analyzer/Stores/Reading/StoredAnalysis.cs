using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Stores.Tables;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Stores.Reading;

/// <summary>What a store has of a trace, as if the trace had been read.</summary>
/// <param name="Trace">The trace.</param>
/// <param name="Input">What was opened: recordings, environments and processes without sources.</param>
/// <param name="Result">Runs, rows and what is missing; its findings are those of the runs alone.</param>
public sealed record StoredAnalysis(StoredTrace Trace, TraceInput Input, AnalysisResult Result)
{
    /// <summary>All findings, of events, too, as they were found when the trace was read.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>What was not recorded, so that rules that need it said nothing.</summary>
    public IReadOnlyList<string> NotRecorded { get; init; } = [];

    /// <summary>Bytes allocated by row and type; null when they were not recorded, or not asked for.</summary>
    public IReadOnlyList<(SummaryKey Runs, string Type, double Bytes)>? Allocations { get; init; }

    /// <summary>Tables that the trace was not extracted into.</summary>
    public IReadOnlyList<string> NotStored { get; init; } = [];
}
