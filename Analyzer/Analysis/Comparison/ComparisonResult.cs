using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Two sides compared.</summary>
public sealed record ComparisonResult
{
    /// <summary>The side that is compared with.</summary>
    public required ComparedSide Baseline { get; init; }

    /// <summary>The side that is compared.</summary>
    public required ComparedSide Other { get; init; }

    /// <summary>How.</summary>
    public required ComparisonOptions Options { get; init; }

    /// <summary>Rows that both sides have, in the order of tables.</summary>
    public required IReadOnlyList<ComparedPair> Pairs { get; init; }

    /// <summary>Rows of the first side without a partner.</summary>
    public required IReadOnlyList<SummaryKey> OnlyBaseline { get; init; }

    /// <summary>Rows of the other side without a partner.</summary>
    public required IReadOnlyList<SummaryKey> OnlyOther { get; init; }

    /// <summary>What differs between the sides besides the program, a sentence each.</summary>
    public required IReadOnlyList<string> Differences { get; init; }

    /// <summary>Factor by which times of the other side were multiplied; 1 unless that was asked for.</summary>
    public double OtherFactor { get; init; } = 1;

    /// <summary>Groups of causes that were factored out; none when that was not asked for.</summary>
    public IReadOnlyList<string> FactoredOut { get; init; } = [];

    /// <summary>Lines of the program's own code; null unless they were asked for.</summary>
    public LineComparison? Lines { get; init; }

    /// <summary>Runs that were left out because the machine was slow meanwhile, of each side.</summary>
    public (int Baseline, int Other) DisturbedRuns => (Pairs.Sum(pair => pair.Baseline.Disturbed), Pairs.Sum(pair => pair.Other.Disturbed));
}

/// <summary>A recording, or trace files that belong together, on one side of a comparison.</summary>
/// <param name="Path">As it was named, or found in a folder that was.</param>
/// <param name="Input">What was opened.</param>
/// <param name="Result">What its runs cost.</param>
public sealed record ComparedRecording(string Path, TraceInput Input, AnalysisResult Result)
{
    /// <summary>Bytes allocated by row and type, of a recording that a store has; null of one whose events are read.</summary>
    public IReadOnlyList<(SummaryKey Runs, string Type, double Bytes)>? StoredAllocations { get; init; }

    /// <summary>Has the source files of its lines; null when a store has it.</summary>
    public SymbolFiles? Files { get; init; }

    /// <summary>Whether a store has it: then it has no stacks.</summary>
    public bool IsStored { get; init; }

    /// <summary>What names the machine and the runtimes that it was made with: the probe's times compare within one only.</summary>
    public string Machine => string.Join(", ", Input.Recordings.Select(recording => $"{recording.Description.Host.MachineName} {recording.Description.Host.Cpu} {recording.Description.Host.LogicalProcessors}").Distinct());
}
