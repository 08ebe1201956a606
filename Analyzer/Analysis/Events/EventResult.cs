using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces;

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

/// <summary>What is asked of the events of a recording.</summary>
/// <param name="Filter">Which runs count.</param>
/// <param name="Top">Most rows, null for all.</param>
public sealed record EventQuery(RunFilter Filter, int? Top);

/// <summary>A report on events that has begun: what it has to hear, and what came out once it has heard it. Several of them can hear theirs in one pass over each file.</summary>
/// <typeparam name="T">What comes out.</typeparam>
/// <param name="Requests">What it has to hear.</param>
/// <param name="Result">Puts the result together, once the requests were answered; takes what the passes found out about the sources.</param>
internal sealed record EventReading<T>(IReadOnlyList<TraceRequest> Requests, Func<IReadOnlyDictionary<ITraceSource, TraceReadResult>, T> Result)
{
    /// <summary>Reads for this report alone.</summary>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    public T Read() => Result(TraceReading.Read(Requests));
}
