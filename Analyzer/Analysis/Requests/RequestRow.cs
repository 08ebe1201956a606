using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Requests;

/// <summary>HTTP requests of one route. Their times include waits for other work of the program: they are those of the client, without the network.</summary>
public sealed record RequestRow
{
    /// <summary>The table's row whose runs they began in.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Served or sent.</summary>
    public required RequestSide Side { get; init; }

    /// <summary>Method and route: <c>GET /items/{id}</c>; that of a request that is sent has its host before the path.</summary>
    public required string Name { get; init; }

    /// <summary>Requests that began and ended in the recording.</summary>
    public required int Count { get; init; }

    /// <summary>Those of them that ended with a status of 500 or more, an exception, or no response.</summary>
    public required int Failed { get; init; }

    /// <summary>Requests that had not ended when the recording did.</summary>
    public required int Open { get; init; }

    /// <summary>How often each status came, most frequent first; 0 stands for no response.</summary>
    public required IReadOnlyList<(int Status, int Count)> Statuses { get; init; }

    /// <summary>Their times added up, in ms.</summary>
    public required double TotalMs { get; init; }

    /// <summary>Median time in ms; null when none has ended.</summary>
    public required double? MedianMs { get; init; }

    /// <summary>Time in ms that 95 % did not exceed; null when none has ended.</summary>
    public required double? P95Ms { get; init; }

    /// <summary>Longest time in ms; null when none has ended.</summary>
    public required double? MaxMs { get; init; }

    /// <summary>Where the longest one lies; null when none has ended.</summary>
    public EventPlace? Longest { get; init; }
}

/// <summary>The requests of a recording, by route.</summary>
public sealed record RequestResult : EventResult<RequestRow>
{
    /// <summary>Takes rows over.</summary>
    [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
    internal RequestResult(EventResult<RequestRow> rows)
        : base(rows)
    {
    }

    /// <summary>Ends whose begin is not known: the request had begun before the recording, or the program changed its id.</summary>
    public int Unpaired { get; init; }
}
