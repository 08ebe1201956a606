using EtwSerializerProfiler.Analysis.Rows;

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

    /// <summary>Runs that were left out because the machine was slow meanwhile, of each side.</summary>
    public (int Baseline, int Other) DisturbedRuns => (Pairs.Sum(pair => pair.Baseline.Disturbed), Pairs.Sum(pair => pair.Other.Disturbed));
}
