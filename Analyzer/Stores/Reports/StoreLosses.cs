using System.Globalization;

namespace EtwSerializerProfiler.Stores.Reports;

/// <summary>What the traces of a store lack, all of them together: stands under every answer.</summary>
/// <param name="Traces">Traces, those that could not be read included.</param>
/// <param name="Failed">Of them, those that could not be read.</param>
/// <param name="LostEvents">Events that could not be written while they were recorded.</param>
/// <param name="MissingRuns">Runs that were expected and not found.</param>
public sealed record StoreLosses(long Traces, long Failed, long LostEvents, long MissingRuns)
{
    /// <summary>Asks for them.</summary>
    internal const string Sql =
        """
        SELECT count(*) AS traces, sum(CASE WHEN status = 'failed' THEN 1 ELSE 0 END) AS failed_traces, sum(lost_events) AS all_lost_events,
         sum(CASE WHEN runs_expected > runs_found THEN runs_expected - runs_found ELSE 0 END) AS missing_runs
        FROM trace
        """;

    /// <summary>For people.</summary>
    public string Line => string.Create(
        CultureInfo.InvariantCulture,
        $"Traces: {Traces}, of which {Failed} could not be read{(Failed > 0 ? " (--named failed)" : "")}; runs missing {MissingRuns}, events lost {LostEvents}{(MissingRuns > 0 || LostEvents > 0 ? " (--named losses)" : "")}");

    /// <summary>For programs.</summary>
    public IReadOnlyList<(string Key, object? Value)> Values => [("traces", Traces), ("failedTraces", Failed), ("missingRuns", MissingRuns), ("lostEvents", LostEvents)];

    /// <summary>Takes the row that <see cref="Sql"/> gives; a sum over no traces is null or 0.</summary>
    internal static StoreLosses Of(object?[] row) => new(Number(row[0]), Number(row[1]), Number(row[2]), Number(row[3]));

    private static long Number(object? value) => Convert.ToInt64(value ?? 0L, CultureInfo.InvariantCulture);
}
