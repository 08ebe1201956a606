using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Rows of an event report, with problems.</summary>
/// <typeparam name="TRow">A row.</typeparam>
public record EventResult<TRow>
{
    /// <summary>Rows to show, in report order.</summary>
    public required IReadOnlyList<TRow> Rows { get; init; }

    /// <summary>Total number of rows.</summary>
    public required int RowsTotal { get; init; }

    /// <summary>All rows, including those not in <see cref="Rows"/>; sums are over them.</summary>
    public required IReadOnlyList<TRow> AllRows { get; init; }

    /// <summary>Number of matching runs whose process recorded such events.</summary>
    public required int Runs { get; init; }

    /// <summary>Processes of these events.</summary>
    public required IReadOnlyList<string> Processes { get; init; }

    /// <summary>What is missing, one sentence each.</summary>
    public required IReadOnlyList<string> Problems { get; init; }
}

/// <summary>A query for events of a recording.</summary>
/// <param name="Filter">Selects the runs.</param>
/// <param name="Top">Maximum rows; null for all.</param>
public sealed record EventQuery(RunFilter Filter, int? Top);

/// <summary>
/// An event report in preparation: its subscriptions, and the function that creates the result after the passes. Several reports can share
/// one pass over each file.
/// </summary>
/// <typeparam name="T">Type of the result.</typeparam>
/// <param name="Requests">Requests to answer.</param>
/// <param name="Result">Creates the result after the requests were answered, given the read results of the sources.</param>
internal sealed record EventReading<T>(
    IReadOnlyList<TraceRequest> Requests,
    Func<IReadOnlyDictionary<ITraceSource, TraceReadResult>, T> Result
)
{
    /// <summary>Reads for this report only.</summary>
    /// <exception cref="IOException">A file became unreadable.</exception>
    public T Read() => Result(TraceReading.Read(Requests));
}
