using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Requests;

/// <summary>
/// HTTP requests of one route. Times include waits for other work of the program; they equal the client's times without the network.
/// </summary>
public sealed record RequestRow
{
    /// <summary>Table row of the runs in which they began.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Served or sent.</summary>
    public required RequestSide Side { get; init; }

    /// <summary>Method and route: <c>GET /items/{id}</c>; for sent requests with the host before the path.</summary>
    public required string Name { get; init; }

    /// <summary>Number of requests that began and ended in the recording.</summary>
    public required int Count { get; init; }

    /// <summary>Number of these that ended with a status of 500 or more, an exception, or no response.</summary>
    public required int Failed { get; init; }

    /// <summary>Number of requests still open at the end of the recording.</summary>
    public required int Open { get; init; }

    /// <summary>Number of each status, most frequent first; 0 means no response.</summary>
    public required IReadOnlyList<(int Status, int Count)> Statuses { get; init; }

    /// <summary>Sum of their times in ms.</summary>
    public required double TotalMs { get; init; }

    /// <summary>Median time in ms; null when none ended.</summary>
    public required double? MedianMs { get; init; }

    /// <summary>95th percentile of the time in ms; null when none ended.</summary>
    public required double? P95Ms { get; init; }

    /// <summary>Maximum time in ms; null when none ended.</summary>
    public required double? MaxMs { get; init; }

    /// <summary>Location of the longest one; null when none ended.</summary>
    public EventInterval? Longest { get; init; }
}

/// <summary>The requests of a recording, by route.</summary>
public sealed record RequestResult : EventResult<RequestRow>
{
    /// <summary>Copies rows.</summary>
    [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
    internal RequestResult(EventResult<RequestRow> rows)
        : base(rows) { }

    /// <summary>Number of stops without a known start: the request had begun before the recording, or the program changed its id.</summary>
    public int Unpaired { get; init; }
}
