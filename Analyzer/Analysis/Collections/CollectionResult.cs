using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Collections;

/// <summary>Collections, and what they cost the runs.</summary>
public sealed record CollectionResult : EventResult<CollectionRow>
{
    /// <summary>Takes rows over.</summary>
    [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
    internal CollectionResult(EventResult<CollectionRow> rows)
        : base(rows)
    {
    }

    /// <summary>What the rows of the report stand for.</summary>
    public required CollectionGrouping Grouping { get; init; }

    /// <summary>What triggered the collections, by method or stack; null unless that was asked for.</summary>
    public required EventResult<TriggerRow>? Triggers { get; init; }

    /// <summary>Collections that began in the runs, by generation.</summary>
    public required CollectionCounts Counts { get; init; }

    /// <summary>Of these, those that the program asked for.</summary>
    public required int Induced { get; init; }

    /// <summary>Of these, background ones.</summary>
    public required int Background { get; init; }

    /// <summary>Collections of these processes that began outside of all runs.</summary>
    public required int OutsideRuns { get; init; }

    /// <summary>Pauses in the runs, in ms.</summary>
    public required double PauseMs { get; init; }

    /// <summary>Longest pause in one run, in ms.</summary>
    public required double MaxPauseMs { get; init; }

    /// <summary>Wall time of the runs, in ms.</summary>
    public required double WallMs { get; init; }

    /// <summary>Pauses as a share of the runs' time, in %; null without any.</summary>
    public double? PausePercent => WallMs > 0 ? 100 * PauseMs / WallMs : null;

    /// <summary>When several processes were paused at once, in order of time; null when only one process was recorded.</summary>
    public required IReadOnlyList<PauseOverlap>? Overlaps { get; init; }

    /// <summary>The moment with most processes paused, of equal ones the longest; null without any.</summary>
    public PauseOverlap? WorstOverlap => Overlaps?.OrderByDescending(overlap => overlap.MostProcesses).ThenByDescending(overlap => overlap.Ms).FirstOrDefault();
}
