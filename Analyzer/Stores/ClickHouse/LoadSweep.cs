using System.Globalization;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>Deletes the rows of invalid loads, including those of killed workers.</summary>
/// <param name="seconds">
/// Minimum time since a load became invalid: an earlier query still reads its rows, and a slow worker may still add some.
/// </param>
internal sealed class LoadSweep(long seconds)
{
    // Loads per statement, far below the limit of 256 KB per statement.
    private const int MaxLoads = 500;

    /// <summary>Starts the deletion on a shard, which executes it asynchronously, part by part (a mutation).</summary>
    /// <returns>Number of loads to delete.</returns>
    public int Run(ClickHouseServer server)
    {
        // The row with state 2 stays forever: parts change one after the other, and without it a row with state 1 could become visible
        // again.
        var loads = server.Rows(
            string.Create(
                CultureInfo.InvariantCulture,
                $"SELECT trace, toInt64({ClickHouseSchema.LoadColumn}) AS number FROM (SELECT trace, {ClickHouseSchema.LoadColumn}, min(state) AS lowest, max(state) AS highest, max(at) AS latest FROM {ClickHouseSchema.Loads} GROUP BY trace, {ClickHouseSchema.LoadColumn}) AS loads WHERE lowest < {LoadLog.Withdrawn} AND highest != {LoadLog.Done} AND latest + {seconds} < toUnixTimestamp(now()) ORDER BY number LIMIT {MaxLoads}"
            )
        );
        if (loads.Count == 0)
            return 0;
        var which =
            $"(trace, {ClickHouseSchema.LoadColumn}) IN ({string.Join(", ", loads.Select(load => string.Create(CultureInfo.InvariantCulture, $"({ClickHouseTypes.Literal((string)load[0]!)}, {load[1]})")))})";
        foreach (var table in StoreSchema.Tables)
            server.Execute($"ALTER TABLE {ClickHouseSchema.RowsOf(table)} DELETE WHERE {which}");
        server.Execute($"ALTER TABLE {ClickHouseSchema.Loads} DELETE WHERE {which} AND state < {LoadLog.Withdrawn}");
        return loads.Count;
    }
}
