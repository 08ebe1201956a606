using System.Globalization;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>Deletes the rows of loads that no longer count, and those of workers that were killed.</summary>
/// <param name="seconds">How long a load must not have counted: a query that began before still reads its rows, and a worker that is slow may still be adding some.</param>
internal sealed class LoadSweep(long seconds)
{
    // Loads a statement: it stays far below the 256 KB that a statement may have.
    private const int Most = 500;

    /// <summary>Has a shard delete them. It does so in its own time, part by part (a mutation).</summary>
    /// <returns>Loads whose rows go.</returns>
    public int Run(ClickHouseServer server)
    {
        // The row that says 2 stays for ever: parts change one after the other, and without it one that says 1 could be seen again.
        var loads = server.Rows(string.Create(CultureInfo.InvariantCulture,
            $"SELECT trace, toInt64({ClickHouseSchema.LoadColumn}) AS number FROM (SELECT trace, {ClickHouseSchema.LoadColumn}, min(state) AS lowest, max(state) AS highest, max(at) AS latest FROM {ClickHouseSchema.Loads} GROUP BY trace, {ClickHouseSchema.LoadColumn}) AS loads WHERE lowest < {LoadLog.Withdrawn} AND highest != {LoadLog.Done} AND latest + {seconds} < toUnixTimestamp(now()) ORDER BY number LIMIT {Most}"));
        if (loads.Count == 0)
            return 0;
        var which = $"(trace, {ClickHouseSchema.LoadColumn}) IN ({string.Join(", ", loads.Select(load => string.Create(CultureInfo.InvariantCulture, $"({ClickHouseTypes.Literal((string)load[0]!)}, {load[1]})")))})";
        foreach (var table in StoreSchema.Tables)
            server.Execute($"ALTER TABLE {ClickHouseSchema.RowsOf(table)} DELETE WHERE {which}");
        server.Execute($"ALTER TABLE {ClickHouseSchema.Loads} DELETE WHERE {which} AND state < {LoadLog.Withdrawn}");
        return loads.Count;
    }
}
