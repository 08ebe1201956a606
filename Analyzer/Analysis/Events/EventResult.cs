namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Rows of a report on events, and what is to be known of them.</summary>
/// <typeparam name="TRow">A row.</typeparam>
public record EventResult<TRow>
{
    /// <summary>Rows in the report's order; no more than were asked for.</summary>
    public required IReadOnlyList<TRow> Rows { get; init; }

    /// <summary>Rows there are.</summary>
    public required int RowsTotal { get; init; }

    /// <summary>All rows, also those that <see cref="Rows"/> leaves out: sums are over them.</summary>
    public required IReadOnlyList<TRow> AllRows { get; init; }

    /// <summary>Runs that count and whose process recorded such events.</summary>
    public required int Runs { get; init; }

    /// <summary>Processes whose events these are.</summary>
    public required IReadOnlyList<string> Processes { get; init; }

    /// <summary>What is missing, a sentence each.</summary>
    public required IReadOnlyList<string> Problems { get; init; }
}
