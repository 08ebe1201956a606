using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Result of a comparison of two sides.</summary>
public sealed record ComparisonResult
{
    /// <summary>The base side.</summary>
    public required ComparedSide Baseline { get; init; }

    /// <summary>The other side.</summary>
    public required ComparedSide Other { get; init; }

    /// <summary>Recordings of both sides.</summary>
    public IEnumerable<ComparedRecording> Recordings => Baseline.Recordings.Concat(Other.Recordings);

    /// <summary>The options.</summary>
    public required ComparisonOptions Options { get; init; }

    /// <summary>Rows of both sides, in table order.</summary>
    public required IReadOnlyList<ComparedPair> Pairs { get; init; }

    /// <summary>Rows only in base.</summary>
    public required IReadOnlyList<SummaryKey> OnlyBaseline { get; init; }

    /// <summary>Rows only in the other side.</summary>
    public required IReadOnlyList<SummaryKey> OnlyOther { get; init; }

    /// <summary>Differences between the sides besides the program, one sentence each.</summary>
    public required IReadOnlyList<string> Differences { get; init; }

    /// <summary>Factor by which times of the other side were multiplied; 1 unless normalized.</summary>
    public double OtherFactor { get; init; } = 1;

    /// <summary>Groups of causes that were factored out; empty if not requested.</summary>
    public IReadOnlyList<string> FactoredOut { get; init; } = [];

    /// <summary>Lines of the program's own code; null unless requested.</summary>
    public LineComparison? Lines { get; init; }

    /// <summary>Disturbed runs that were excluded on each side.</summary>
    public (int Baseline, int Other) DisturbedRuns => (Pairs.Sum(pair => pair.Baseline.Disturbed), Pairs.Sum(pair => pair.Other.Disturbed));
}

/// <summary>A recording, or trace files of one recording, on one side of a comparison.</summary>
/// <param name="Path">Path on the command line, or found in a folder there.</param>
/// <param name="Input">The trace input.</param>
/// <param name="Result">Costs of its runs.</param>
public sealed record ComparedRecording(string Path, TraceInput Input, AnalysisResult Result)
{
    /// <summary>Allocated bytes by row and type, for a recording in a store; null if its events are read.</summary>
    public IReadOnlyList<(SummaryKey Runs, string Type, double Bytes)>? StoredAllocations { get; init; }

    /// <summary>Access to source files; null for a store.</summary>
    public SymbolFiles? Files { get; init; }

    /// <summary>Whether it comes from a store, which has no stacks.</summary>
    public bool IsStored { get; init; }

    /// <summary>Identifies the machine and the runtimes of the recording; probe times are comparable only within one.</summary>
    public string Machine =>
        string.Join(
            ", ",
            Input
                .Recordings.Select(recording =>
                    $"{recording.Description.Host.MachineName} {recording.Description.Host.Cpu} {recording.Description.Host.LogicalProcessors}"
                )
                .Distinct()
        );
}
