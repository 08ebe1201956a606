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

/// <summary>What a report wants of a source beside the runs.</summary>
[Flags]
public enum RunParts
{
    /// <summary>The runs alone.</summary>
    None = 0,

    /// <summary>CPU samples must be there.</summary>
    Samples = 1,

    /// <summary>What the rules find in all events.</summary>
    Findings = 2,

    /// <summary>Also what they find in a Windows trace as a whole: its clock, its buffers.</summary>
    Contents = 4,

    /// <summary>Stacks of the CPU samples.</summary>
    Stacks = 8,

    /// <summary>Stacks, for flame graphs, and the timeline.</summary>
    Pictures = 16 | Stacks,
}

/// <summary>Runs as a report shows them.</summary>
/// <param name="Input">What was opened.</param>
/// <param name="Result">Runs, rows and findings.</param>
public sealed record RunReading(TraceInput Input, AnalysisResult Result)
{
    /// <summary>Why symbols are missing, a sentence each; with <see cref="RunParts.Samples"/> only, for they are findings otherwise.</summary>
    public IReadOnlyList<string> SymbolProblems { get; init; } = [];

    /// <summary>What was not recorded, so that rules that need it said nothing.</summary>
    public IReadOnlyList<string> NotRecorded { get; init; } = [];

    /// <summary>What first calls are made of; null when that is not known.</summary>
    public FirstCallResult? FirstCalls { get; init; }

    /// <summary>Allocations by type; null when they were not wanted or not recorded.</summary>
    public AllocationResult? Allocations { get; init; }

    /// <summary>The same by the program's own method that leads to them.</summary>
    public AllocationResult? AllocationsByOwn { get; init; }

    /// <summary>Stacks; null when they were not wanted, or the source has none.</summary>
    public FlameReading? Flames { get; init; }

    /// <summary>Files of the symbols, which have source lines; null as <see cref="Flames"/>.</summary>
    public SymbolFiles? Files { get; init; }

    /// <summary>What happened when; null as <see cref="Flames"/>.</summary>
    public TimelineReading? Timeline { get; init; }

    /// <summary>Waits of programs without marks; null when there are none, or they were not recorded or not wanted.</summary>
    public WaitResult? Waits { get; init; }

    /// <summary>HTTP requests of programs without marks; null as <see cref="Waits"/>.</summary>
    public RequestResult? Requests { get; init; }

    /// <summary>What the source lacks, a line each, for the end of the report.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
