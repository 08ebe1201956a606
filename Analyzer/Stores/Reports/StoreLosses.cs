using System.Globalization;

namespace EtwSerializerProfiler.Stores.Reports;

/// <summary>Losses of all traces in a store; printed below every result.</summary>
/// <param name="Traces">Number of traces, including unreadable ones.</param>
/// <param name="Failed">Number of unreadable traces.</param>
/// <param name="LostEvents">Number of events lost during recording.</param>
/// <param name="MissingRuns">Number of expected runs that were not found.</param>
public sealed record StoreLosses(long Traces, long Failed, long LostEvents, long MissingRuns)
{
    /// <summary>The query for the losses.</summary>
    internal const string Sql = """
        SELECT count(*) AS traces, sum(CASE WHEN status = 'failed' THEN 1 ELSE 0 END) AS failed_traces, sum(lost_events) AS all_lost_events,
         sum(CASE WHEN runs_expected > runs_found THEN runs_expected - runs_found ELSE 0 END) AS missing_runs
        FROM trace
        """;

    /// <summary>Formats the losses as a line.</summary>
    public string Line =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"Traces: {Traces}; {Failed} could not be read{(Failed > 0 ? " (--named failed)" : "")}; runs missing {MissingRuns}, events lost {LostEvents}{(MissingRuns > 0 || LostEvents > 0 ? " (--named losses)" : "")}"
        );

    /// <summary>The losses as key-value pairs.</summary>
    public IReadOnlyList<(string Key, object? Value)> Values =>
        [("traces", Traces), ("failedTraces", Failed), ("missingRuns", MissingRuns), ("lostEvents", LostEvents)];

    /// <summary>Converts the row of <see cref="Sql"/>; a sum over no traces is null or 0.</summary>
    internal static StoreLosses Of(object?[] row) => new(Number(row[0]), Number(row[1]), Number(row[2]), Number(row[3]));

    private static long Number(object? value) => Convert.ToInt64(value ?? 0L, CultureInfo.InvariantCulture);
}
