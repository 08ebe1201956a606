using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Stores.Tables;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Stores.Reading;

/// <summary>A stored trace in the form of a trace that was read.</summary>
/// <param name="Trace">The trace.</param>
/// <param name="Input">The input: recordings, environments and processes without sources.</param>
/// <param name="Result">Runs, rows and losses; its findings are only those of the runs.</param>
public sealed record StoredAnalysis(StoredTrace Trace, TraceInput Input, AnalysisResult Result)
{
    /// <summary>All findings at the time of the extraction, including those of events.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>What was not recorded, so that the rules that need it could not apply.</summary>
    public IReadOnlyList<string> NotRecorded { get; init; } = [];

    /// <summary>Bytes allocated by row and type; null when not recorded or not requested.</summary>
    public IReadOnlyList<(SummaryKey Runs, string Type, double Bytes)>? Allocations { get; init; }

    /// <summary>Tables that were not extracted.</summary>
    public IReadOnlyList<string> NotStored { get; init; } = [];
}
