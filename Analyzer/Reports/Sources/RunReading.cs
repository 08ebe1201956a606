using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.FirstCalls;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Requests;
using EtwSerializerProfiler.Analysis.Timelines;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Reports.Sources;

/// <summary>What a report needs from a source besides the runs.</summary>
[Flags]
public enum RunParts
{
    /// <summary>Only the runs.</summary>
    None = 0,

    /// <summary>CPU samples; required.</summary>
    Samples = 1,

    /// <summary>Findings of the rules on all events.</summary>
    Findings = 2,

    /// <summary>Also findings on a Windows trace as a whole: its clock, its buffers.</summary>
    Contents = 4,

    /// <summary>Stacks of the CPU samples.</summary>
    Stacks = 8,

    /// <summary>Stacks, for flame graphs, and the timeline.</summary>
    Pictures = 16 | Stacks,
}

/// <summary>Runs for a report.</summary>
/// <param name="Input">The trace input.</param>
/// <param name="Result">Runs, rows and findings.</param>
public sealed record RunReading(TraceInput Input, AnalysisResult Result)
{
    /// <summary>
    /// Reasons for missing symbols, one sentence each; only with <see cref="RunParts.Samples"/>, because they are findings otherwise.
    /// </summary>
    public IReadOnlyList<string> SymbolProblems { get; init; } = [];

    /// <summary>What was not recorded, so that rules that need it did not apply.</summary>
    public IReadOnlyList<string> NotRecorded { get; init; } = [];

    /// <summary>Details of first calls; null when unknown.</summary>
    public FirstCallResult? FirstCalls { get; init; }

    /// <summary>Allocations by type; null when not requested or not recorded.</summary>
    public AllocationResult? Allocations { get; init; }

    /// <summary>Allocations by the program's own method that leads to them.</summary>
    public AllocationResult? AllocationsByOwn { get; init; }

    /// <summary>Stacks; null when not requested, or when the source has none.</summary>
    public FlameReading? Flames { get; init; }

    /// <summary>Files with symbols and source lines; null when <see cref="Flames"/> is.</summary>
    public SymbolFiles? Files { get; init; }

    /// <summary>The timeline; null when <see cref="Flames"/> is.</summary>
    public TimelineReading? Timeline { get; init; }

    /// <summary>Waits of programs without marks; null when there are none, or when not recorded or not requested.</summary>
    public WaitResult? Waits { get; init; }

    /// <summary>HTTP requests of programs without marks; null under the same conditions as <see cref="Waits"/>.</summary>
    public RequestResult? Requests { get; init; }

    /// <summary>Notes on what the source lacks, one line each, for the end of the report.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
